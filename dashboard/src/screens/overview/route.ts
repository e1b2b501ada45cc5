import { createRoute } from '@tanstack/react-router';
import { OVERVIEW } from '../../app/link-paths.js';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { figuresQuery } from '../figures/query.js';

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: OVERVIEW,
  staticData: { navigation: { menu: 'main', label: 'overview', place: 10, icon: 'overview' } },
  validateSearch: figuresQuery,
  component: lazyScreen(() => import('./overview.js'), 'Overview', 'screens/overview', 'screens/figures'),
});

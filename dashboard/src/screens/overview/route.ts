import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { OVERVIEW } from '../../app/link-paths.js';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';
import { figuresQuery } from '../figures/query.js';

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: OVERVIEW,
  staticData: { navigation: { menu: 'main', label: 'overview', place: 10, icon: 'overview' } },
  validateSearch: figuresQuery,
  component: lazyRouteComponent(
    withWords(() => import('./overview.js'), 'screens/overview', 'screens/figures'),
    'Overview',
  ),
});

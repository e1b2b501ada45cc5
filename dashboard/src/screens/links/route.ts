import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { readSearch } from './filters.js';

export const linksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links',
  staticData: { navigation: { menu: 'main', label: 'links', place: 20, icon: 'links' } },
  validateSearch: readSearch,
  component: lazyScreen(() => import('./links.js'), 'Links', 'screens/links'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';
import { readSearch } from './filters.js';

export const linksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links',
  staticData: { navigation: { menu: 'main', label: 'links', place: 20, icon: 'links' } },
  validateSearch: readSearch,
  component: lazyRouteComponent(
    withWords(() => import('./links.js'), 'screens/links'),
    'Links',
  ),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';
import { linkSearch } from './search.js';

export const linkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id',
  validateSearch: linkSearch,
  component: lazyRouteComponent(
    withWords(() => import('./link.js'), 'screens/link', 'screens/figures'),
    'LinkScreen',
  ),
});

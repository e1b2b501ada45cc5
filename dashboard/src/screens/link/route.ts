import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';
import { linkSearch } from './search.js';

export const linkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id',
  validateSearch: linkSearch,
  component: lazyRouteComponent(() => import('./link.js'), 'LinkScreen'),
});

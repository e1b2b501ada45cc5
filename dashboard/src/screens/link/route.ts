import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { linkSearch } from './search.js';

export const linkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id',
  validateSearch: linkSearch,
  component: lazyScreen(
    () => import('./link.js'),
    'LinkScreen',
    'screens/link',
    'screens/figures',
    'screens/activity',
  ),
});

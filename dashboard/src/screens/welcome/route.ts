import { createRoute } from '@tanstack/react-router';
import { lazyScreen, rootRoute } from '../../app/routes.js';

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyScreen(() => import('./welcome.js'), 'Welcome', 'screens/welcome'),
});

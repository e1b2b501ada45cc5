import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { rootRoute } from '../../app/routes.js';

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(
    withWords(() => import('./welcome.js'), 'screens/welcome'),
    'Welcome',
  ),
});

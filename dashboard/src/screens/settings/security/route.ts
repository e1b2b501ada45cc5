import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../route.js';

export const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  staticData: { navigation: { menu: 'settings', label: 'security', place: 20 } },
  component: lazyRouteComponent(() => import('./security.js'), 'Security'),
});

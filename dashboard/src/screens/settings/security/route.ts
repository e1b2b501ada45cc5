import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  staticData: { navigation: { menu: 'settings', label: 'security', place: 20 } },
  component: lazyRouteComponent(
    withWords(() => import('./security.js'), 'screens/settings/security'),
    'Security',
  ),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  staticData: { navigation: { menu: 'settings', label: 'profile', place: 10 } },
  component: lazyRouteComponent(
    withWords(() => import('./profile.js'), 'screens/settings/profile'),
    'Profile',
  ),
});

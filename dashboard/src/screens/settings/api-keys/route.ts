import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  staticData: { navigation: { menu: 'settings', label: 'apiKeys', place: 30 }, needs: 'Owner' },
  component: lazyRouteComponent(
    withWords(() => import('./api-keys.js'), 'screens/settings/api-keys'),
    'ApiKeys',
  ),
});

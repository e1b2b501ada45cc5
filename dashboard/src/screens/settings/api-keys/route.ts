import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../route.js';

export const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  staticData: { navigation: { menu: 'settings', label: 'apiKeys', place: 30 }, needs: 'Owner' },
  component: lazyRouteComponent(() => import('./api-keys.js'), 'ApiKeys'),
});

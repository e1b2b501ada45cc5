import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../route.js';

export const tagsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/tags',
  staticData: { navigation: { menu: 'settings', label: 'tags', place: 50 } },
  component: lazyRouteComponent(() => import('./tags.js'), 'Tags'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const tagsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/tags',
  staticData: { navigation: { menu: 'settings', label: 'tags', place: 50 } },
  component: lazyRouteComponent(
    withWords(() => import('./tags.js'), 'screens/settings/tags'),
    'Tags',
  ),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../../app/preferences.js';
import { settingsRoute } from '../route.js';

export const utmTemplatesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/utm-templates',
  staticData: { navigation: { menu: 'settings', label: 'utmTemplates', place: 60 } },
  component: lazyRouteComponent(
    withWords(() => import('./utm-templates.js'), 'screens/settings/utm-templates'),
    'UtmTemplates',
  ),
});

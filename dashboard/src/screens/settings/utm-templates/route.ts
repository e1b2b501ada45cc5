import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { settingsRoute } from '../route.js';

export const utmTemplatesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/utm-templates',
  staticData: { navigation: { menu: 'settings', label: 'utmTemplates', place: 60 } },
  component: lazyRouteComponent(() => import('./utm-templates.js'), 'UtmTemplates'),
});

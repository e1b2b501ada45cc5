import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';

export const qrRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id/qr',
  component: lazyRouteComponent(
    withWords(() => import('./qr-page.js'), 'screens/qr'),
    'QrPage',
  ),
});

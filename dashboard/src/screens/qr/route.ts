import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';

export const qrRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id/qr',
  component: lazyRouteComponent(() => import('./qr-page.js'), 'QrPage'),
});

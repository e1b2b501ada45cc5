import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';

export const qrRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/links/$id/qr',
  component: lazyScreen(() => import('./qr-page.js'), 'QrPage', 'screens/qr'),
});

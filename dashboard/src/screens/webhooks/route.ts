import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/routes.js';
import { deliverySearch } from './search.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks',
  staticData: {
    navigation: { menu: 'main', label: 'webhooks', place: 40, icon: 'webhooks' },
    needs: 'Owner',
  },
  component: lazyRouteComponent(() => import('./webhooks.js'), 'Webhooks'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks/$id',
  staticData: { needs: 'Owner' },
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./webhook.js'), 'WebhookScreen'),
});

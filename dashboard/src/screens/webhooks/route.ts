import { createRoute } from '@tanstack/react-router';
import { lazyScreen, shellRoute } from '../../app/routes.js';
import { deliverySearch } from './search.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks',
  staticData: {
    navigation: { menu: 'main', label: 'webhooks', place: 40, icon: 'webhooks' },
    needs: 'Owner',
  },
  component: lazyScreen(() => import('./webhooks.js'), 'Webhooks', 'screens/webhooks'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks/$id',
  staticData: { needs: 'Owner' },
  validateSearch: deliverySearch,
  component: lazyScreen(() => import('./webhook.js'), 'WebhookScreen', 'screens/webhooks'),
});

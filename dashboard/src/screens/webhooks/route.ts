import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { withWords } from '../../app/preferences.js';
import { shellRoute } from '../../app/routes.js';
import { deliverySearch } from './search.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks',
  staticData: {
    navigation: { menu: 'main', label: 'webhooks', place: 40, icon: 'webhooks' },
    needs: 'Owner',
  },
  component: lazyRouteComponent(
    withWords(() => import('./webhooks.js'), 'screens/webhooks'),
    'Webhooks',
  ),
});

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/webhooks/$id',
  staticData: { needs: 'Owner' },
  validateSearch: deliverySearch,
  component: lazyRouteComponent(
    withWords(() => import('./webhook.js'), 'screens/webhooks'),
    'WebhookScreen',
  ),
});

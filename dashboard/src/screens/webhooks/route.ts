import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { WebhookDelivery } from '@smartlink/client';
import { shellRoute } from '../../app/routes.js';
import { choiceParam } from '../../app/search-params.js';

export const DELIVERY_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;

type DeliverySearch = { readonly status?: WebhookDelivery['status'] | undefined };

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
  validateSearch: ({ status }: Record<string, unknown>): DeliverySearch => ({
    status: choiceParam(status, DELIVERY_STATUSES),
  }),
  component: lazyRouteComponent(() => import('./webhook.js'), 'WebhookScreen'),
});

import type { WebhookDelivery } from '@smartlink/client';
import { choiceParam } from '../../app/search-params.js';

export const DELIVERY_STATUSES = ['Pending', 'Delivered', 'Failed'] as const;

type DeliverySearch = { readonly status?: WebhookDelivery['status'] | undefined };

export const deliverySearch = ({ status }: Record<string, unknown>): DeliverySearch => ({
  status: choiceParam(status, DELIVERY_STATUSES),
});

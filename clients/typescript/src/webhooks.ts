import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type {
  Body,
  CreatedWebhook,
  Query,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
} from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type WebhookCreate = Body<'createWebhook'>;
export type WebhookChanges = Omit<Body<'updateWebhook'>, 'id'>;
export type DeliveryFilter = Omit<Query<'listWebhookDeliveries'>, 'id' | 'limit' | 'cursor'>;

/** Only reads are retried after failures with unknown outcome. */
export function webhookMethods(call: Call) {
  /** One page of a webhook's deliveries, newest first. */
  const deliveries = (
    id: string,
    query?: DeliveryFilter & PageQuery,
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>> =>
    call('listWebhookDeliveries', { query: { ...query, id } }, options, listOf<WebhookDelivery>());

  return {
    deliveries,

    /** Iterates over all deliveries in a webhook's log, newest first. */
    allDeliveries: (
      id: string,
      { pageSize, ...filter }: DeliveryFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<WebhookDelivery, void> =>
      eachItem(
        eachPage('listWebhookDeliveries', (page) => deliveries(id, { ...filter, ...page }, options), {
          pageSize,
        }),
      ),

    /** The webhooks of the key's user. */
    list: (options?: CallOptions): Promise<Answer<readonly Webhook[]>> =>
      call('listWebhooks', {}, options, listOf<Webhook>()),

    /** Creates a webhook. Only this answer holds its secret. */
    create: (body: WebhookCreate, options?: CallOptions): Promise<Answer<CreatedWebhook>> =>
      call('createWebhook', { body }, options),

    /** Changes parts of a webhook. */
    update: (id: string, changes: WebhookChanges, options?: CallOptions): Promise<Answer<Webhook>> =>
      call('updateWebhook', { body: { ...changes, id } }, options),

    /** Deletes a webhook. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteWebhook', { body: { webhookId: id } }, options),

    /** Replaces the secret of a webhook. Only this answer holds the new one. */
    rotateSecret: (id: string, options?: CallOptions): Promise<Answer<RotatedWebhook>> =>
      call('rotateWebhookSecret', { body: { id } }, options),

    /** Queues a test message and resolves to its delivery. */
    test: (id: string, options?: CallOptions): Promise<Answer<WebhookDelivery>> =>
      call('testWebhook', { body: { id } }, options),

    /** Queues a delivery again and resolves to it. */
    redeliver: (deliveryId: string, options?: CallOptions): Promise<Answer<WebhookDelivery>> =>
      call('redeliverWebhook', { body: { deliveryId } }, options),
  };
}

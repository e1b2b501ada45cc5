import type { Answer, Page } from './answers.js';
import type { Call } from './call.js';
import type {
  Body,
  CreatedWebhook,
  Query,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
} from './operation-types.js';
import { eachItem, eachPage } from './pagination.js';
import type { PageQuery, PageSize } from './pagination.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type WebhookCreate = Body<'createWebhook'>;
export type WebhookChanges = Omit<Body<'updateWebhook'>, 'id'>;
export type DeliveryFilter = Omit<Query<'listWebhookDeliveries'>, 'id' | 'limit' | 'cursor'>;

/** Returns the methods about webhooks. None of them but the reads is sent again when it may have been carried out. */
export function webhookMethods(call: Call) {
  /** Resolves to one page of a webhook's deliveries, newest first. */
  const deliveries = (
    id: string,
    query?: DeliveryFilter & PageQuery,
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>> =>
    call('listWebhookDeliveries', { query: { ...query, id } }, options, listOf<WebhookDelivery>());

  return {
    deliveries,

    /** Iterates over all deliveries of a webhook that are kept, newest first. */
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

    /** Resolves to the webhooks of the key's user. */
    list: (options?: CallOptions): Promise<Answer<readonly Webhook[]>> =>
      call('listWebhooks', {}, options, listOf<Webhook>()),

    /** Creates a webhook and resolves to it, with its secret: it is shown here alone. */
    create: (body: WebhookCreate, options?: CallOptions): Promise<Answer<CreatedWebhook>> =>
      call('createWebhook', { body }, options),

    /** Changes parts of a webhook and resolves to it. */
    update: (id: string, changes: WebhookChanges, options?: CallOptions): Promise<Answer<Webhook>> =>
      call('updateWebhook', { body: { ...changes, id } }, options),

    /** Deletes a webhook. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteWebhook', { body: { webhookId: id } }, options),

    /** Gives a webhook another secret and resolves to the webhook with it. */
    rotateSecret: (id: string, options?: CallOptions): Promise<Answer<RotatedWebhook>> =>
      call('rotateWebhookSecret', { body: { id } }, options),

    /** Sends a webhook a test message and resolves to its delivery, which is under way. */
    test: (id: string, options?: CallOptions): Promise<Answer<WebhookDelivery>> =>
      call('testWebhook', { body: { id } }, options),

    /** Sends a message once more and resolves to its delivery, which is under way. */
    redeliver: (deliveryId: string, options?: CallOptions): Promise<Answer<WebhookDelivery>> =>
      call('redeliverWebhook', { body: { deliveryId } }, options),
  };
}

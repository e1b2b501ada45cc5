import type { DeliveryRow } from './log-queries.js';
import type { WebhookRow } from './queries.js';

/** Returns a webhook as clients receive it: never with its secret. */
export function toView(row: WebhookRow): object {
  return {
    id: row.id,
    url: row.url,
    ...(row.description === null ? {} : { description: row.description }),
    eventTypes: row.eventTypes,
    isEnabled: row.isEnabled,
    ...(row.disabledReason === null ? {} : { disabledReason: row.disabledReason }),
    ...(row.failingSince === null ? {} : { failingSince: row.failingSince.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Returns an entry of the log as clients receive it. */
export function toDeliveryView(row: DeliveryRow): object {
  return {
    id: row.id,
    webhookId: row.webhookId,
    eventType: row.eventType,
    occurredAt: row.occurredAt.toISOString(),
    status: row.status,
    attempts: row.attempts,
    ...(row.lastAttemptAt === null ? {} : { lastAttemptAt: row.lastAttemptAt.toISOString() }),
    ...(row.nextAttemptAt === null ? {} : { nextAttemptAt: row.nextAttemptAt.toISOString() }),
    ...(row.responseStatus === null ? {} : { responseStatus: row.responseStatus }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
  };
}

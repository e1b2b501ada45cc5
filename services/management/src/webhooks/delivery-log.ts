import type { Pool } from 'pg';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { decodeCursor, encodeCursor } from '../page-cursor.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { withTransaction } from '../transaction.js';
import { TEST_EVENT } from './event-types.js';
import { addDelivery, listDeliveries, lockDelivery, sendAgain } from './log-queries.js';
import { addAuditEntry, findOne, lockOne } from './queries.js';
import { logLimitOf } from './request-schemas.js';
import type { LogQuery } from './request-schemas.js';
import { toDeliveryView } from './webhook-view.js';

const DISABLED = 'The webhook is disabled';

/** Returns the use cases of a webhook's log. Each rejects with NOT_FOUND unless what it names is the user's own. */
export function createDeliveryLog({ pg }: { pg: Pool }) {
  return {
    /** Returns a page, newest first, and the cursor of the next one if any. */
    async list(
      { userId }: Principal,
      query: LogQuery,
    ): Promise<{ data: object[]; nextCursor: string | null }> {
      const limit = logLimitOf(query);
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
      const webhook = isSmartlinkId(query.id) ? await findOne(pg, query.id, userId) : null;
      if (webhook === null) throw webhookNotFound();
      const filter = { webhookId: webhook.id, status: query.status ?? null, after };
      // One more than asked for tells whether there is a next page.
      const found = await listDeliveries(pg, { ...filter, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const hasMore = last !== undefined && found.length > page.length;
      return {
        data: page.map(toDeliveryView),
        nextCursor: hasMore ? encodeCursor({ time: last.occurredAt, id: last.id }) : null,
      };
    },

    /** Queues a message that says nothing but that it is a test. Rejects when the webhook is disabled. */
    test({ userId, keyId }: Principal, id: string): Promise<object> {
      return withTransaction(pg, async (client) => {
        const webhook = isSmartlinkId(id) ? await lockOne(client, id, userId) : null;
        if (webhook === null) throw webhookNotFound();
        if (!webhook.isEnabled) throw fault('id', DISABLED);
        const row = await addDelivery(client, id, TEST_EVENT, { webhookId: id });
        await addAuditEntry(client, { keyId, userId, action: 'webhook.test', webhookId: id });
        return toDeliveryView(row);
      });
    },

    /**
     * Queues a delivery again, with the id and the content that it had; one that is under way is left to what becomes of
     * it. Rejects when its webhook is disabled.
     */
    redeliver(
      { userId, keyId }: Principal,
      deliveryId: string,
    ): Promise<{ data: object; isUnderWay: boolean }> {
      return withTransaction(pg, async (client) => {
        const found = isSmartlinkId(deliveryId) ? await lockDelivery(client, deliveryId, userId) : null;
        if (found === null) throw new ApiError('NOT_FOUND', { message: 'Delivery not found' });
        const { webhookId, isEnabled } = found;
        if (!isEnabled) throw fault('deliveryId', DISABLED);
        const { isUnderWay, ...row } = await sendAgain(client, deliveryId);
        await addAuditEntry(client, { keyId, userId, action: 'webhook.redeliver', webhookId });
        return { data: toDeliveryView(row), isUnderWay };
      });
    },
  };
}

function webhookNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'Webhook not found' });
}

import type { Pool } from 'pg';
import { newId } from '@smartlink/smartlink-store/new-id';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { withTransaction } from '../transaction.js';
import { endPending } from './delivery-queries.js';
import {
  addAuditEntry,
  deleteWebhook,
  findByOwner,
  insertWebhook,
  lockCount,
  lockOne,
  rotateSecret,
  updateWebhook,
} from './queries.js';
import type { WebhookRow } from './queries.js';
import type { CreateBody, UpdateBody } from './request-schemas.js';
import { newSecret } from './sign-message.js';
import { toView } from './webhook-view.js';

/** Most webhooks of a user. */
export const WEBHOOKS_MAX = 20;

const OWNER_DISABLED = 'The webhook was disabled by its owner';

/** Returns the use cases of a user's webhooks. Those that name one reject with NOT_FOUND unless it is theirs. */
export function createWebhookManager({ pg, now }: { pg: Pool; now: () => number }) {
  return {
    async list({ userId }: Principal): Promise<object[]> {
      return (await findByOwner(pg, userId)).map(toView);
    },

    /** Rejects with VALIDATION_FAILED when there are 20 of them. The answer alone holds the secret. */
    create({ userId, keyId }: Principal, body: CreateBody): Promise<object> {
      const secret = newSecret();
      return withTransaction(pg, async (client) => {
        if ((await lockCount(client, userId)) >= WEBHOOKS_MAX) {
          throw fault('', `A user has at most ${WEBHOOKS_MAX} webhooks`);
        }
        const { url, eventTypes, description = null } = body;
        const id = newId(now());
        const row = await insertWebhook(client, { id, userId, url, eventTypes, description, secret });
        await addAuditEntry(client, { keyId, userId, action: 'webhook.create', webhookId: id });
        return { ...toView(row), secret };
      });
    },

    /** Disabling gives up what waits. Where nothing is different nothing is written. */
    update({ userId, keyId }: Principal, { id, ...patch }: UpdateBody): Promise<object> {
      return withTransaction(pg, async (client) => {
        const row = await lockOwn(client, id, userId);
        const wanted = {
          id: row.id,
          url: patch.url ?? row.url,
          eventTypes: patch.eventTypes ?? row.eventTypes,
          description: patch.description === undefined ? row.description : patch.description,
          isEnabled: patch.isEnabled ?? row.isEnabled,
        };
        const changed = changedMembers(row, wanted);
        if (changed.length === 0) return toView(row);
        const updated = await updateWebhook(client, wanted);
        if (row.isEnabled && !wanted.isEnabled) await endPending(client, id, OWNER_DISABLED);
        await addAuditEntry(client, { keyId, userId, action: 'webhook.update', webhookId: id, changed });
        return toView(updated);
      });
    },

    remove({ userId, keyId }: Principal, id: string): Promise<void> {
      return withTransaction(pg, async (client) => {
        await lockOwn(client, id, userId);
        await deleteWebhook(client, id);
        await addAuditEntry(client, { keyId, userId, action: 'webhook.delete', webhookId: id });
      });
    },

    /** The answer alone holds the secret. */
    rotate({ userId, keyId }: Principal, id: string): Promise<object> {
      const secret = newSecret();
      return withTransaction(pg, async (client) => {
        await lockOwn(client, id, userId);
        const { previousSecretUntil, ...row } = await rotateSecret(client, id, secret);
        await addAuditEntry(client, { keyId, userId, action: 'webhook.rotate-secret', webhookId: id });
        return { ...toView(row), secret, previousSecretUntil: previousSecretUntil.toISOString() };
      });
    },
  };
}

async function lockOwn(
  client: Parameters<typeof lockOne>[0],
  id: string,
  userId: string,
): Promise<WebhookRow> {
  const row = isSmartlinkId(id) ? await lockOne(client, id, userId) : null;
  if (row === null) throw new ApiError('NOT_FOUND', { message: 'Webhook not found' });
  return row;
}

type Changeable = Pick<WebhookRow, 'url' | 'eventTypes' | 'description' | 'isEnabled'>;

function changedMembers(row: Changeable, wanted: Changeable): string[] {
  const members = ['url', 'eventTypes', 'description', 'isEnabled'] as const;
  return members.filter((name) => JSON.stringify(row[name]) !== JSON.stringify(wanted[name]));
}

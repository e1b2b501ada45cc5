import type { Pool } from 'pg';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { withTransaction } from '../transaction.js';
import type { Outbox } from './outbox.js';
import { lockMany, markDeleted } from './queries.js';

/** Returns the use case of DELETE: marks a smartlink as deleted and publishes its tombstones. Rejects with NOT_FOUND. */
export function createSmartlinkDeleter(deps: { readonly pg: Pool; readonly outbox: Outbox }) {
  return async (principal: Principal, id: string): Promise<void> => {
    if (!isSmartlinkId(id)) throw new ApiError('NOT_FOUND');
    const { userId, keyId } = principal;
    const entries = await withTransaction(deps.pg, async (client) => {
      const [row] = await lockMany(client, [id], userId);
      if (row === undefined) throw new ApiError('NOT_FOUND');
      const versions = await markDeleted(client, [id]);
      const deleted = { ...row, status: 'Deleted' as const };
      await recordChanges(client, [
        { actor: `key ${keyId}`, action: 'smartlink.delete', smartlink: deleted },
      ]);
      return addToOutbox(client, [{ id, version: versions.get(id) ?? row.version }]);
    });
    await deps.outbox.publish(entries);
  };
}

import type { Pool, PoolClient } from 'pg';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { withTransaction } from '../transaction.js';
import type { Outbox } from './outbox.js';
import { findChangeable, lockOne } from './queries.js';
import type { ListedRow } from './queries.js';

/** A row as it is now, and what of it must be published; nothing when it was left as it is. */
export type Change = { readonly row: SmartlinkRow; readonly entries: readonly OutboxEntry[] };

/** How a smartlink is changed. */
export type ChangeSteps<Plan> = {
  /** Decides what to write to `row`, or throws. It may take its time: it asks a safety provider, it hashes. */
  readonly prepare: (row: SmartlinkRow) => Promise<Plan>;
  /** Writes what was decided. The row is locked and as `prepare` has seen it. */
  readonly write: (client: PoolClient, row: SmartlinkRow, plan: Plan) => Promise<Change>;
};

/**
 * Changes one of the principal's smartlinks, publishes it and returns it. Rejects with NOT_FOUND when there is none that
 * can be written, and with whatever the steps throw; then nothing is written.
 */
export async function changeSmartlink<Plan>(
  deps: { readonly pg: Pool; readonly outbox: Outbox },
  principal: Principal,
  id: string,
  { prepare, write }: ChangeSteps<Plan>,
): Promise<ListedRow> {
  const seen = isSmartlinkId(id) ? await findChangeable(deps.pg, id, principal.userId) : null;
  if (seen === null) throw new ApiError('NOT_FOUND');
  // Before the row is locked, so that nobody waits for argon2 or a provider.
  const plan = await prepare(seen);
  const change = await withTransaction(deps.pg, async (client) => {
    const row = await lockOne(client, id, principal.userId);
    if (row === null) throw new ApiError('NOT_FOUND');
    // What was decided holds for the row that was seen. When somebody was quicker it is decided anew, now under the
    // lock: it cannot change again, and only those who change this one smartlink wait.
    return write(client, row, row.version === seen.version ? plan : await prepare(row));
  });
  if (change.entries.length > 0) await deps.outbox.publish(change.entries);
  return { ...change.row, known_totals: seen.known_totals };
}

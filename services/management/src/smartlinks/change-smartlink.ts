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
import { ATTEMPTS_MAX, changedTooOften } from './slow-work.js';

/** A row as it is now, and what of it must be published; nothing when it was left as it is. */
export type Change = { readonly row: SmartlinkRow; readonly entries: readonly OutboxEntry[] };

/** How a smartlink is changed. */
export type ChangeSteps<Plan> = {
  /** Decides what to write to `row`, or throws. It may take its time: it asks a safety provider, it hashes. */
  readonly prepare: (row: SmartlinkRow) => Promise<Plan>;
  /** Decides the same at once, of what is known by then; null when it would have to take its time. */
  readonly recall?: (row: SmartlinkRow) => Plan | null;
  /** Writes what was decided. The row is locked and as the step that decided has seen it. */
  readonly write: (client: PoolClient, row: SmartlinkRow, plan: Plan) => Promise<Change>;
};

/**
 * Changes one of the principal's smartlinks, publishes it and returns it. Rejects with NOT_FOUND when there is none that
 * can be written, with SERVICE_UNAVAILABLE when others change it all the time, and with whatever the steps throw; then
 * nothing is written.
 */
export async function changeSmartlink<Plan>(
  deps: { readonly pg: Pool; readonly outbox: Outbox },
  principal: Principal,
  id: string,
  steps: ChangeSteps<Plan>,
): Promise<ListedRow> {
  const found = isSmartlinkId(id) ? await findChangeable(deps.pg, id, principal.userId) : null;
  if (found === null) throw new ApiError('NOT_FOUND');
  let seen: SmartlinkRow = found;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    // Before the row is locked, so that nobody waits for argon2 or a provider, and no connection is held meanwhile.
    const prepared = { row: seen, plan: await steps.prepare(seen) };
    const tried = await withTransaction(deps.pg, (client) => tryToWrite(client, prepared, steps));
    if (tried.change === null) {
      seen = tried.row;
      continue;
    }
    const { row, entries } = tried.change;
    if (entries.length > 0) await deps.outbox.publish(entries);
    return { ...row, known_totals: found.known_totals };
  }
  throw changedTooOften();
}

/** Returns the locked row, and its change unless somebody was quicker and it cannot be decided anew at once. */
async function tryToWrite<Plan>(
  client: PoolClient,
  prepared: { readonly row: SmartlinkRow; readonly plan: Plan },
  { recall, write }: ChangeSteps<Plan>,
): Promise<{ readonly row: SmartlinkRow; readonly change: Change | null }> {
  const row = await lockOne(client, prepared.row.id, prepared.row.user_id);
  if (row === null) throw new ApiError('NOT_FOUND');
  // What was decided holds for the row that was seen.
  const plan = row.version === prepared.row.version ? prepared.plan : (recall?.(row) ?? null);
  return { row, change: plan === null ? null : await write(client, row, plan) };
}

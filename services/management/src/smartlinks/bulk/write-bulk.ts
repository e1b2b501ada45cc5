import type { PoolClient } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { lockRoom } from '@smartlink/smartlink-store/plan-limit';
import type { ChangeRecord } from '@smartlink/smartlink-store/record-changes';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../../accounts/accounts.js';
import { lockMany } from '../queries.js';
import type { ToSettle } from '../slow-work.js';
import { findPatched } from './find-patched.js';
import type { Prepared, PreparedBulk } from './prepare-operations.js';
import { writeRun } from './write-runs.js';
import type { Outcome, Run, Writing } from './write-runs.js';

export type Written = {
  /** One for each operation, in their order. */
  readonly outcomes: readonly Outcome[];
  /** For the audit log and webhooks, in the order in which they happened. */
  readonly records: readonly ChangeRecord[];
  /** What has to be published, each smartlink once. */
  readonly changed: readonly { readonly id: string; readonly version: string }[];
};

export type WriteDeps = { readonly client: PoolClient; readonly validator: SmartlinkValidator };

/** Operations were written with what is not settled yet, which they need now: the transaction must not be committed. */
export class NotSettled extends Error {
  readonly wanted: readonly ToSettle[];

  constructor(wanted: readonly ToSettle[]) {
    super('Some of a bulk call is not settled yet');
    this.name = 'NotSettled';
    this.wanted = wanted;
  }
}

/**
 * Writes operations in the transaction of `client`, each as if those before it had been calls of their own. What comes
 * one after another and is of one kind is written together. Throws NotSettled with all that the slow work has yet to do.
 */
export async function writeOperations(
  { client, validator }: WriteDeps,
  principal: Principal,
  bulk: PreparedBulk,
): Promise<Written> {
  const { userId } = principal;
  const isAnyCreate = bulk.operations.some(({ kind }) => kind === 'create');
  const writing: Writing = {
    client,
    validator,
    principal,
    recall: bulk.slowWork.recall,
    missing: [],
    // The user before the smartlinks: whoever locks both does it in this order.
    room: isAnyCreate ? await lockRoom(client, userId) : null,
    rows: await lockRows(client, userId, bulk),
    versionsAfter: new Map(),
    outcomes: new Map(),
    records: [],
    changed: new Map(),
  };
  for (const run of runsOf(bulk.operations)) await writeRun(writing, run);
  if (writing.missing.length > 0) throw new NotSettled(writing.missing);
  return {
    outcomes: bulk.operations.map((operation, index) => {
      const outcome = operation.kind === 'refused' ? operation.refusal : writing.outcomes.get(index);
      if (outcome === undefined) throw new Error('An operation was not written');
      return outcome;
    }),
    records: writing.records,
    changed: [...writing.changed].map(([id, version]) => ({ id, version })),
  };
}

/** Locks every smartlink that the operations name, all at once and so in one order, and returns their rows as they are. */
async function lockRows(
  client: PoolClient,
  userId: string,
  { operations, seen }: PreparedBulk,
): Promise<Map<string, SmartlinkRow>> {
  const patches = operations.flatMap((each) => (each.kind === 'patch' ? [each.patch] : []));
  const deleted = operations.flatMap((each) => (each.kind === 'delete' ? [each.id] : []));
  const ids = [...new Set([...patches.map(({ id }) => id), ...deleted])];
  const locked = ids.length === 0 ? [] : await lockMany(client, ids, userId);
  const patched = new Set(patches.map(({ id }) => id));
  const moved = locked.filter(({ id, version }) => patched.has(id) && seen.get(id)?.version !== version);
  const movedIds = new Set(moved.map(({ id }) => id));
  // Somebody was quicker.
  const reread = await findPatched(
    client,
    userId,
    patches.filter(({ id }) => movedIds.has(id)),
  );
  return new Map(
    locked.map((row) => [
      row.id,
      { ...row, content: (reread.get(row.id) ?? seen.get(row.id))?.content ?? {} },
    ]),
  );
}

/** Returns neighbours of one kind together; no two patches of one smartlink. What is refused already is left out. */
function runsOf(operations: readonly Prepared[]): readonly Run[] {
  const runs: Run[] = [];
  let patched = new Set<string>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'refused') continue;
    const id = operation.kind === 'patch' ? operation.patch.id : null;
    const last = runs.at(-1);
    if (last?.kind === operation.kind && (id === null || !patched.has(id)))
      last.members.push({ index, operation });
    else {
      runs.push({ kind: operation.kind, members: [{ index, operation }] });
      patched = new Set();
    }
    if (id !== null) patched.add(id);
  }
  return runs;
}

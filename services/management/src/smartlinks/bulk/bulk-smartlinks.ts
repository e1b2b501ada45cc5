import type { PoolClient } from 'pg';
import { isObject } from '@smartlink/smartlink/is-object';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import { createSlices } from '../../event-loop-slices.js';
import type { Principal } from '../../accounts/accounts.js';
import type { TotalsReader } from '../../analytics/analytics.js';
import { ApiError } from '../../errors.js';
import { withTransaction } from '../../transaction.js';
import type { Answer } from '../answer.js';
import { answerOnce, findFirstAnswer, fingerprintOf } from '../idempotency.js';
import type { IdempotentRequest } from '../idempotency.js';
import type { Outbox } from '../outbox.js';
import { ATTEMPTS_MAX, changedTooOften } from '../slow-work.js';
import type { SlowWork } from '../slow-work.js';
import { bulkAnswer } from './bulk-answer.js';
import { readBulkRequest } from './bulk-request.js';
import type { BulkOperation, BulkRequest } from './bulk-request.js';
import { BULK_SLICE_MS, prepareOperations } from './prepare-operations.js';
import type { PrepareDeps } from './prepare-operations.js';
import { NotSettled, writeOperations } from './write-bulk.js';
import type { Written } from './write-bulk.js';

export type BulkDeps = PrepareDeps & {
  readonly outbox: Outbox;
  readonly totals: TotalsReader;
  readonly publicBaseUrl: string;
};

/**
 * Returns the use case of POST /smartlink/bulk: does many operations in one transaction, each as its single call would,
 * and publishes them before it answers. Rejects with ApiError when the call as a whole is refused, and with whatever a
 * database does; then nothing is written.
 */
export function createBulk(deps: BulkDeps) {
  return async (principal: Principal, body: unknown, idempotencyKey: string | null): Promise<Answer> => {
    const bulk = readBulkRequest(body);
    const request = idempotencyKey === null ? null : toIdempotent(principal, bulk, idempotencyKey);
    if (request !== null) {
      const first = await findFirstAnswer(deps.pg, deps.hasher, request);
      if (first !== null) return first;
    }
    if (!principal.plan.advancedAllowed) throw new ApiError('PLAN_RESTRICTED');

    const prepared = await prepareOperations(deps, principal, bulk);
    const totals = await deps.totals.read(principal.userId, [...prepared.seen.values()]);
    const fingerprint = request === null ? '' : await fingerprintOf(deps.hasher, request);
    const { publicBaseUrl, validator } = deps;
    let entries: readonly OutboxEntry[] = [];
    const write = async (client: PoolClient): Promise<Answer> => {
      entries = [];
      const written = await writeOperations({ client, validator }, principal, prepared);
      if (!bulk.dryRun) entries = await noteChanges(client, written);
      const slices = createSlices(BULK_SLICE_MS);
      return bulkAnswer(written.outcomes, { totals, publicBaseUrl, dryRun: bulk.dryRun, slices });
    };
    const answer = await settlingTheRest(prepared.slowWork, () => {
      if (bulk.dryRun) return withTransaction(deps.pg, (client) => undoing(client, () => write(client)));
      if (request === null) return withTransaction(deps.pg, write);
      return answerOnce(deps.pg, deps.hasher, { ...request, fingerprint }, write);
    });
    if (entries.length > 0) await deps.outbox.publish(entries);
    return answer;
  };
}

/**
 * Returns what `transact` returns. Settles what that turns out to need because somebody was quicker, outside of its
 * transaction, and does it again, five times at most; then it throws SERVICE_UNAVAILABLE.
 */
async function settlingTheRest<T>(slowWork: SlowWork, transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      return await transact();
    } catch (err) {
      if (!(err instanceof NotSettled)) throw err;
      if (attempt < ATTEMPTS_MAX) await slowWork.settle(err.wanted);
    }
  }
  throw changedTooOften();
}

/** A dry run leaves no trace, so it has no first answer either. */
function toIdempotent(
  { userId }: Principal,
  { dryRun, operations }: BulkRequest,
  key: string,
): IdempotentRequest | null {
  if (dryRun) return null;
  return { userId, key, document: { operations }, holdsPassword: operations.some(holdsPassword) };
}

function holdsPassword({ body }: BulkOperation): boolean {
  return isObject(body) && isObject(body['shortener']) && Object.hasOwn(body['shortener'], 'password');
}

async function noteChanges(
  client: PoolClient,
  { records, changed }: Written,
): Promise<readonly OutboxEntry[]> {
  if (records.length === 0) return [];
  await recordChanges(client, records);
  return addToOutbox(client, changed);
}

async function undoing<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint dry_run');
  const result = await work();
  await client.query('rollback to savepoint dry_run');
  return result;
}

import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import { sharingFaults } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import { addToOutbox, type OutboxEntry, recordChanges } from '@smartlink/smartlink/store';
import { type Access, requireAccess } from '../../accounts/access.js';
import { type Principal, principalOf } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';
import { createSlices } from '../../time-slices.js';
import type { SmartlinkContext } from '../context.js';
import { ATTEMPTS_MAX, changedTooOften } from '../documents/change-smartlink.js';
import {
  type Answer,
  idempotent,
  type KeyedRequest,
  readKeyedRequest,
  sendAnswer,
} from '../documents/idempotency.js';
import { bulkAnswer, bulkOperation } from './operation.js';
import {
  BULK_SLICE_MS,
  type BulkOperation,
  type BulkRequest,
  findIgnoredInBulk,
  prepareOperations,
  readBulkRequest,
} from './prepare-operations.js';
import type { SlowWork } from './slow-work.js';
import { SlowWorkMissing, writeOperations, type Written } from './write-operations.js';

const create: Access = { scope: 'links:create', role: 'Editor' };
const write: Access = { scope: 'links:write', role: 'Editor' };

/** POST /smartlink/bulk. */
export function bulkRoute(app: FastifyInstance, context: SmartlinkContext): void {
  const operation = () => bulkOperation(context.reference);

  app.post('/smartlink/bulk', { config: { operation, access: create } }, async (request, reply) => {
    const keyed = readKeyedRequest(request, findIgnoredInBulk(context, request.body));
    return sendAnswer(reply, await bulkSmartlinks(context, principalOf(request), keyed));
  });
}

/**
 * Runs many operations in one transaction, each like its single call, and publishes them before the answer. Rejects
 * with ApiError if the whole call is refused, or with a database failure; then nothing is written.
 */
async function bulkSmartlinks(
  context: SmartlinkContext,
  principal: Principal,
  { body, ignored, key }: KeyedRequest,
): Promise<Answer> {
  const { outbox, publicBaseUrl, urlSafety, formatGate } = context;
  const validator = sharingFaults(context.validator);
  const bulk = readBulkRequest(body);
  const { dryRun } = bulk;
  if (bulk.operations.some(({ kind }) => kind !== 'create')) requireAccess(principal, write);
  // A dry run leaves no trace, so it has no first answer either.
  const once = idempotent(
    context,
    key === null || dryRun ? null : { ...toIdempotent(principal, bulk, key), ignored },
  );
  const first = await once.findFirstAnswer();
  if (first !== null) return first;
  if (!principal.plan.advancedAllowed) throw new ApiError('PLAN_RESTRICTED');

  const prepared = await prepareOperations({ ...context, validator }, principal, bulk);
  const totals = await context.totals.read(principal.userId, [...prepared.seen.values()]);
  let entries: readonly OutboxEntry[] = [];
  const store = async (client: PoolClient): Promise<Answer> => {
    entries = [];
    const written = await writeOperations({ client, validator, urlSafety, formatGate }, principal, prepared);
    if (!dryRun) entries = await recordAndQueue(client, written);
    const slices = createSlices(BULK_SLICE_MS);
    return bulkAnswer(written.outcomes, { totals, publicBaseUrl, dryRun, ignored, slices });
  };
  const answer = await withMissingSlowWork(prepared.slowWork, () =>
    once.answer(dryRun ? (client) => rollBack(client, () => store(client)) : store),
  );
  if (entries.length > 0) await outbox.publish(entries);
  return answer;
}

/**
 * Retries `transact` up to five times while it throws SlowWorkMissing because smartlinks have changed; the missing work
 * is done between the transactions. Then throws SERVICE_UNAVAILABLE.
 */
async function withMissingSlowWork<T>(slowWork: SlowWork, transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      return await transact();
    } catch (err) {
      if (!(err instanceof SlowWorkMissing)) throw err;
      if (attempt < ATTEMPTS_MAX) await slowWork.run(err.operations);
    }
  }
  throw changedTooOften();
}

function toIdempotent({ userId }: Principal, { operations }: BulkRequest, key: string) {
  return { userId, key, document: { operations }, holdsPassword: operations.some(holdsPassword) };
}

function holdsPassword({ body }: BulkOperation): boolean {
  return isObject(body) && isObject(body['shortener']) && Object.hasOwn(body['shortener'], 'password');
}

async function recordAndQueue(
  client: PoolClient,
  { records, changed }: Written,
): Promise<readonly OutboxEntry[]> {
  if (records.length === 0) return [];
  await recordChanges(client, records);
  return addToOutbox(client, changed);
}

async function rollBack<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint dry_run');
  const result = await work();
  await client.query('rollback to savepoint dry_run');
  return result;
}

import type { PoolClient } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/document';
import {
  type ChangeRecord,
  lockMetadata,
  lockQuota,
  markDeleted,
  setStatuses,
  type SmartlinkRow,
  type StatusChange,
  statusAction,
} from '@smartlink/smartlink/store';
import type { Principal } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';
import { cannotBeChecked, type UrlSafety } from '../../url-safety/url-safety.js';
import { storeDocuments } from '../documents/create-smartlink.js';
import { metadataLocksOf, patchedRow, planPatch, toPatchWrite } from '../documents/patches.js';
import { lockMany } from '../documents/queries.js';
import { mayBeActivated } from '../documents/set-status.js';
import { matches } from '../documents/smartlink-view.js';
import { type RowPatch, writePatches } from '../documents/write-patches.js';
import { type FormatGate, refusalByFormat } from '../publishing/format-gate.js';
import {
  findPatched,
  inputsOfActivation,
  inputsOfPatch,
  isActivation,
  patchOf,
  type PatchPlan,
  type Prepared,
  type PreparedBulk,
  type PreparedPatch,
  type PreparedStatus,
  refusalOr,
} from './prepare-operations.js';
import { missingResults, type SlowInputs, type SlowWork } from './slow-work.js';

export type Written = {
  /** One for each operation, in their order. */
  readonly outcomes: readonly Outcome[];
  /** For the audit log and webhooks, in order. */
  readonly records: readonly ChangeRecord[];
  /** To be published, each smartlink once. */
  readonly changed: readonly { readonly id: string; readonly version: string }[];
};

/** Operations were written with placeholders for missing slow work: the transaction must not be committed. */
export class SlowWorkMissing extends Error {
  readonly operations: readonly SlowInputs[];

  constructor(operations: readonly SlowInputs[]) {
    super('Slow work of a bulk call is missing');
    this.name = 'SlowWorkMissing';
    this.operations = operations;
  }
}

/**
 * Writes operations in the transaction of `client`, each as if those before it had been earlier calls. Neighbours of one
 * kind are written together. Throws SlowWorkMissing with everything that is missing.
 */
export async function writeOperations(
  {
    client,
    validator,
    urlSafety,
    formatGate,
  }: Pick<Writing, 'client' | 'validator' | 'urlSafety' | 'formatGate'>,
  principal: Principal,
  bulk: PreparedBulk,
): Promise<Written> {
  const { userId } = principal;
  const isAnyCreate = bulk.operations.some(({ kind }) => kind === 'create');
  // Every transaction that locks both locks the user before the smartlinks.
  const room = isAnyCreate ? await lockQuota(client, userId) : null;
  await lockMetadataOf(client, userId, bulk.operations);
  const writing: Writing = {
    client,
    validator,
    urlSafety,
    formatGate,
    principal,
    slowWork: bulk.slowWork,
    missing: [],
    room,
    rows: await lockRows(client, userId, bulk),
    versionsAfter: new Map(),
    outcomes: new Map(),
    records: [],
    changed: new Map(),
  };
  for (const run of runsOf(bulk.operations)) await writeRun(writing, run);
  if (writing.missing.length > 0) throw new SlowWorkMissing(writing.missing);
  return {
    outcomes: bulk.operations.map((operation, index) => {
      const outcome = operation.kind === 'refused' ? operation.refusal : writing.outcomes.get(index);
      if (outcome === undefined) throw new Error('BUG: an operation was not written');
      return outcome;
    }),
    records: writing.records,
    changed: [...writing.changed].map(([id, version]) => ({ id, version })),
  };
}

/** Locks the account and the folders whose metadata the operations write, before any smartlink. */
async function lockMetadataOf(
  client: PoolClient,
  userId: string,
  operations: readonly Prepared[],
): Promise<void> {
  const locks = operations.flatMap((operation) => {
    if (operation.kind === 'patch') return [metadataLocksOf(operation.patch)];
    if (operation.kind !== 'create') return [];
    const { tags, externalId, folderId } = operation.document.parts.metadata;
    return [{ locksAccount: tags.length > 0 || externalId !== null, folderId }];
  });
  await lockMetadata(client, userId, {
    locksAccount: locks.some(({ locksAccount }) => locksAccount),
    folderIds: locks.map(({ folderId }) => folderId),
  });
}

/** Locks every smartlink of the operations in one statement, and so in one order. */
async function lockRows(
  client: PoolClient,
  userId: string,
  { operations, seen }: PreparedBulk,
): Promise<Map<string, SmartlinkRow>> {
  const patches = operations.flatMap(patchOf);
  const deleted = operations.flatMap((each) => (each.kind === 'delete' ? [each.id] : []));
  const ids = [...new Set([...patches.map(({ id }) => id), ...deleted])];
  const locked = ids.length === 0 ? [] : await lockMany(client, ids, userId);
  const patched = new Set(patches.map(({ id }) => id));
  const moved = locked.filter(({ id, version }) => patched.has(id) && seen.get(id)?.version !== version);
  const movedIds = new Set(moved.map(({ id }) => id));
  const toReread = patches.filter(({ id }) => movedIds.has(id));
  const reread = await findPatched(client, userId, toReread);
  const contentOf = (id: string) => (reread.get(id) ?? seen.get(id))?.content ?? {};
  return new Map(locked.map((row) => [row.id, { ...row, content: contentOf(row.id) }]));
}

/**
 * Neighbours of one kind, without two patches or two states of one smartlink, two patches of an external id, or two creates
 * with the same. Operations already refused are left out.
 */
function runsOf(operations: readonly Prepared[]): readonly Run[] {
  const runs: Run[] = [];
  let written = new Set<string>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'refused') continue;
    const unique = uniqueIn(operation);
    const last = runs.at(-1);
    if (last?.kind === operation.kind && !unique.some((each) => written.has(each)))
      last.members.push({ index, operation });
    else {
      runs.push({ kind: operation.kind, members: [{ index, operation }] });
      written = new Set();
    }
    for (const each of unique) written.add(each);
  }
  return runs;
}

/** What only one operation of a run may write. A patch may give up an external id that the next one takes. */
function uniqueIn(operation: Prepared): readonly string[] {
  if (operation.kind === 'patch') {
    const { patch } = operation;
    return [`id ${patch.id}`, ...(Object.hasOwn(patch, 'externalId') ? ['externalId'] : [])];
  }
  if (operation.kind === 'status') return [operation.id];
  const externalId = operation.kind === 'create' ? operation.document.parts.metadata.externalId : null;
  return externalId === null ? [] : [`externalId ${externalId}`];
}

export type Outcome =
  | {
      readonly kind: 'created' | 'updated' | 'unchanged' | 'activated' | 'paused';
      readonly row: SmartlinkRow;
    }
  | { readonly kind: 'deleted' }
  | ApiError;

/** The state of a call while it is written. */
type Writing = {
  readonly client: PoolClient;
  readonly validator: SmartlinkValidator;
  readonly urlSafety: UrlSafety;
  readonly formatGate: FormatGate;
  readonly principal: Principal;
  readonly slowWork: SlowWork;
  /** Collected to the end, so that one retry is enough however many operations follow a row that has changed. */
  readonly missing: SlowInputs[];
  /** How many more smartlinks the plan has room for; null: unlimited. */
  room: number | null;
  /** The locked rows after the operations so far; those only deleted are without content. */
  readonly rows: Map<string, SmartlinkRow>;
  /** The version of the row after a plan was written. */
  readonly versionsAfter: Map<PatchPlan, string>;
  readonly outcomes: Map<number, Outcome>;
  readonly records: ChangeRecord[];
  readonly changed: Map<string, string>;
};

/** An operation and its place in the call. */
type Member<Operation = Prepared> = { readonly index: number; readonly operation: Operation };

/** Operations of one kind that are written together. */
type Run = { readonly kind: Prepared['kind']; readonly members: Member[] };

/** In a few statements, however long the run is. */
async function writeRun(writing: Writing, { kind, members }: Run): Promise<void> {
  if (kind === 'create') await writeCreates(writing, ofKind(members, 'create'));
  if (kind === 'patch') await writePatchRun(writing, ofKind(members, 'patch'));
  if (kind === 'status') await writeStatuses(writing, ofKind(members, 'status'));
  if (kind === 'delete') await writeDeletions(writing, ofKind(members, 'delete'));
}

type OfKind<Kind extends Prepared['kind']> = Extract<Prepared, { kind: Kind }>;

function ofKind<Kind extends Prepared['kind']>(members: readonly Member[], kind: Kind) {
  const isOfKind = (member: Member): member is Member<OfKind<Kind>> => member.operation.kind === kind;
  return members.filter(isOfKind);
}

async function writeCreates(writing: Writing, members: readonly Member<OfKind<'create'>>[]): Promise<void> {
  const { client, principal, outcomes } = writing;
  const documents = members.map(({ operation }) => operation.document);
  const stored = await storeDocuments(client, principal, documents, writing.room);
  for (const [i, { index }] of members.entries()) {
    const row = stored[i];
    if (row === undefined) throw new Error('BUG: a document was not stored');
    if (row instanceof ApiError) outcomes.set(index, row);
    else {
      outcomes.set(index, { kind: 'created', row });
      recordChange(writing, row, { action: 'smartlink.create' });
      if (writing.room !== null) writing.room -= 1;
    }
  }
}

async function writePatchRun(writing: Writing, members: readonly Member<PreparedPatch>[]): Promise<void> {
  const { client, principal, outcomes, rows, versionsAfter } = writing;
  const ready: (ReadyPatch & Member<PreparedPatch>)[] = [];
  for (const member of members) {
    const toWrite = toPatch(writing, member);
    if (toWrite instanceof ApiError) outcomes.set(member.index, toWrite);
    else ready.push({ ...member, ...toWrite });
  }
  const written = ready.length === 0 ? [] : await writePatches(client, principal.userId, ready);
  for (const [i, { index, plan, row: before, wanted }] of ready.entries()) {
    const outcome = written[i];
    if (outcome === undefined) throw new Error('BUG: a patch was not written');
    if (outcome instanceof ApiError) {
      outcomes.set(index, outcome);
      continue;
    }
    const { row, changed } = outcome;
    outcomes.set(index, { kind: changed.length === 0 ? 'unchanged' : 'updated', row });
    if (plan !== null) versionsAfter.set(plan, row.version);
    if (changed.length === 0) continue;
    // The returned row has the content of its present type only.
    rows.set(row.id, { ...row, content: patchedRow(before, wanted).content });
    recordChange(writing, row, { action: 'smartlink.update', changed });
  }
}

/** `plan` is null if the patch had to be planned again; then plans based on the old one are void. */
type ReadyPatch = RowPatch & { readonly plan: PatchPlan | null };

/** Checks in the order of a single call. */
function toPatch(writing: Writing, { operation }: Member<PreparedPatch>): ReadyPatch | ApiError {
  const { patch, ifMatch } = operation;
  const row = writing.rows.get(patch.id);
  if (row === undefined) return new ApiError('NOT_FOUND');
  if (!matches(row, ifMatch)) return new ApiError('PRECONDITION_FAILED');
  const plan = operation.plan !== null && isMadeFor(writing, operation.plan, row) ? operation.plan : null;
  const planned = plan?.planned ?? refusalOr(() => planPatch(writing.validator, row, patch));
  if (planned instanceof ApiError) return planned;
  const formatRefusal = refusalByFormat(writing.formatGate, row, planned.parts);
  if (formatRefusal !== null) return formatRefusal;
  const inputs = inputsOfPatch(planned);
  const results = writing.slowWork.resultsOf(inputs);
  if (results === null) writing.missing.push(inputs);
  else if (results.refusal !== null) return results.refusal;
  return { plan, row, wanted: toPatchWrite(row, patch, planned, results ?? missingResults(inputs)) };
}

function isMadeFor({ versionsAfter }: Writing, { base }: PatchPlan, row: SmartlinkRow): boolean {
  return row.version === (typeof base === 'string' ? base : versionsAfter.get(base));
}

async function writeStatuses(writing: Writing, members: readonly Member<PreparedStatus>[]): Promise<void> {
  const { client, outcomes, rows } = writing;
  const changes: StatusChange[] = [];
  for (const { index, operation } of members) {
    const row = rows.get(operation.id);
    const checked = row === undefined ? new ApiError('NOT_FOUND') : checkActivation(writing, operation, row);
    if (checked instanceof ApiError) outcomes.set(index, checked);
    else if (row?.status !== operation.status) changes.push({ ...operation, ...checked });
  }
  const changed = changes.length === 0 ? null : await setStatuses(client, changes);
  for (const { index, operation } of members) {
    const before = rows.get(operation.id);
    if (before === undefined || outcomes.has(index)) continue;
    const after = changed?.get(operation.id);
    if (after !== undefined) {
      rows.set(after.id, { ...after, content: before.content });
      recordChange(writing, after, { action: statusAction(operation.status) });
    }
    outcomes.set(index, {
      kind: operation.status === 'Active' ? 'activated' : 'paused',
      row: after ?? before,
    });
  }
}

/** Checks the URLs of a smartlink that is activated, as a single call does. */
function checkActivation(
  { slowWork, urlSafety, missing }: Writing,
  operation: PreparedStatus,
  row: SmartlinkRow,
): { readonly urlsChecked: boolean } | ApiError {
  if (!isActivation(operation, row)) return { urlsChecked: false };
  const inputs = inputsOfActivation(row);
  const results = slowWork.resultsOf(inputs);
  if (results === null) missing.push(inputs);
  else if (results.refusal !== null) return results.refusal;
  const { urlsChecked } = results ?? missingResults(inputs);
  return mayBeActivated(urlSafety, row, urlsChecked) ? { urlsChecked } : cannotBeChecked();
}

async function writeDeletions(writing: Writing, members: readonly Member<OfKind<'delete'>>[]): Promise<void> {
  const { client, outcomes, rows } = writing;
  const deleted: SmartlinkRow[] = [];
  for (const { index, operation } of members) {
    const row = rows.get(operation.id);
    // A later operation finds it deleted.
    rows.delete(operation.id);
    outcomes.set(index, row === undefined ? new ApiError('NOT_FOUND') : { kind: 'deleted' });
    if (row !== undefined) deleted.push(row);
  }
  if (deleted.length === 0) return;
  const ids = deleted.map(({ id }) => id);
  const versions = await markDeleted(client, ids);
  for (const row of deleted) {
    const version = versions.get(row.id) ?? row.version;
    recordChange(writing, { ...row, status: 'Deleted', version }, { action: 'smartlink.delete' });
  }
  if (writing.room !== null) writing.room += deleted.length;
}

function recordChange(
  { principal, records, changed }: Writing,
  smartlink: SmartlinkRow,
  what: Pick<ChangeRecord, 'action' | 'changed'>,
): void {
  records.push({ actor: principal.actor, smartlink, ...what });
  changed.set(smartlink.id, smartlink.version);
}

import type { Pool } from 'pg';
import type { Queryable } from '@smartlink/process/database';
import type { Fault, SmartlinkValidator } from '@smartlink/smartlink/document';
import { isObject } from '@smartlink/smartlink/model';
import {
  type DocumentParts,
  remainingQuota,
  type SmartlinkRow,
  toParts,
  urlsOf,
  urlsOfRow,
} from '@smartlink/smartlink/store';
import type { Principal } from '../../accounts/accounts.js';
import { findUtmTemplates, type UtmTemplates } from '../../collections/utm-templates.js';
import { ApiError, fault, faults } from '../../errors.js';
import { findIgnored, IGNORED_MAX, type KnownMembers, knownMembers } from '../../ignored-input.js';
import { checkBody, isSmartlinkId } from '../../requests.js';
import { createSlices, type Slices } from '../../time-slices.js';
import type { SmartlinkContext } from '../context.js';
import { checkDocument, type DocumentToStore } from '../documents/create-smartlink.js';
import {
  type Patch,
  patchBodySchema,
  patchedRow,
  type PlannedPatch,
  planPatch,
  toPatchWrite,
} from '../documents/patches.js';
import { findManyChangeable, type ListedRow } from '../documents/queries.js';
import { deleteBodySchema, type StatusBody, statusBodySchema } from '../documents/set-status.js';
import { isAnyVersion, matches } from '../documents/smartlink-view.js';
import { type FormatGate, refusalByFormat } from '../publishing/format-gate.js';
import { createSlowWork, missingResults, type SlowInputs, type SlowWork } from './slow-work.js';

export const OPERATIONS_MAX = 100;

const KINDS = ['create', 'patch', 'status', 'delete'] as const;

/** The body is that of the single call, unchecked. */
export type BulkOperation = {
  readonly kind: (typeof KINDS)[number];
  readonly body: unknown;
  /** If-Match of a patch. */
  readonly ifMatch?: string;
};

export type BulkRequest = { readonly dryRun: boolean; readonly operations: readonly BulkOperation[] };

/** Throws VALIDATION_FAILED with every fault of the form; the bodies of operations are not checked. */
export function readBulkRequest(body: unknown): BulkRequest {
  if (!isObject(body)) throw fault('', 'Must be an object');
  const { dryRun = false, operations } = body;
  const found: Fault[] = [];
  if (typeof dryRun !== 'boolean') found.push({ path: 'dryRun', message: 'Must be true or false' });
  const problem = problemOf(operations);
  if (problem !== null) found.push({ path: 'operations', message: problem });
  const read = problem === null ? (operations as unknown[]).map((each, i) => readForm(each, i, found)) : [];
  if (found.length > 0) throw faults(found);
  return { dryRun: dryRun === true, operations: read.filter((each) => each !== null) };
}

/** The members of a bulk call that nothing reads, at most 20 paths. */
export function findIgnoredInBulk(
  { createMembers, patchMembers }: SmartlinkContext,
  body: unknown,
): readonly string[] {
  const found = findIgnored(BULK_MEMBERS, body);
  const operations =
    isObject(body) && Array.isArray(body['operations']) ? (body['operations'] as unknown[]) : [];
  for (let i = 0; i < operations.length && found.length < IGNORED_MAX; i += 1) {
    const operation = operations[i];
    const isPatch = isObject(operation) && Object.hasOwn(operation, 'patch');
    const members: KnownMembers = new Map<string, KnownMembers | null>([
      ['create', createMembers],
      ['patch', patchMembers],
      ['status', STATUS_MEMBERS],
      ['delete', DELETE_MEMBERS],
      // It is the condition of a patch, and ignored beside others.
      ...(isPatch ? [['ifMatch', null] as const] : []),
    ]);
    found.push(...findIgnored(members, operation, ['operations', i]));
  }
  return found;
}

const BULK_MEMBERS: KnownMembers = new Map([
  ['dryRun', null],
  ['operations', null],
]);
const STATUS_MEMBERS = knownMembers(statusBodySchema);
const DELETE_MEMBERS = knownMembers(deleteBodySchema);

function problemOf(operations: unknown): string | null {
  if (operations === undefined) return 'Required';
  if (!Array.isArray(operations)) return 'Must be an array';
  if (operations.length === 0) return 'Must have at least 1 element';
  return operations.length > OPERATIONS_MAX ? `Must have at most ${OPERATIONS_MAX} elements` : null;
}

/** null if it has a fault, which is added to `found`. */
function readForm(operation: unknown, index: number, found: Fault[]): BulkOperation | null {
  const path = `operations.${index}`;
  if (!isObject(operation)) {
    found.push({ path, message: 'Must be an object' });
    return null;
  }
  const [kind, ...others] = KINDS.filter((each) => Object.hasOwn(operation, each));
  if (kind === undefined || others.length > 0) {
    found.push({ path, message: `Must have exactly one of ${KINDS.join(', ')}` });
    return null;
  }
  const { [kind]: body, ifMatch } = operation;
  if (kind !== 'patch' || ifMatch === undefined) return { kind, body };
  if (typeof ifMatch === 'string') return { kind, body, ifMatch };
  found.push({ path: `${path}.ifMatch`, message: 'Must be a string' });
  return null;
}

// Longer than most operations take, and much shorter than a single body of a MiB may block the event loop.
export const BULK_SLICE_MS = 10;

/** An operation that is ready to be written. */
export type Prepared =
  | { readonly kind: 'create'; readonly document: DocumentToStore }
  | PreparedPatch
  | PreparedStatus
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: ApiError };

export type PreparedPatch = {
  readonly kind: 'patch';
  readonly patch: Patch;
  readonly ifMatch: string | undefined;
  /** null: it is planned when it is written. */
  readonly plan: PatchPlan | null;
};

export type PreparedStatus = StatusBody & { readonly kind: 'status' };

export type PreparedBulk = {
  readonly operations: readonly Prepared[];
  readonly seen: SeenRows;
  readonly slowWork: SlowWork;
};

// A dry run is rolled back.
const noHash = () => Promise.resolve('of a dry run');

/**
 * Does everything slow before anything is locked: checks bodies, plans patches, asks the safety provider in one call,
 * hashes passwords.
 */
export async function prepareOperations(
  { pg, validator, urlSafety, hasher, formatGate }: SmartlinkContext,
  principal: Principal,
  { operations, dryRun }: BulkRequest,
): Promise<PreparedBulk> {
  const slices = createSlices(BULK_SLICE_MS);
  const templates = await findUtmTemplates(
    pg,
    principal.userId,
    operations.flatMap(({ kind, body }) => (kind === 'create' ? [body] : [])),
  );
  const checked = await readOperations({ validator, formatGate, templates }, operations, slices);
  const read = await refuseWithoutRoom(pg, principal, checked);
  const seen = await findPatched(pg, principal.userId, read.flatMap(patchOf));
  const plans = await planPatches(validator, read, seen, slices);
  const slowWork = createSlowWork({ urlSafety, hash: dryRun ? noHash : hasher.hashOfMany });
  await slowWork.run(
    read.flatMap((operation, index) => {
      if (operation.kind !== 'status') return inputsOf(operation, plans.get(index)) ?? [];
      const row = seen.get(operation.id);
      return row !== undefined && isActivation(operation, row) ? [inputsOfActivation(row)] : [];
    }),
  );
  const prepared = read.map((operation, index) => toPrepared(operation, plans.get(index) ?? null, slowWork));
  return { operations: prepared, seen, slowWork };
}

/** The patch of an operation that needs the content of its smartlink; a change of status patches nothing. */
export function patchOf(operation: ReadOperation | Prepared): readonly Patch[] {
  if (operation.kind === 'patch') return [operation.patch];
  return operation.kind === 'status' ? [{ id: operation.id }] : [];
}

export const isActivation = ({ status }: PreparedStatus, row: SmartlinkRow): boolean =>
  status === 'Active' && row.status === 'Paused';

/** Refuses creates early if the plan is full, so that no slow work is done for them. The transaction decides on the rest. */
async function refuseWithoutRoom(
  pg: Pool,
  { userId, plan: { smartlinksMax } }: Principal,
  read: readonly ReadOperation[],
): Promise<readonly ReadOperation[]> {
  const isAnyKind = (kind: ReadOperation['kind']) => read.some((each) => each.kind === kind);
  if (smartlinksMax === null || !isAnyKind('create') || isAnyKind('delete')) return read;
  if ((await remainingQuota(pg, userId, smartlinksMax)) > 0) return read;
  const refused = { kind: 'refused', refusal: new ApiError('SUBSCRIPTION_LIMIT_REACHED') } as const;
  return read.map((each) => (each.kind === 'create' ? refused : each));
}

function inputsOf(operation: ReadOperation, plan: PatchPlan | undefined): SlowInputs | null {
  if (operation.kind === 'create') return inputsOfCreate(operation.parts);
  return plan === undefined || plan.planned instanceof ApiError ? null : inputsOfPatch(plan.planned);
}

function inputsOfCreate(parts: DocumentParts): SlowInputs {
  return { urls: urlsOf(parts), password: parts.password };
}

export function inputsOfPatch({ newUrls, parts }: PlannedPatch): SlowInputs {
  return { urls: newUrls, password: parts.password };
}

export function inputsOfActivation(row: SmartlinkRow): SlowInputs {
  return { urls: urlsOfRow(row), password: undefined };
}

function toPrepared(operation: ReadOperation, plan: PatchPlan | null, slowWork: SlowWork): Prepared {
  if (operation.kind === 'patch') return { ...operation, plan };
  if (operation.kind !== 'create') return operation;
  const { parts } = operation;
  const results = slowWork.resultsOf(inputsOfCreate(parts));
  if (results === null) throw new Error('BUG: slow work of a create did not run');
  const { passwordHash = null, urlsChecked, refusal } = results;
  return { kind: 'create', document: { parts, passwordHash, urlsChecked, refusal } };
}

/** An operation whose body has been checked, or its refusal. */
type ReadOperation =
  | { readonly kind: 'create'; readonly parts: DocumentParts }
  | { readonly kind: 'patch'; readonly patch: Patch; readonly ifMatch: string | undefined }
  | PreparedStatus
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: ApiError };

/** Checks what needs no database. */
async function readOperations(
  rules: Rules,
  operations: readonly BulkOperation[],
  slices: Slices,
): Promise<readonly ReadOperation[]> {
  const read: ReadOperation[] = [];
  for (const operation of operations) {
    read.push(readOperation(rules, operation));
    await slices.nextIfOver();
  }
  return read;
}

type Rules = {
  readonly validator: SmartlinkValidator;
  readonly formatGate: FormatGate;
  readonly templates: UtmTemplates;
};

function readOperation({ validator, formatGate, templates }: Rules, operation: BulkOperation): ReadOperation {
  try {
    if (operation.kind === 'create') {
      const parts = toParts(checkDocument(validator, operation.body, templates));
      const refusal = refusalByFormat(formatGate, null, parts);
      return refusal === null ? { kind: 'create', parts } : { kind: 'refused', refusal };
    }
    if (operation.kind === 'patch') {
      const patch = checkBody(patchBodySchema, operation.body);
      return isSmartlinkId(patch.id) ? { kind: 'patch', patch, ifMatch: operation.ifMatch } : notFound();
    }
    if (operation.kind === 'status') {
      const change = checkBody(statusBodySchema, operation.body);
      return isSmartlinkId(change.id) ? { kind: 'status', ...change } : notFound();
    }
    const { smartlinkId } = checkBody(deleteBodySchema, operation.body);
    return isSmartlinkId(smartlinkId) ? { kind: 'delete', id: smartlinkId } : notFound();
  } catch (err) {
    if (err instanceof ApiError) return { kind: 'refused', refusal: err };
    throw err;
  }
}

function notFound(): ReadOperation {
  return { kind: 'refused', refusal: new ApiError('NOT_FOUND') };
}

// A smartlink holds up to 6 MiB: a MiB or two of each type it has had. A hundred of them, merged, checked and sent, would
// be a GiB.
const PATCHED_BYTES_MAX = 8 * 1024 * 1024;

/** Rows before anything was locked, by id. */
type SeenRows = ReadonlyMap<string, ListedRow>;

/** The smartlinks of `patches`. Throws PAYLOAD_TOO_LARGE if the results of all patches together could exceed 8 MiB. */
export async function findPatched(
  db: Queryable,
  userId: string,
  patches: readonly Patch[],
): Promise<SeenRows> {
  if (patches.length === 0) return new Map();
  // Additions of a patch are also in the result of each later patch of the same smartlink.
  const addedChars = new Map<string, number>();
  let carriedChars = 0;
  for (const patch of patches) {
    const added = (addedChars.get(patch.id) ?? 0) + JSON.stringify(patch).length;
    addedChars.set(patch.id, added);
    carriedChars += added;
  }
  const ids = patches.map(({ id }) => id);
  const contentBytesMax = PATCHED_BYTES_MAX - carriedChars;
  const rows = await findManyChangeable(db, ids, { userId, contentBytesMax });
  if (rows === null)
    throw new ApiError('PAYLOAD_TOO_LARGE', { message: 'The patched smartlinks are too large for one call' });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A patch planned on a certain row, or its refusal. */
export type PatchPlan = {
  /** The row: its version when it was read, or the earlier plan whose result it is. */
  readonly base: string | PatchPlan;
  readonly planned: PlannedPatch | ApiError;
};

/**
 * Plans of patches by the index of their operation, each on the result of those before it. Some are missing, and some
 * turn out to be based on a row that never existed: those patches are planned again when they are written.
 */
async function planPatches(
  validator: SmartlinkValidator,
  operations: readonly ReadOperation[],
  seen: SeenRows,
  slices: Slices,
): Promise<ReadonlyMap<number, PatchPlan>> {
  const plans = new Map<number, PatchPlan>();
  const current = new Map<string, Planned>([...seen].map(([id, row]) => [id, { row, base: row.version }]));
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'delete') current.delete(operation.id);
    if (operation.kind !== 'patch') continue;
    const before = current.get(operation.patch.id);
    const match = before === undefined ? 'no' : matchOf(before, operation.ifMatch);
    if (before === undefined || match === 'no') continue;
    const plan: PatchPlan = {
      base: before.base,
      planned: refusalOr(() => planPatch(validator, before.row, operation.patch)),
    };
    plans.set(index, plan);
    if (!(plan.planned instanceof ApiError) && match === 'yes') {
      const results = missingResults(inputsOfPatch(plan.planned));
      const row = patchedRow(before.row, toPatchWrite(before.row, operation.patch, plan.planned, results));
      current.set(operation.patch.id, { row, base: plan });
    }
    await slices.nextIfOver();
  }
  return plans;
}

/** A row as expected after the plans so far. */
type Planned = { readonly row: SmartlinkRow; readonly base: PatchPlan['base'] };

/**
 * Whether If-Match holds. The version of a planned row is not known yet, so a patch that names versions is planned, but
 * later plans are not based on it: most likely it is refused.
 */
function matchOf({ row, base }: Planned, ifMatch: string | undefined): 'yes' | 'no' | 'maybe' {
  if (typeof base !== 'string' && ifMatch !== undefined && !isAnyVersion(ifMatch)) return 'maybe';
  return matches(row, ifMatch) ? 'yes' : 'no';
}

export function refusalOr<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (err) {
    if (err instanceof ApiError) return err;
    throw err;
  }
}

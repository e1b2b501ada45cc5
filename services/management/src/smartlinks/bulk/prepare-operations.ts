import type { Pool } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { urlsOf } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { findRoom } from '@smartlink/smartlink-store/plan-limit';
import { createSlices } from '../../event-loop-slices.js';
import type { Principal } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';
import type { UrlSafety } from '../../url-safety/url-safety.js';
import type { PasswordHasher } from '../password-hasher.js';
import { toSettleOf } from '../plan-patch.js';
import type { Patch } from '../plan-patch.js';
import { createSlowWork } from '../slow-work.js';
import type { SlowWork, ToSettle } from '../slow-work.js';
import type { DocumentToStore } from '../store-documents.js';
import type { BulkRequest } from './bulk-request.js';
import { findPatched } from './find-patched.js';
import type { SeenRows } from './find-patched.js';
import { planPatches } from './plan-patches.js';
import type { PatchPlan } from './plan-patches.js';
import { readOperations } from './read-operations.js';
import type { ReadOperation } from './read-operations.js';

// Longer than most operations take, and short beside what a single body of a mebibyte may block.
export const BULK_SLICE_MS = 10;

export type PrepareDeps = {
  readonly pg: Pool;
  readonly validator: SmartlinkValidator;
  readonly hasher: PasswordHasher;
  readonly urlSafety: UrlSafety;
};

/** An operation that is ready to be written. */
export type Prepared =
  | { readonly kind: 'create'; readonly document: DocumentToStore }
  | PreparedPatch
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: ApiError };

export type PreparedPatch = {
  readonly kind: 'patch';
  readonly patch: Patch;
  readonly ifMatch: string | undefined;
  /** null: it has to be made on the row as it is then. */
  readonly plan: PatchPlan | null;
};

export type PreparedBulk = {
  readonly operations: readonly Prepared[];
  readonly seen: SeenRows;
  readonly slowWork: SlowWork;
};

// What a dry run writes is rolled back.
const noHash = () => Promise.resolve('of a dry run');

/**
 * Returns operations with all done that may take its time, before anything is locked: bodies checked, patches planned,
 * the safety provider asked in one call, passwords hashed.
 */
export async function prepareOperations(
  deps: PrepareDeps,
  principal: Principal,
  { operations, dryRun }: BulkRequest,
): Promise<PreparedBulk> {
  const slices = createSlices(BULK_SLICE_MS);
  const checked = await readOperations(deps.validator, operations, slices);
  const read = await refuseWithoutRoom(deps.pg, principal, checked);
  const patches = read.flatMap((each) => (each.kind === 'patch' ? [each.patch] : []));
  const seen = await findPatched(deps.pg, principal.userId, patches);
  const plans = await planPatches(deps.validator, read, seen, slices);
  const { urlSafety, hasher } = deps;
  const slowWork = createSlowWork({ urlSafety, hash: dryRun ? noHash : hasher.hashOfMany });
  await slowWork.settle(read.flatMap((operation, index) => toSettle(operation, plans.get(index)) ?? []));
  const operationsToWrite = read.map((operation, index) =>
    toPrepared(operation, plans.get(index) ?? null, slowWork),
  );
  return { operations: operationsToWrite, seen, slowWork };
}

/** Refuses creates that the plan cannot have room for, so that nobody is asked for them. The transaction decides on the rest. */
async function refuseWithoutRoom(
  pg: Pool,
  { userId, plan: { smartlinksMax } }: Principal,
  read: readonly ReadOperation[],
): Promise<readonly ReadOperation[]> {
  const isAnyKind = (kind: ReadOperation['kind']) => read.some((each) => each.kind === kind);
  if (smartlinksMax === null || !isAnyKind('create') || isAnyKind('delete')) return read;
  if ((await findRoom(pg, userId, smartlinksMax)) > 0) return read;
  const refused = { kind: 'refused', refusal: new ApiError('SUBSCRIPTION_LIMIT_REACHED') } as const;
  return read.map((each) => (each.kind === 'create' ? refused : each));
}

function toSettle(operation: ReadOperation, plan: PatchPlan | undefined): ToSettle | null {
  if (operation.kind === 'create') return ofCreate(operation.parts);
  return plan === undefined || plan.planned instanceof ApiError ? null : toSettleOf(plan.planned);
}

function ofCreate(parts: DocumentParts): ToSettle {
  return { urls: urlsOf(parts), password: parts.password };
}

function toPrepared(operation: ReadOperation, plan: PatchPlan | null, slowWork: SlowWork): Prepared {
  if (operation.kind === 'patch') return { ...operation, plan };
  if (operation.kind !== 'create') return operation;
  const { parts } = operation;
  const settled = slowWork.recall(ofCreate(parts));
  if (settled === null) throw new Error('A create was not settled');
  const { passwordHash = null, urlsChecked, refusal } = settled;
  return { kind: 'create', document: { parts, passwordHash, urlsChecked, refusal } };
}

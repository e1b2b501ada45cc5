import type { Pool } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { urlsOf } from '@smartlink/smartlink-store/document-parts';
import { findRoom } from '@smartlink/smartlink-store/plan-limit';
import type { Principal } from '../../accounts/accounts.js';
import { ApiError } from '../../errors.js';
import type { UrlSafety } from '../../url-safety/url-safety.js';
import type { PasswordHasher } from '../password-hasher.js';
import type { Patch } from '../plan-patch.js';
import type { DocumentToStore } from '../store-documents.js';
import { askOnce } from './ask-once.js';
import type { BulkRequest } from './bulk-request.js';
import { findPatched } from './find-patched.js';
import type { SeenRows } from './find-patched.js';
import { planPatches } from './plan-patches.js';
import type { PatchPlan } from './plan-patches.js';
import { readOperations } from './read-operations.js';
import type { ReadOperation } from './read-operations.js';
import { createSettler } from './settle.js';
import type { Settle, Settled, ToSettle } from './settle.js';
import { createTurns } from './take-turns.js';

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
  /** What the plan brings; null without a plan, or when that is a refusal. */
  readonly settled: Settled | null;
};

export type PreparedBulk = {
  readonly operations: readonly Prepared[];
  readonly seen: SeenRows;
  readonly settle: Settle;
};

// As many as the hasher runs at once: more of one call would only fill the queue where others wait.
const SETTLED_AT_ONCE = 2;

// What a dry run writes is rolled back.
const NO_HASHER = { hash: () => Promise.resolve('of a dry run') };

/**
 * Returns operations with all done that may take its time, before anything is locked: bodies checked, patches planned,
 * the safety provider asked in one call, passwords hashed.
 */
export async function prepareOperations(
  deps: PrepareDeps,
  principal: Principal,
  { operations, dryRun }: BulkRequest,
): Promise<PreparedBulk> {
  const takeTurns = createTurns();
  const checked = await readOperations(deps.validator, operations, takeTurns);
  const read = await refuseWithoutRoom(deps.pg, principal, checked);
  const patches = read.flatMap((each) => (each.kind === 'patch' ? [each.patch] : []));
  const seen = await findPatched(deps.pg, principal.userId, patches);
  const plans = await planPatches(deps.validator, read, seen, takeTurns);
  const urlSafety = askOnce(deps.urlSafety);
  const settle = createSettler({ urlSafety, hasher: dryRun ? NO_HASHER : deps.hasher });
  const wanted = read.map((operation, index) => toSettle(operation, plans.get(index)));
  await urlSafety.ask(wanted.flatMap((each) => (each === null ? [] : [each.urls])));
  const settled = await settleAll(settle, wanted);
  const prepared = read.map((operation, index) =>
    toPrepared(operation, plans.get(index) ?? null, settled.get(index) ?? null),
  );
  return { operations: prepared, seen, settle };
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
  if (operation.kind === 'create') {
    return { urls: urlsOf(operation.parts), password: operation.parts.password };
  }
  if (plan === undefined || plan.planned instanceof ApiError) return null;
  return { urls: plan.planned.newUrls, password: plan.planned.parts.password };
}

async function settleAll(
  settle: Settle,
  wanted: readonly (ToSettle | null)[],
): Promise<ReadonlyMap<number, Settled>> {
  const settled = new Map<number, Settled>();
  const queue = wanted.entries();
  const work = async (): Promise<void> => {
    for (const [index, each] of queue) if (each !== null) settled.set(index, await settle(index, each));
  };
  await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, work));
  return settled;
}

function toPrepared(operation: ReadOperation, plan: PatchPlan | null, settled: Settled | null): Prepared {
  if (operation.kind === 'patch') return { ...operation, plan, settled };
  if (operation.kind !== 'create') return operation;
  const { parts } = operation;
  return {
    kind: 'create',
    document: {
      parts,
      passwordHash: settled?.passwordHash ?? null,
      urlsChecked: settled?.urlsChecked ?? false,
      refusal: settled?.refusal ?? null,
    },
  };
}

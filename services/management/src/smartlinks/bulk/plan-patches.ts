import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { ApiError } from '../../errors.js';
import type { Slices } from '../../event-loop-slices.js';
import { isAnyVersion, patchedRow, planPatch, requireMatch, toSettleOf, toWanted } from '../plan-patch.js';
import type { PlannedPatch } from '../plan-patch.js';
import { notSettledYet } from '../slow-work.js';
import type { SeenRows } from './find-patched.js';
import type { ReadOperation } from './read-operations.js';

/** What a patch asks of a row, or why it is refused; and of which row. */
export type PatchPlan = {
  /** The version of a row as it was seen, or the plan that comes before this one and leaves the row. */
  readonly base: string | PatchPlan;
  readonly planned: PlannedPatch | ApiError;
};

/**
 * Returns the plans of patches, by the index of their operation: each on the row that those before it leave. Some are
 * missing, and some turn out to be made for a row that never came to be: those are made when they are written.
 */
export async function planPatches(
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
      const kept = notSettledYet(toSettleOf(plan.planned));
      const row = patchedRow(before.row, toWanted(before.row, operation.patch, plan.planned, kept));
      current.set(operation.patch.id, { row, base: plan });
    }
    await slices.nextIfOver();
  }
  return plans;
}

/** A row as it is expected to be. */
type Planned = { readonly row: SmartlinkRow; readonly base: PatchPlan['base'] };

/**
 * Returns whether a patch with `ifMatch` changes the row. Of a row that a plan leaves nobody knows the version yet, so a
 * patch that names versions is planned, and not built upon: it is most likely refused.
 */
function matchOf({ row, base }: Planned, ifMatch: string | undefined): 'yes' | 'no' | 'maybe' {
  if (typeof base !== 'string' && ifMatch !== undefined && !isAnyVersion(ifMatch)) return 'maybe';
  const mismatch = refusalOr(() => {
    requireMatch(row, ifMatch);
  });
  return mismatch instanceof ApiError ? 'no' : 'yes';
}

/** Returns what `work` returns, or the refusal that it throws. */
export function refusalOr<T>(work: () => T): T | ApiError {
  try {
    return work();
  } catch (err) {
    if (err instanceof ApiError) return err;
    throw err;
  }
}

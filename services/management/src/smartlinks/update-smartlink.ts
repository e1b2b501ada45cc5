import type { Pool } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import { changeSmartlink } from './change-smartlink.js';
import type { Outbox } from './outbox.js';
import type { PasswordHasher } from './password-hasher.js';
import { planPatch, requireMatch, toSettleOf, toWanted } from './plan-patch.js';
import type { Patch, WantedPatch } from './plan-patch.js';
import type { ListedRow } from './queries.js';
import { createSlowWork } from './slow-work.js';
import { writePatches } from './write-patches.js';

export type UpdateDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly validator: SmartlinkValidator;
  readonly hasher: PasswordHasher;
  readonly urlSafety: UrlSafety;
};

/**
 * Returns the use case of PATCH: merges a patch into the stored smartlink, checks the whole and writes it when it
 * differs. `ifMatch` is the request's If-Match. Rejects with ApiError; then nothing is written.
 */
export function createSmartlinkUpdater(deps: UpdateDeps) {
  return (principal: Principal, patch: Patch, ifMatch: string | undefined): Promise<ListedRow> => {
    const slowWork = createSlowWork({ urlSafety: deps.urlSafety, hash: deps.hasher.hash });
    const planOn = (row: SmartlinkRow) => {
      requireMatch(row, ifMatch);
      const planned = planPatch(deps.validator, row, patch);
      return { planned, toSettle: toSettleOf(planned) };
    };
    const recallOf = (row: SmartlinkRow, { planned, toSettle }: ReturnType<typeof planOn>) => {
      const settled = slowWork.recall(toSettle);
      if (settled !== null && settled.refusal !== null) throw settled.refusal;
      return settled === null ? null : toWanted(row, patch, planned, settled);
    };
    return changeSmartlink<WantedPatch>(deps, principal, patch.id, {
      async prepare(row) {
        const plan = planOn(row);
        await slowWork.settle([plan.toSettle]);
        const wanted = recallOf(row, plan);
        if (wanted === null) throw new Error('A patch was not settled');
        return wanted;
      },
      recall: (row) => recallOf(row, planOn(row)),
      async write(client, row, wanted) {
        const [written] = await writePatches(client, principal.userId, [{ row, wanted }]);
        if (written === undefined || written instanceof ApiError) throw written ?? new Error('Not written');
        const { row: updated, changed } = written;
        if (changed.length === 0) return { row, entries: [] };
        const entries = await addToOutbox(client, [updated]);
        const actor = `key ${principal.keyId}`;
        await recordChanges(client, [{ actor, action: 'smartlink.update', smartlink: updated, changed }]);
        return { row: updated, entries };
      },
    });
  };
}

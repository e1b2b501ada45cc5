import type { Pool } from 'pg';
import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { requireSafeUrls } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import { changeSmartlink } from './change-smartlink.js';
import type { Outbox } from './outbox.js';
import type { PasswordHasher } from './password-hasher.js';
import { planPatch, requireMatch, toWanted } from './plan-patch.js';
import type { Patch, WantedPatch } from './plan-patch.js';
import type { ListedRow } from './queries.js';
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
    let hashed: Promise<string> | undefined;
    return changeSmartlink<WantedPatch>(deps, principal, patch.id, {
      async prepare(row) {
        requireMatch(row, ifMatch);
        const planned = planPatch(deps.validator, row, patch);
        const urlsChecked = await requireSafeUrls(deps.urlSafety, planned.newUrls);
        const { password } = planned.parts;
        if (password !== undefined) hashed ??= deps.hasher.hash(password);
        const passwordHash = password === undefined ? undefined : await hashed;
        return toWanted(row, patch, planned, { passwordHash, urlsChecked });
      },
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

import type { Pool } from 'pg';
import { urlsOfRow } from '@smartlink/smartlink-store/document-parts';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Principal } from '../accounts/accounts.js';
import { NO_URL_SAFETY, cannotBeChecked, requireSafeUrls } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import { changeSmartlink } from './change-smartlink.js';
import type { Outbox } from './outbox.js';
import { hasUnsafeUrls } from './pause-reason.js';
import { setStatus } from './queries.js';
import type { ListedRow } from './queries.js';
import { activate } from './recheck-queries.js';
import type { StatusBody } from './request-schemas.js';

export type StatusDeps = { readonly pg: Pool; readonly outbox: Outbox; readonly urlSafety: UrlSafety };

/** What a safety provider has said of the URLs of a link that goes on; of all others it is not asked. */
type Judged = { readonly urlsChecked: boolean };
const NOT_JUDGED: Judged = { urlsChecked: false };

/**
 * Returns the use case of POST /smartlink/status: pauses a smartlink or lets it go on, and returns it. Before it goes
 * on its URLs are checked again. Asked for the status that it has, nothing changes. Rejects with NOT_FOUND, UNSAFE_URL,
 * or SERVICE_UNAVAILABLE while nobody can say that the URLs which the service has paused it for are safe by now.
 */
export function createStatusSetter(deps: StatusDeps) {
  return (principal: Principal, { id, status }: StatusBody): Promise<ListedRow> => {
    const goesOn = (row: SmartlinkRow): boolean => status === 'Active' && row.status === 'Paused';
    return changeSmartlink<Judged>(deps, principal, id, {
      async prepare(row) {
        if (!goesOn(row)) return NOT_JUDGED;
        const urlsChecked = await requireSafeUrls(deps.urlSafety, urlsOfRow(row));
        // Where the operator has taken the provider away nobody will ever say so.
        const isAwaited = deps.urlSafety !== NO_URL_SAFETY && hasUnsafeUrls(row);
        if (!urlsChecked && isAwaited) throw cannotBeChecked();
        return { urlsChecked };
      },
      // What was said of its URLs before somebody changed it is not taken for what would be said now.
      recall: (row) => (goesOn(row) ? null : NOT_JUDGED),
      async write(client, row, { urlsChecked }) {
        if (row.status === status) return { row, entries: [] };
        const changed =
          status === 'Active' ? await activate(client, id, urlsChecked) : await setStatus(client, id, status);
        const action = status === 'Paused' ? 'smartlink.pause' : 'smartlink.activate';
        await recordChanges(client, [{ actor: `key ${principal.keyId}`, action, smartlink: changed }]);
        return { row: changed, entries: await addToOutbox(client, [changed]) };
      },
    });
  };
}

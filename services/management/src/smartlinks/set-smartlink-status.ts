import type { Pool } from 'pg';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { withTransaction } from '../transaction.js';
import { requireSafeUrls } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import { addAuditEntry } from './audit-queries.js';
import { urlsOf } from './document-parts.js';
import type { Outbox } from './outbox.js';
import { addToOutbox } from './outbox-queries.js';
import { findOne, lockOne, setStatus } from './queries.js';
import type { ListedRow } from './queries.js';
import type { StatusBody } from './request-schemas.js';

export type StatusDeps = { readonly pg: Pool; readonly outbox: Outbox; readonly urlSafety: UrlSafety };

/**
 * Returns the use case of POST /smartlink/status: pauses a smartlink or lets it go on, and returns it. Before it goes
 * on its URLs are checked again. Asked for the status that it has, nothing changes. Rejects with NOT_FOUND or
 * UNSAFE_URL.
 */
export function createStatusSetter(deps: StatusDeps) {
  return async (principal: Principal, { id, status }: StatusBody): Promise<ListedRow> => {
    const { userId, keyId } = principal;
    const seen = isSmartlinkId(id) ? await findOne(deps.pg, id, userId) : null;
    if (seen === null || seen.status === 'Deleted') throw new ApiError('NOT_FOUND');
    if (status === 'Active' && seen.status === 'Paused') {
      // Outside of the transaction: the provider may take its time.
      const content = seen.content[seen.type] ?? {};
      await requireSafeUrls(deps.urlSafety, urlsOf({ content, openGraph: seen.open_graph }));
    }
    const change = await withTransaction(deps.pg, async (client) => {
      const row = await lockOne(client, id, userId);
      if (row === null) throw new ApiError('NOT_FOUND');
      if (row.status === status) return { row, entries: [] };
      const changed = await setStatus(client, id, status);
      const action = status === 'Paused' ? 'smartlink.pause' : 'smartlink.activate';
      await addAuditEntry(client, { keyId, userId, smartlinkId: id, action });
      return { row: changed, entries: await addToOutbox(client, id, changed.version) };
    });
    if (change.entries.length > 0) await deps.outbox.publish(change.entries);
    return { ...change.row, known_totals: seen.known_totals };
  };
}

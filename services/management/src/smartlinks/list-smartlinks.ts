import type { Pool } from 'pg';
import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import type { Principal } from '../accounts/accounts.js';
import type { TotalsReader } from '../analytics/analytics.js';
import { ApiError } from '../errors.js';
import { decodeCursor, encodeCursor } from '../page-cursor.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { findByOwner, findOne } from './queries.js';
import type { ListFilter } from './queries.js';
import type { ListQuery } from './request-schemas.js';
import { etagOf, toSmartlink } from './smartlink-view.js';

export type ReadDeps = {
  readonly pg: Pool;
  readonly totals: TotalsReader;
  readonly publicBaseUrl: string;
};

/** The page size of a list with a cursor and no limit. */
const PAGE_LIMIT = 100;

/** Returns the use case of a list: an owner's smartlinks, newest first, and the cursor of the next page if any. */
export function createSmartlinkLister(deps: ReadDeps) {
  return async (
    principal: Principal,
    query: ListQuery,
  ): Promise<{ data: object[]; nextCursor: string | null }> => {
    const { userId } = principal;
    const limit = query.limit ?? (query.cursor === undefined ? null : PAGE_LIMIT);
    const filter: ListFilter = {
      userId,
      status: query.status === 'all' ? null : (query.status ?? 'Active'),
      type: query.type ?? null,
      search: query.q ?? null,
      after: query.cursor === undefined ? null : decodeCursor(query.cursor),
      // One more than asked for tells whether there is a next page.
      limit: limit === null ? null : limit + 1,
    };
    const found = await findByOwner(deps.pg, filter);
    const page = limit === null ? found : found.slice(0, limit);
    const totals = await deps.totals.read(userId, page);
    const last = page.at(-1);
    return {
      data: page.map((row) => toSmartlink(row, totals.get(row.id) ?? NO_TOTALS, deps.publicBaseUrl)),
      nextCursor:
        last !== undefined && found.length > page.length
          ? encodeCursor({ time: last.created_at, id: last.id })
          : null,
    };
  };
}

/** Returns the use case of a fetch: one of an owner's smartlinks in any status. Rejects with NOT_FOUND. */
export function createSmartlinkFetcher(deps: ReadDeps) {
  return async (principal: Principal, id: string): Promise<{ data: object; etag: string }> => {
    const row = isSmartlinkId(id) ? await findOne(deps.pg, id, principal.userId) : null;
    if (row === null) throw new ApiError('NOT_FOUND');
    const totals = await deps.totals.read(principal.userId, [row]);
    return { data: toSmartlink(row, totals.get(id) ?? NO_TOTALS, deps.publicBaseUrl), etag: etagOf(row) };
  };
}

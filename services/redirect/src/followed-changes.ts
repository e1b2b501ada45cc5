import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { Change } from './change-publisher.js';

/** A place in link_changes, in the order of transactions. */
export type Position = { readonly xid: string; readonly id: string };

/** Before everything that is kept, which is a day: as long as a snapshot stays in Redis. */
export const BEGINNING: Position = { xid: '0', id: '0' };

export type ChangesPage = {
  readonly changes: readonly Change[];
  /** Of the last change, null when there is none. */
  readonly last: Position | null;
  /** Everything that transactions before this one changed has been seen by whoever has read up to here. */
  readonly oldestRunningXid: string;
};

type PageRow = {
  oldestRunningXid: string;
  id: string | null;
  slugKey: string;
  version: string;
  xid: string;
};

// One snapshot for both: what it does not show yet belongs to a transaction that is not older than its xmin. On a replica
// too, whose xmin is the oldest transaction of which it has not replayed the end. Transactions of another cluster, from
// which this one was restored, may have higher numbers than there are: they are not looked at. The index of (xid, id) serves.
const LIST_CHANGES = `
select pg_snapshot_xmin(at.snapshot)::text as "oldestRunningXid", page.*
from (select pg_current_snapshot() as snapshot) as at
left join lateral (
  select id::text, slug_key as "slugKey", version::text, xid::text from link_changes
  where (link_changes.xid, link_changes.id) > ($1::xid8, $2::bigint)
    and link_changes.xid < pg_snapshot_xmax(at.snapshot)
  order by link_changes.xid, link_changes.id limit $3
) as page on true`;

/** Returns the changes behind `after`, `rowsMax` at most, oldest transactions first. */
export async function listChanges(db: Queryable, after: Position, rowsMax: number): Promise<ChangesPage> {
  const rows = (await db.query(LIST_CHANGES, [after.xid, after.id, rowsMax])).rows as PageRow[];
  const changes = rows.flatMap(({ id, slugKey, version }) =>
    id === null ? [] : [{ id, slugKey, version: Number(version) }],
  );
  const last = rows.at(-1);
  return {
    changes,
    last: last === undefined || last.id === null ? null : { xid: last.xid, id: last.id },
    oldestRunningXid: rows[0]?.oldestRunningXid ?? BEGINNING.xid,
  };
}

const FIND_MINUTE_BEFORE = `
select coalesce(min(xid), '0')::text as xid from link_changes
where created_at > (select max(created_at) from link_changes) - interval '1 minute'`;

/** Returns the place before the last minute in which anything was changed. */
export async function findMinuteBefore(db: Queryable): Promise<Position> {
  const { rows } = await db.query(FIND_MINUTE_BEFORE, []);
  return { xid: (rows[0] as { xid: string }).xid, id: BEGINNING.id };
}

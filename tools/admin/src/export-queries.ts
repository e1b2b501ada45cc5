import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { ALL_COLUMNS } from '@smartlink/smartlink-store/smartlink-row';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Totals } from '@smartlink/visit-analytics/totals';

/** A smartlink with all of its content and its former addresses. */
export type ExportedRow = SmartlinkRow & { readonly aliases: readonly string[] };

const COUNT_SMARTLINKS = `
select count(*)::integer as count from smartlinks where user_id = $1 and status in ('Active', 'Paused')`;

/** Returns how many smartlinks a user has that are not Deleted. */
export async function countSmartlinks(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query(COUNT_SMARTLINKS, [userId]);
  return (rows[0] as { count: number }).count;
}

// By what is the same in every database: ids differ. Only ids and sizes are sorted and kept.
const OPEN_CURSOR = `
declare exported no scroll cursor for
select id, pg_column_size(content) as bytes from smartlinks
where user_id = $1 and status in ('Active', 'Paused')
order by created_at, lower(slug) collate "C"`;

const FETCH = `fetch 500 from exported`;

const FIND_EXPORTED = `
select ${ALL_COLUMNS},
       array(select slugs.slug from slugs
             where slugs.smartlink_id = smartlinks.id and not slugs.is_primary order by slugs.key) as aliases
from unnest($1::uuid[]) with ordinality as wanted (id, place) join smartlinks on smartlinks.id = wanted.id
order by wanted.place`;

// As they are stored, compressed; text takes several times that.
const BYTES_AT_ONCE = 1024 * 1024;

/**
 * Yields a user's smartlinks that are not Deleted, oldest first, some hundred at a time and some ten MiB of text at most. Needs a
 * transaction of its own, which keeps the cursor, and one caller at a time.
 */
export async function* readExportedSmartlinks(
  db: Queryable,
  userId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  await db.query(OPEN_CURSOR, [userId]);
  for (;;) {
    const { rows } = await db.query(FETCH, []);
    if (rows.length === 0) return;
    for (const ids of cutBySize(rows as Sized[])) {
      const found = await db.query(FIND_EXPORTED, [ids]);
      yield found.rows as ExportedRow[];
    }
  }
}

type Sized = { readonly id: string; readonly bytes: number };

function cutBySize(rows: readonly Sized[]): readonly (readonly string[])[] {
  const pieces: string[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    if (bytes + row.bytes > BYTES_AT_ONCE) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(row.id);
    bytes += row.bytes;
  }
  return pieces;
}

const FIND_KNOWN_TOTALS = `
select smartlink_id as id, clicks::float8 as clicks, scans::float8 as scans, fallbacks::float8 as fallbacks
from smartlink_totals where smartlink_id = any($1::uuid[])`;

/** Returns the last known totals of smartlinks, by id. */
export async function findKnownTotals(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Totals>> {
  const { rows } = await db.query(FIND_KNOWN_TOTALS, [ids]);
  return new Map(
    (rows as (Totals & { id: string })[]).map(({ id, clicks, scans, fallbacks }) => [
      id,
      { clicks, scans, fallbacks },
    ]),
  );
}

import { PAGE_OBJECTS } from '@smartlink/smartlink/smartlink-type';
import type {
  AppContent,
  LinkSnapshot,
  OpenGraph,
  PageContent,
  UrlContent,
} from '@smartlink/smartlink/snapshot';

/** What the queries need of pg's Pool, PoolClient and Client. */
export type Queryable = {
  readonly query: (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;
};

type SnapshotRow = {
  key: string;
  slug: string;
  smartlink_id: string | null;
  user_id: string | null;
  status: 'Active' | 'Paused' | 'Deleted';
  type: string;
  version: string;
  open_graph: OpenGraph | null;
  /**
   * As management stored it, by the API's names; it was checked then, so only what is missing is noticed here. It stands
   * in one row of each smartlink.
   */
  content: Content | null;
  password_hash: string | null;
  password_version: number;
  withheld_bytes: string | null;
};

type Content = {
  readonly configuration?: AppContent['storeLinks'];
  readonly shortener?: { readonly url: string; readonly protected: boolean };
};

// What a link's content comes to, in bytes, at most: what is stored is known without reading it, and what was compressed
// may be so many times longer. (pglz writes 273 bytes as 3 and an eighth, lz4 255 as one. Reading a menu of a mebibyte
// just to measure it would take as long as serving it.)
const CONTENT_BYTES = `case
    when smartlinks.status is null or smartlinks.status = 'Deleted' then 0
    else pg_column_size(smartlinks.content)::bigint * case pg_column_compression(smartlinks.content)
      when 'pglz' then 88 when 'lz4' then 255 else 1 end
  end`;

// One index look-up a slug and one a smartlink. Only the content of the current type travels, once for all addresses of
// a smartlink, and of the shortest ones as much as $2 lets through (null: all).
const FIND_SNAPSHOTS = `
select key, slug, smartlink_id, user_id, status, type, version, open_graph, password_hash, password_version,
       case when sum_bytes > $2 then bytes end as withheld_bytes,
       case when place = 1 and status <> 'Deleted' and ($2::bigint is null or sum_bytes <= $2) then content -> type
       end as content
from (
  select *, sum(bytes) over (order by bytes, smartlink_id, key)::bigint as sum_bytes,
         row_number() over (partition by smartlink_id order by key) as place
  from (
    select slugs.key, slugs.slug, slugs.smartlink_id, slugs.user_id, smartlinks.status, smartlinks.type,
           smartlinks.version, smartlinks.open_graph, smartlinks.content, smartlinks.password_hash,
           smartlinks.password_version, ${CONTENT_BYTES} as bytes
    from slugs left join smartlinks on smartlinks.id = slugs.smartlink_id
    where slugs.key = any($1)
  ) as found
) as weighed`;

// From the smartlink and not from its slug, which its owner may have given to another one since it was deleted.
const FIND_OWNERS_SNAPSHOT = `
select lower(slug) as key, slug, id as smartlink_id, user_id, status, type, version, open_graph, password_hash,
       password_version, null as withheld_bytes, case when status <> 'Deleted' then content -> type end as content
from smartlinks where id = $1 and user_id = $2`;

const WEIGH_SNAPSHOTS = `
select slugs.key as "slugKey", coalesce(slugs.smartlink_id::text, '') as "smartlinkId", ${CONTENT_BYTES} as bytes
from slugs left join smartlinks on smartlinks.id = slugs.smartlink_id
where slugs.key = any($1)`;

/** What a snapshot will come to. */
export type SnapshotWeight = {
  readonly slugKey: string;
  /** '' when its owner was erased. All addresses of one smartlink have its content in common. */
  readonly smartlinkId: string;
  /** Bytes of content, at most so many before JSON escapes. */
  readonly bytes: number;
};

/** Returns what the snapshots of those of `slugKeys` that were ever used will come to, without reading them. */
export async function weighSnapshots(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<readonly SnapshotWeight[]> {
  const { rows } = await db.query(WEIGH_SNAPSHOTS, [slugKeys]);
  return (rows as (Omit<SnapshotWeight, 'bytes'> & { bytes: string })[]).map((row) => ({
    ...row,
    bytes: Number(row.bytes),
  }));
}

/**
 * Returns the snapshot of an owner's smartlink under its present slug, in any status, or null when they have no such one.
 * Rejects when Postgres cannot answer, and for a row that no snapshot can be made of.
 */
export async function findOwnersSnapshot(
  db: Queryable,
  { smartlinkId, ownerId }: { smartlinkId: string; ownerId: string },
): Promise<LinkSnapshot | null> {
  const { rows } = await db.query(FIND_OWNERS_SNAPSHOT, [smartlinkId, ownerId]);
  const row = rows[0] as SnapshotRow | undefined;
  return row === undefined ? null : toSnapshot(row);
}

/** A snapshot that was left out, since there was not room for all; it may come to so many bytes. */
export type Withheld = { readonly withheldBytes: number };

/** What stands in the place of a slug that was ever used. */
export type Found = LinkSnapshot | Error | Withheld;

/**
 * Returns the snapshots of those of `slugKeys` that were ever used, by key. A slug whose owner was erased is a
 * tombstone. Rejects when Postgres cannot answer, and for a row that no snapshot can be made of.
 */
export async function findSnapshots(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<Map<string, LinkSnapshot>> {
  const found = new Map<string, LinkSnapshot>();
  for (const [key, snapshot] of await findEachSnapshot(db, slugKeys)) {
    if (snapshot instanceof Error) throw snapshot;
    found.set(key, snapshot);
  }
  return found;
}

/**
 * As findSnapshots, but a row that no snapshot can be made of stands there as its Error, so that one damaged link
 * does not fail the others of its batch, nor look like one that was never used.
 */
export async function findEachSnapshot(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<Map<string, LinkSnapshot | Error>> {
  return (await findWithin(db, slugKeys, null)) as Map<string, LinkSnapshot | Error>;
}

/**
 * As findEachSnapshot, but at most `bytesMax` of content are read, the shortest first; what has no room is
 * Withheld.
 */
export async function findWithin(
  db: Queryable,
  slugKeys: readonly string[],
  bytesMax: number | null,
): Promise<Map<string, Found>> {
  const rows = (await db.query(FIND_SNAPSHOTS, [slugKeys, bytesMax])).rows as SnapshotRow[];
  const contents = new Map<string | null, Content>();
  for (const row of rows) if (row.content !== null) contents.set(row.smartlink_id, row.content);
  return new Map(
    rows.map((row) => [
      row.key,
      row.withheld_bytes === null
        ? readRow({ ...row, content: contents.get(row.smartlink_id) ?? null })
        : { withheldBytes: Number(row.withheld_bytes) },
    ]),
  );
}

function readRow(row: SnapshotRow): LinkSnapshot | Error {
  try {
    return toSnapshot(row);
  } catch (err) {
    return err instanceof Error ? err : new Error(String(err));
  }
}

// An erased owner's slug has no row to take a version from. It is newer than anything that was ever published.
const ERASED_VERSION = Number.MAX_SAFE_INTEGER;

function toSnapshot(row: SnapshotRow): LinkSnapshot {
  const base = {
    version: row.smartlink_id === null ? ERASED_VERSION : Number(row.version),
    smartlinkId: row.smartlink_id ?? '',
    ownerId: row.user_id ?? '',
    slug: row.slug,
  };
  if (row.smartlink_id === null || row.status === 'Deleted') return { ...base, status: 'Deleted' };
  const content = toContent(row);
  if (content === null)
    throw new Error(`Smartlink ${row.smartlink_id} has no content for its type ${row.type}`);
  return {
    ...base,
    status: row.status,
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    ...content,
  };
}

/** Returns what the row's type leads to or shows, null when it is not there, or the type is not known here. */
function toContent(row: SnapshotRow): UrlContent | AppContent | PageContent | null {
  const { type, content } = row;
  if (content === null) return null;
  if (type === 'App') return { type, storeLinks: content.configuration ?? NO_STORE_LINKS };
  if (type === 'Url') return content.shortener === undefined ? null : toUrlContent(row, content.shortener);
  const isPage = Object.hasOwn(PAGE_OBJECTS, type);
  return isPage && Object.hasOwn(content, PAGE_OBJECTS[type as PageContent['type']])
    ? ({ type, page: content } as unknown as PageContent)
    : null;
}

const NO_STORE_LINKS = {} as AppContent['storeLinks'];

function toUrlContent(row: SnapshotRow, shortener: NonNullable<Content['shortener']>): UrlContent {
  const { url } = shortener;
  if (!shortener.protected) return { type: 'Url', url };
  // Better unreachable than open to everybody.
  if (row.password_hash === null)
    throw new Error(`Smartlink ${row.smartlink_id ?? ''} has no password to ask for`);
  return { type: 'Url', url, password: { hash: row.password_hash, version: row.password_version } };
}

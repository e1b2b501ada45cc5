import type { LinkSnapshot, OpenGraph } from '@smartlink/smartlink/snapshot';

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
  content: { shortener: { url: string; protected: boolean } } | null;
  password_hash: string | null;
  password_version: number;
};

// One index look-up a slug and one a smartlink. Only the content of the current type travels.
const FIND_SNAPSHOTS = `
select slugs.key, slugs.slug, slugs.smartlink_id, slugs.user_id, smartlinks.status, smartlinks.type,
       smartlinks.version, smartlinks.open_graph, smartlinks.content -> smartlinks.type as content,
       smartlinks.password_hash, smartlinks.password_version
from slugs left join smartlinks on smartlinks.id = slugs.smartlink_id
where slugs.key = any($1)`;

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
  const { rows } = await db.query(FIND_SNAPSHOTS, [slugKeys]);
  return new Map((rows as SnapshotRow[]).map((row) => [row.key, readRow(row)]));
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
  if (row.content === null)
    throw new Error(`Smartlink ${row.smartlink_id} has no content for its type ${row.type}`);
  const { shortener } = row.content;
  return {
    ...base,
    status: row.status,
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    type: 'Url',
    url: shortener.url,
    ...(shortener.protected && row.password_hash !== null
      ? { password: { hash: row.password_hash, version: row.password_version } }
      : {}),
  };
}

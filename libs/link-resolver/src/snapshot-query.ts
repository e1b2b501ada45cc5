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
  /** As management stored it, by the API's names; it was checked then, so only what is missing is noticed here. */
  content: Content | null;
  password_hash: string | null;
  password_version: number;
};

type Content = {
  readonly configuration?: AppContent['storeLinks'];
  readonly shortener?: { readonly url: string; readonly protected: boolean };
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

/** The object without which a hosted page has nothing to show (management-api.md, Required content by type). */
const PAGE_OBJECTS: Readonly<Record<PageContent['type'], string>> = {
  Landing: 'landing',
  QRTag: 'qrTag',
  DigiCard: 'digiCard',
  TxtBin: 'txtBin',
  QrMenu: 'qrMenu',
};

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
  return {
    type: 'Url',
    url: shortener.url,
    ...(shortener.protected && row.password_hash !== null
      ? { password: { hash: row.password_hash, version: row.password_version } }
      : {}),
  };
}

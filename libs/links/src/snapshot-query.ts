import type { Queryable } from '@smartlink/process/database';
import {
  type AppContent,
  type Appearance,
  type Availability,
  type LinkSnapshot,
  type LiveLink,
  type OpenGraph,
  type PageContent,
  type RedirectOptions,
  type Routing,
  toLinkAvailability,
  type UrlContent,
  type Utm,
} from '@smartlink/smartlink/document';
import { APPEARANCE_TYPES, importedKey, PAGE_OBJECTS, type SmartlinkType } from '@smartlink/smartlink/model';
import type { DocumentParts } from '@smartlink/smartlink/store';

type SnapshotRow = {
  key: string;
  slug: string;
  exact: readonly string[] | null;
  smartlink_id: string | null;
  user_id: string | null;
  status: 'Active' | 'Paused' | 'Deleted';
  type: string;
  version: string;
  open_graph: OpenGraph | null;
  appearance: Appearance | null;
  utm: Utm | null;
  redirect: RedirectOptions | null;
  routing: Routing | null;
  availability: Availability | null;
  /**
   * Validated and stored by management, under the API's names. Present in one row per smartlink.
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

// Upper bound of the content's size: the stored size, times the best compression ratio (pglz writes 273 bytes as 3 1/8, lz4
// 255 as one). Reading a menu of 1 MiB just to measure it would take as long as serving it.
const CONTENT_BYTES = `case
    when smartlinks.status is null or smartlinks.status = 'Deleted' then 0
    else pg_column_size(smartlinks.content)::bigint * case pg_column_compression(smartlinks.content)
      when 'pglz' then 88 when 'lz4' then 255 else 1 end
  end`;

// One index look-up per slug and one per smartlink. Returns the content of the current type only, once per smartlink,
// shortest first up to $2 bytes (null: all).
const FIND_SNAPSHOTS = `
select key, slug, exact, smartlink_id, user_id, status, type, version, open_graph, appearance, utm, redirect, routing,
       availability, password_hash, password_version,
       case when sum_bytes > $2 then bytes end as withheld_bytes,
       case when place = 1 and status <> 'Deleted' and ($2::bigint is null or sum_bytes <= $2) then content -> type
       end as content
from (
  select *, sum(bytes) over (order by bytes, smartlink_id, key)::bigint as sum_bytes,
         row_number() over (partition by smartlink_id order by key) as place
  from (
    select slugs.key, slugs.exact, slugs.smartlink_id, slugs.user_id, smartlinks.status, smartlinks.type,
           case when strpos(slugs.key, '=') > 0 then coalesce(smartlinks.slug, slugs.slug) else slugs.slug end as slug,
           smartlinks.version, smartlinks.open_graph, smartlinks.appearance, smartlinks.utm, smartlinks.redirect, smartlinks.routing,
           smartlinks.availability, smartlinks.content, smartlinks.password_hash, smartlinks.password_version, ${CONTENT_BYTES} as bytes
    from slugs left join smartlinks on smartlinks.id = slugs.smartlink_id
    where slugs.key = any($1)
  ) as found
) as weighed`;

// By smartlink id: after a deletion the owner may have given the slug to another smartlink.
const FIND_OWNERS_SNAPSHOT = `
select lower(slug) as key, slug, null as exact, smartlinks.id as smartlink_id, smartlinks.user_id, smartlinks.status, type, version,
       open_graph, appearance, utm, redirect, routing, availability, password_hash, password_version, null as withheld_bytes,
       case when smartlinks.status <> 'Deleted' then content -> type end as content, host, expired_url
from smartlinks left join domains on domains.number = smartlinks.domain_number
where smartlinks.id = $1 and smartlinks.user_id = $2`;

const WEIGH_SNAPSHOTS = `
select slugs.key as "slugKey", coalesce(slugs.smartlink_id::text, '') as "smartlinkId", ${CONTENT_BYTES} as bytes
from slugs left join smartlinks on smartlinks.id = slugs.smartlink_id
where slugs.key = any($1)`;

export type SnapshotWeight = {
  readonly slugKey: string;
  /** '' if its owner was erased. All addresses of a smartlink share its content. */
  readonly smartlinkId: string;
  /** Upper bound of the content's size in bytes, before JSON escapes. */
  readonly bytes: number;
};

/** Sizes of the snapshots of those of `slugKeys` that were ever used, without reading them. */
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

export type OwnersLink = {
  readonly snapshot: LinkSnapshot;
  /** null: the own host of the instance. */
  readonly domain: { readonly host: string; readonly expiredUrl: string | null } | null;
};

/** An owner's smartlink under its present slug, in any status; null if it does not exist. Rejects for a damaged row. */
export async function findOwnersSnapshot(
  db: Queryable,
  { smartlinkId, ownerId }: { smartlinkId: string; ownerId: string },
): Promise<OwnersLink | null> {
  const { rows } = await db.query(FIND_OWNERS_SNAPSHOT, [smartlinkId, ownerId]);
  const row = rows[0] as (SnapshotRow & { host: string | null; expired_url: string | null }) | undefined;
  if (row === undefined) return null;
  const { host, expired_url: expiredUrl } = row;
  return { snapshot: toSnapshot(row), domain: host === null ? null : { host, expiredUrl } };
}

/** A snapshot left out for lack of room, with the upper bound of its size. */
export type Withheld = { readonly withheldBytes: number };

export type Found = LinkSnapshot | Error | Withheld;

/**
 * Snapshots of those of `slugKeys` that were ever used, by key; tombstones for slugs of erased owners. Rejects for a
 * damaged row.
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
 * Like findSnapshots, but a damaged row yields an Error, so that it neither fails its batch nor looks like a free slug.
 */
export async function findEachSnapshot(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<Map<string, LinkSnapshot | Error>> {
  return (await findWithin(db, slugKeys, null)) as Map<string, LinkSnapshot | Error>;
}

/**
 * Like findEachSnapshot, but reads at most `bytesMax` of content, shortest first; the rest is Withheld.
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

// The slug of an erased owner has no row, and is newer than anything ever published.
const ERASED_VERSION = Number.MAX_SAFE_INTEGER;

function toSnapshot(row: SnapshotRow): LinkSnapshot {
  const base = {
    version: row.smartlink_id === null ? ERASED_VERSION : Number(row.version),
    smartlinkId: row.smartlink_id ?? '',
    ownerId: row.user_id ?? '',
    slug: row.slug,
    ...(row.exact === null || row.exact.length === 0 ? {} : { exact: toExact(row.exact, row.key) }),
  };
  if (row.smartlink_id === null || row.status === 'Deleted') return { ...base, status: 'Deleted' };
  const content = toContent(row);
  const availability = toLinkAvailability(row.availability);
  if (content === null)
    throw new Error(`Smartlink ${row.smartlink_id} has no content for its type ${row.type}`);
  return {
    ...base,
    status: row.status,
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    ...(row.routing === null ? {} : { routing: row.routing }),
    ...(availability === undefined ? {} : { availability }),
    ...content,
  };
}

/**
 * The link that a checked document would be at `slug`, for its pages: without ids, and with an empty password hash if it is
 * protected.
 */
export function toDraftLink(
  { type, content, openGraph, appearance = null, utm = null, redirect = null, ...parts }: DocumentParts,
  slug: string,
): LiveLink {
  const { routing, availability } = parts;
  const link = toSnapshot({
    ...{ key: '', slug, exact: null, smartlink_id: '', user_id: '', status: 'Active', type, version: '0' },
    ...{
      open_graph: openGraph,
      appearance,
      utm,
      redirect,
      routing,
      availability,
      content: content as Content,
    },
    ...{ password_hash: '', password_version: 0, withheld_bytes: null },
  });
  return link as LiveLink;
}

/** `key`: of the slug, in the same domain. */
function toExact(addresses: readonly string[], key: string): NonNullable<LinkSnapshot['exact']> {
  const domain = key.slice(0, key.indexOf('.') + 1);
  return Object.fromEntries(addresses.map((address) => [address, domain + importedKey(address)]));
}

/** null if the content is missing or the type unknown. */
function toContent(row: SnapshotRow): UrlContent | AppContent | PageContent | null {
  const { type, content, appearance, redirect } = row;
  const options = redirect === null ? {} : { redirect };
  if (content === null) return null;
  if (type === 'App') return { type, storeLinks: content.configuration ?? NO_STORE_LINKS, ...options };
  if (type === 'Url')
    return content.shortener === undefined ? null : { ...toUrlContent(row, content.shortener), ...options };
  const isPage = Object.hasOwn(PAGE_OBJECTS, type);
  if (!isPage || !Object.hasOwn(content, PAGE_OBJECTS[type as PageContent['type']])) return null;
  const hasAppearance = appearance !== null && APPEARANCE_TYPES.has(type as SmartlinkType);
  return { type, page: content, ...(hasAppearance ? { appearance } : {}) } as unknown as PageContent;
}

const NO_STORE_LINKS = {} as AppContent['storeLinks'];

function toUrlContent(row: SnapshotRow, shortener: NonNullable<Content['shortener']>): UrlContent {
  const base = { type: 'Url', url: shortener.url, ...(row.utm === null ? {} : { utm: row.utm }) } as const;
  if (!shortener.protected) return base;
  // Better unreachable than unprotected.
  if (row.password_hash === null)
    throw new Error(`Smartlink ${row.smartlink_id ?? ''} has no password to ask for`);
  return { ...base, password: { hash: row.password_hash, version: row.password_version } };
}

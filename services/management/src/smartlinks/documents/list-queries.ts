import type { Queryable } from '@smartlink/process/database';
import { addressKey, importedKey } from '@smartlink/smartlink/model';
import { COLUMNS, SHOWN_COLUMNS } from '@smartlink/smartlink/store';
import { type Conditions, createValues, type LinkFilter, toConditions, type Values } from '../link-filter.js';
import { KNOWN_TOTALS, type ListedRow } from './queries.js';

/** What a list shows, without its order. */
export type ListFilter = LinkFilter & {
  /** YYYY-MM-DD, UTC, both included. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly unsafe?: 'true' | 'false' | undefined;
  readonly q?: string | undefined;
  readonly slug?: string | undefined;
};

export const SORTS = ['createdAt', 'updatedAt', 'name', 'visits', 'lastVisitAt'] as const;
export type Sort = (typeof SORTS)[number];
export type Order = 'asc' | 'desc';

/** A place in a list: the last smartlink of a page. */
export type Place = {
  /** Of what the list is sorted by: ms since 1970, visits, or the name in lower case; null: never visited. */
  readonly key: string | null;
  readonly id: string;
};

/** A smartlink of a list, and the bytes that its content takes in Postgres, mostly compressed. */
export type FoundSmartlink = Place & { readonly bytes: number };

type SortBy = {
  readonly key: string;
  /** The type of `key`, and its value as text. */
  readonly type: string;
  readonly text: string;
  /** Smartlinks that were never visited have no key: they come last, newest first, and first in ascending order. */
  readonly visited?: { readonly join: string; readonly not: string };
};

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint::text`;

/** The condition and the key are those of an index on smartlink_totals (0014). */
function visitedBy(key: string, condition: string): Pick<SortBy, 'key' | 'visited'> {
  return {
    key,
    visited: {
      join: `join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
        and smartlink_totals.user_id = smartlinks.user_id and ${condition}`,
      not: `not exists (select from smartlink_totals
        where smartlink_totals.smartlink_id = smartlinks.id and ${condition})`,
    },
  };
}

const VISITS = '(smartlink_totals.clicks + smartlink_totals.scans)';
const LAST_VISIT = 'smartlink_totals.last_visit_at';
const NAME = '(lower(smartlinks.name) collate "C")';

const SORT_BY: Readonly<Record<Sort, SortBy>> = {
  createdAt: { key: 'smartlinks.created_at', type: 'timestamptz', text: msOf('smartlinks.created_at') },
  updatedAt: { key: 'smartlinks.updated_at', type: 'timestamptz', text: msOf('smartlinks.updated_at') },
  // The same order on every server, and with every version of its locales.
  name: { key: NAME, type: 'text', text: NAME },
  visits: { ...visitedBy(VISITS, `${VISITS} > 0`), type: 'bigint', text: `${VISITS}::text` },
  lastVisitAt: {
    ...visitedBy(LAST_VISIT, `${LAST_VISIT} is not null`),
    type: 'timestamptz',
    text: msOf(LAST_VISIT),
  },
};

export type Listing = {
  readonly userId: string;
  readonly filter: ListFilter;
  readonly sort: Sort;
  readonly order: Order;
  /** `q` finds text anywhere; else only what begins with it. */
  readonly searchesText: boolean;
};

/** Smartlinks after a place, in the order of the list; ties by id. */
export async function findPage(
  db: Queryable,
  listing: Listing,
  { after, limit }: { readonly after: Place | null; readonly limit: number },
): Promise<readonly FoundSmartlink[]> {
  const { sort, order } = listing;
  const isSplit = SORT_BY[sort].visited !== undefined;
  const parts = !isSplit ? [true] : order === 'desc' ? [true, false] : [false, true];
  // Those before the part of `after` are behind it.
  const left = after === null ? parts : parts.slice(parts.indexOf(after.key !== null));
  const found: FoundSmartlink[] = [];
  for (const [i, hasKey] of left.entries()) {
    const place = i === 0 ? after : null;
    found.push(...(await findPart(db, listing, { hasKey, after: place, limit: limit - found.length })));
    if (found.length >= limit) break;
  }
  return found;
}

async function findPart(
  db: Queryable,
  listing: Listing,
  { hasKey, after, limit }: { hasKey: boolean; after: Place | null; limit: number },
): Promise<readonly FoundSmartlink[]> {
  const { sort, order } = listing;
  const { key, type, text, visited } = SORT_BY[sort];
  const values = createValues();
  const conditions = [...(await findConditions(db, listing, values))];
  if (visited !== undefined && !hasKey) conditions.push(visited.not);
  const compare = order === 'desc' ? '<' : '>';
  if (after !== null) {
    const id = `${values.add(after.id)}::uuid`;
    if (hasKey) {
      const given = values.add(type === 'timestamptz' ? new Date(Number(after.key)) : after.key);
      conditions.push(`(${key}, smartlinks.id) ${compare} (${given}::${type}, ${id})`);
    } else conditions.push(`smartlinks.id ${compare} ${id}`);
  }
  const orderBy = [...(hasKey ? [key] : []), 'smartlinks.id'].map((each) => `${each} ${order}`);
  const { rows } = await db.query(
    `select smartlinks.id, ${hasKey ? text : 'null'} as key, pg_column_size(smartlinks.content) as bytes
     from smartlinks ${hasKey ? (visited?.join ?? '') : ''}
     where ${conditions.join(' and ')}
     order by ${orderBy.join(', ')}
     limit ${values.add(limit)}`,
    [...values.list],
  );
  return rows as FoundSmartlink[];
}

/** The number of smartlinks of a list; `max + 1` if there are more. */
export async function countListed(db: Queryable, listing: Listing, max: number): Promise<number> {
  const values = createValues();
  const conditions = await findConditions(db, listing, values);
  const { rows } = await db.query(
    `select count(*)::integer as count
     from (select from smartlinks where ${conditions.join(' and ')} limit ${values.add(max + 1)}) as found`,
    [...values.list],
  );
  return (rows[0] as { count: number }).count;
}

async function findConditions(
  db: Queryable,
  { userId, filter, searchesText }: Listing,
  values: Values,
): Promise<Conditions> {
  const { slug, unsafe, createdFrom, createdTo, q } = filter;
  const defaults = slug === undefined ? ({ archived: 'false' } as const) : ({} as const);
  const conditions = [...(await toConditions(db, userId, { ...defaults, ...filter }, values))];
  if (filter.status === undefined) {
    if (slug !== undefined) conditions.push(`smartlinks.status <> 'Deleted'`);
    else conditions.push(`smartlinks.status = '${unsafe === 'true' ? 'Paused' : 'Active'}'`);
  }
  if (unsafe === 'true') {
    conditions.push(`smartlinks.status = 'Paused' and smartlinks.pause_reason is not null`);
  }
  if (createdFrom !== undefined) {
    conditions.push(
      `smartlinks.created_at >= ${values.add(createdFrom)}::date::timestamp at time zone 'UTC'`,
    );
  }
  if (createdTo !== undefined) {
    conditions.push(
      `smartlinks.created_at < (${values.add(createdTo)}::date + 1)::timestamp at time zone 'UTC'`,
    );
  }
  if (slug !== undefined) conditions.push(hasAddress(values, userId, slug));
  if (q !== undefined) conditions.push((searchesText ? hasText : beginsWith)(values, userId, q));
  return conditions;
}

// On the instance's host and on each domain, one at most. An imported address that is written exactly so comes first, as at a
// visit.
function hasAddress(values: Values, userId: string, slug: string): string {
  const user = values.add(userId);
  return `smartlinks.id in (select distinct on (left(slugs.key, strpos(slugs.key, '.'))) slugs.smartlink_id from slugs
    where slugs.user_id = ${user} and slugs.key in (
      select host.start || given.key
      from (values (${values.add(importedKey(slug))}), (${values.add(addressKey(slug))})) as given (key),
           (select '' as start union all
            select number || '.' from domains where domains.user_id = ${user} and status <> 'Removed') as host)
    order by left(slugs.key, strpos(slugs.key, '.')), strpos(slugs.key, '=') desc)`;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

// Of 100,000 smartlinks a rare word takes 2 ms through the index of trigrams (0015), a missing one of two letters 90.
function hasText(values: Values, userId: string, q: string): string {
  const pattern = values.add(`%${escapeLike(q)}%`);
  return `smartlinks.id in (select smartlink_id from smartlink_search
    where smartlink_search.user_id = ${values.add(userId)} and smartlink_search.text like lower(${pattern}))`;
}

/** Matches that a search by prefix finds at most, of names and of addresses. */
const PREFIX_MATCHES_MAX = 1_000;

function beginsWith(values: Values, userId: string, q: string): string {
  const pattern = values.add(`${escapeLike(q)}%`);
  const user = values.add(userId);
  return `smartlinks.id in (
    (select named.id from smartlinks as named
     where named.user_id = ${user} and lower(named.name) collate "C" like lower(${pattern})
     limit ${PREFIX_MATCHES_MAX})
    union all
    (select slugs.smartlink_id from slugs
     where slugs.user_id = ${user} and ltrim(lower(slugs.slug), '=') like lower(${pattern})
     limit ${PREFIX_MATCHES_MAX}))`;
}

/** Whether the database has the index of trigrams: the extension cannot be created everywhere. */
export async function hasTextIndex(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(`select to_regclass('smartlink_search_text') is not null as has`, []);
  return (rows[0] as { has: boolean }).has;
}

const FIND_LISTED = `
select ${SHOWN_COLUMNS}, ${KNOWN_TOTALS}
from unnest($1::uuid[]) with ordinality as wanted (id, place)
join smartlinks on smartlinks.id = wanted.id
left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
order by wanted.place`;

/** Smartlinks in the order of `ids`; without those deleted for good since. */
export async function findListed(db: Queryable, ids: readonly string[]): Promise<readonly ListedRow[]> {
  const { rows } = await db.query(FIND_LISTED, [ids]);
  return rows as ListedRow[];
}

/** A row of a summary: of the content only the links of an App's stores. */
export type SummaryRow = ListedRow & {
  /** Of a Url link. */
  readonly destination: string | null;
  readonly theme_color: string | null;
  readonly last_visit_at: Date | null;
};

const FIND_SUMMARIES = `
select ${COLUMNS}, ${KNOWN_TOTALS}, smartlink_totals.last_visit_at,
       jsonb_build_object(smartlinks.type, case smartlinks.type when 'App'
         then jsonb_build_object('configuration', smartlinks.content #> '{App,configuration}') else '{}' end) as content,
       case smartlinks.type when 'Url' then smartlinks.content #>> '{Url,shortener,url}' end as destination,
       case smartlinks.type
         when 'Landing' then smartlinks.content #>> '{Landing,landing,themeColor}'
         when 'QRTag' then smartlinks.content #>> '{QRTag,qrTag,themeColor}'
         when 'DigiCard' then smartlinks.content #>> '{DigiCard,digiCard,themeColor}'
         when 'QrMenu' then smartlinks.content #>> '{QrMenu,qrMenu,themeColor}' end as theme_color
from unnest($1::uuid[]) with ordinality as wanted (id, place)
join smartlinks on smartlinks.id = wanted.id
left join smartlink_totals on smartlink_totals.smartlink_id = smartlinks.id
order by wanted.place`;

/** Like findListed, for a summary. */
export async function findSummaries(db: Queryable, ids: readonly string[]): Promise<readonly SummaryRow[]> {
  const { rows } = await db.query(FIND_SUMMARIES, [ids]);
  return rows as SummaryRow[];
}

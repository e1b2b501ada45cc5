import type { Pool } from 'pg';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { newId } from '@smartlink/smartlink/store';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';

// Random smartlinks of one account, for the tests of the list.

const LINKS = 90;
export const DAY_MS = 86_400_000;
export const FIRST_DAY_MS = Date.UTC(2026, 0, 1);

export type Link = {
  readonly id: string;
  readonly status: string;
  readonly type: string;
  readonly name: string;
  readonly slug: string;
  readonly alias: string | null;
  /** From another service, and matched exactly. */
  readonly imported: string | null;
  readonly destination: string | null;
  readonly notes: string | null;
  readonly folder: string | null;
  readonly tags: readonly string[];
  readonly archived: boolean;
  readonly unsafe: boolean;
  readonly createdBy: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly visits: number;
  readonly lastVisitMs: number | null;
};

const random = createRandom(20_261_124);
export const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const maybe = <T>(value: T, oneIn: number): T | null => (random(oneIn) === 0 ? value : null);

const WORDS = ['Bakery', 'bakery', 'Çay', 'çay 100%', 'Əncir', 'menu_a', 'Menu B', 'spring\\sale', 'İzmir'];
const TAGS = ['Red', 'blue', 'Çörək', 'rare'];
/** Of the links, by id. */
export const folders = [newId(1), newId(2)] as const;
export const people = [newId(3), newId(4)] as const;

/** Stores the links with their folders, tags and people; the visits are not stored. */
export async function storeLinks(pg: Pool, userId: string): Promise<readonly Link[]> {
  const links = Array.from({ length: LINKS }, (_none, i) => makeLink(i));
  await pg.query(
    `insert into people (id, email) select id, id || '@example.com' from unnest($1::uuid[]) as p (id)`,
    [people],
  );
  await pg.query(
    `insert into folders (id, user_id, name, key) select id, $2, id, id from unnest($1::uuid[]) as f (id)`,
    [folders, userId],
  );
  await pg.query(
    `insert into tags (id, user_id, name, key) select gen_random_uuid(), $2, name, lower(name) from unnest($1::text[]) as t (name)`,
    [TAGS, userId],
  );
  await pg.query(STORE, [userId, JSON.stringify(links)]);
  return links;
}

function makeLink(i: number): Link {
  const createdMs = FIRST_DAY_MS + random(6) * DAY_MS + pick([0, 1, DAY_MS - 1]);
  const type = pick(['Url', 'Url', ...SMARTLINK_TYPES]);
  const status = pick(['Active', 'Active', 'Active', 'Paused', 'Deleted']);
  const visits = random(3) === 0 ? 0 : random(4) + 1;
  return {
    id: newId(createdMs),
    status,
    type,
    name: `${pick(WORDS)}${random(3)}`,
    slug: `Slug${i}x`,
    alias: maybe(`Former${i}`, 4),
    imported: maybe(`Old-Code_${i}`, 5),
    destination: type === 'Url' ? `https://${pick(['a', 'b'])}.example.com:8443/Path_${random(5)}` : null,
    notes: maybe(`Ask ${pick(WORDS)}\nfirst`, 3),
    folder: maybe(pick(folders), 2),
    tags: TAGS.filter((tag) => random(tag === 'rare' ? 30 : 3) === 0),
    archived: random(5) === 0,
    unsafe: status === 'Paused' && random(2) === 0,
    createdBy: maybe(pick(people), 2),
    createdMs,
    updatedMs: createdMs + random(3) * DAY_MS,
    visits,
    lastVisitMs: visits === 0 ? null : FIRST_DAY_MS + random(5) * DAY_MS,
  };
}

const STORE = `
with link as (
  select * from jsonb_to_recordset($2) as link (id uuid, status text, type text, name text, slug text, alias text, imported text,
    destination text, notes text, folder uuid, tags jsonb, archived boolean, unsafe boolean, "createdBy" uuid,
    "createdMs" float8, "updatedMs" float8, visits bigint, "lastVisitMs" float8)
), added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, notes, folder_id, archived_at,
    imported_addresses, pause_reason, created_by, created_at, updated_at)
  select id, $1, status, type, name, slug,
    jsonb_build_object(type, case when type = 'Url' then jsonb_build_object('shortener',
      jsonb_build_object('url', destination, 'protected', false)) else '{}' end),
    nextval('smartlink_version'), notes, folder, case when archived then now() end,
    case when imported is not null then array[imported] end, case when unsafe then '{"code": "UNSAFE_URL", "details": []}'::jsonb end, "createdBy",
    to_timestamp("createdMs" / 1000), to_timestamp("updatedMs" / 1000)
  from link
), named as (
  insert into slugs (key, slug, user_id, smartlink_id, is_primary)
  select lower(slug), slug, $1, id, true from link
  union all select lower(alias), alias, $1, id, false from link where alias is not null
  union all select '=' || imported, imported, $1, id, false from link where imported is not null
), tagged as (
  insert into smartlink_tags (smartlink_id, tag_id)
  select link.id, tags.id from link, jsonb_array_elements_text(link.tags) as tag join tags on tags.name = tag
)
select`;

export function visitsOf(userId: string, { id, visits, lastVisitMs }: Link): EventRow[] {
  const ts = new Date(lastVisitMs ?? 0).toISOString().slice(0, -1).replace('T', ' ');
  return Array.from({ length: visits }, () => makeEventRow(userId, id, { ts }));
}

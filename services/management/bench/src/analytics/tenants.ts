import { newId } from '@smartlink/smartlink-store/new-id';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { addUser } from '../bench-users.js';
import type { BenchUser } from '../bench-users.js';

/** A link of the bench. Its `number` decides how many of the events are its own (see fill-events.ts). */
export type BenchLink = { readonly number: number; readonly id: string; readonly ownerId: string };

export type Tenants = {
  /** The first owns the link with a fifth of all events. */
  readonly owners: readonly BenchUser[];
  /** By number. */
  readonly links: readonly BenchLink[];
};

export const OWNERS = 20;
export const LINKS_PER_OWNER = 1_000;

// Links are older than every event. The busiest are the newest, so that an owner's first page of a list, which shows the
// newest hundred, holds as many events as a page can.
const DAY_MS = 86_400_000;
const OLDEST_LINK_MS = 730 * DAY_MS;
const NEWEST_LINK_MS = 366 * DAY_MS;

// As the service stores them.
const ADD_LINKS = `
with added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at, updated_at)
  select link.id, $1, 'Active', 'Url', 'Bench link ' || link.slug, link.slug,
         jsonb_build_object('Url', jsonb_build_object('shortener', jsonb_build_object(
           'url', 'https://example.org/bench/' || link.slug, 'protected', false))),
         nextval('smartlink_version'), to_timestamp(link.created_ms / 1000), to_timestamp(link.created_ms / 1000)
  from unnest($2::uuid[], $3::text[], $4::float8[]) as link (id, slug, created_ms)
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, user_id, id, true from added`;

const CREATE_LINK_NUMBERS = `
create table bench_links (number UInt32, owner_id UUID, smartlink_id UUID, slug String)
engine = MergeTree order by number`;

/** Adds 20 users with a key and 1,000 links each to Postgres, and their numbers to ClickHouse. `step` follows each user. */
export async function addTenants(
  { pg, clickhouse }: Pick<BenchStack, 'pg' | 'clickhouse'>,
  nowMs: number,
  step: () => void,
): Promise<Tenants> {
  const owners: BenchUser[] = [];
  const links: (BenchLink & { readonly slug: string })[] = [];
  for (let place = 0; place < OWNERS; place += 1) {
    const owner = await addUser(pg, newId(nowMs - OLDEST_LINK_MS));
    const own = Array.from({ length: LINKS_PER_OWNER }, (_, i) => {
      const number = i * OWNERS + place;
      const share = 1 - number / (OWNERS * LINKS_PER_OWNER);
      const createdMs = Math.round(nowMs - OLDEST_LINK_MS + share * (OLDEST_LINK_MS - NEWEST_LINK_MS));
      return { number, id: newId(createdMs), ownerId: owner.userId, slug: `bench${number}`, createdMs };
    });
    await pg.query(ADD_LINKS, [
      owner.userId,
      own.map(({ id }) => id),
      own.map(({ slug }) => slug),
      own.map(({ createdMs }) => createdMs),
    ]);
    owners.push(owner);
    links.push(...own);
    step();
  }
  await pg.query('analyze smartlinks, slugs');
  links.sort((a, b) => a.number - b.number);
  await clickhouse.command({ query: CREATE_LINK_NUMBERS });
  await clickhouse.insert({
    table: 'bench_links',
    values: links.map(({ number, ownerId, id, slug }) => ({
      number,
      owner_id: ownerId,
      smartlink_id: id,
      slug,
    })),
    format: 'JSONEachRow',
  });
  return { owners, links };
}

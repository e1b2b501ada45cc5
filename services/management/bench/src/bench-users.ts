import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Pool } from 'pg';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/api-key';
import { BENCH_PLAN } from '@smartlink/bench/bench-stack';

export type BenchUser = { readonly userId: string; readonly apiKey: string };

type Databases = { readonly pg: Pool; readonly clickhouse: ClickHouseClient };

/** Adds a user of the wide plan, and returns who it is with the one key. */
export async function addUser(pg: Pool, userId: string = randomUUID()): Promise<BenchUser> {
  const apiKey = generateApiKey(randomInt);
  const sha256 = createHash('sha256').update(apiKey).digest();
  await pg.query('insert into users (id, email, plan) values ($1, $2, $3)', [
    userId,
    `${userId}@example.com`,
    BENCH_PLAN,
  ]);
  await pg.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'bench')`,
    [randomUUID(), userId, sha256, apiKeyDisplayPrefix(apiKey)],
  );
  return { userId, apiKey };
}

// As the service stores them; ids are in the order of creation, which is what UUIDv7 is for. One second lies between
// two links.
const ADD_LINKS = `
with added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at, updated_at)
  select uuidv7(), $1, 'Active', 'Url', 'Bench link ' || n, $2::text || n,
         jsonb_build_object('Url', jsonb_build_object('shortener', jsonb_build_object(
           'url', 'https://example.org/bench/' || n, 'protected', false))),
         nextval('smartlink_version'), now() - ($3::integer - n) * interval '1 second',
         now() - ($3::integer - n) * interval '1 second'
  from generate_series(1, $3::integer) as n
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, user_id, id, true from added`;

const FIND_IDS = `select id from smartlinks where user_id = $1 order by created_at desc, id desc`;

/** Adds a user with `links` links, each visited `visitsPerLink` times, and returns the links' ids, newest first. */
export async function addUserWithLinks(
  databases: Databases,
  links: number,
  visitsPerLink: number,
): Promise<BenchUser & { readonly linkIds: readonly string[] }> {
  const { pg, clickhouse } = databases;
  const user = await addUser(pg);
  await pg.query(ADD_LINKS, [user.userId, `b${randomInt(1e9)}x`, links]);
  await pg.query('analyze smartlinks, slugs');
  const { rows } = await pg.query<{ id: string }>(FIND_IDS, [user.userId]);
  const linkIds = rows.map(({ id }) => id);
  await addVisits(clickhouse, user.userId, linkIds, visitsPerLink);
  return { ...user, linkIds };
}

// One row a link travels, ClickHouse makes the others of it.
const REPEAT_VISITS = `
insert into events (ts, event_id, owner_id, smartlink_id, slug, source, outcome, country, device, os, browser)
select addSeconds(ts, number + 1), generateUUIDv7(number), owner_id, smartlink_id, slug, source, outcome, country,
       device, os, browser
from events cross join numbers({more:UInt32}) as repeats
where owner_id = {ownerId:UUID}`;

async function addVisits(
  clickhouse: ClickHouseClient,
  ownerId: string,
  linkIds: readonly string[],
  visitsPerLink: number,
): Promise<void> {
  const values = linkIds.map((smartlinkId) => ({
    ts: '2026-03-10 12:00:00.000',
    event_id: randomUUID(),
    owner_id: ownerId,
    smartlink_id: smartlinkId,
    slug: 'bench',
    source: 'click',
    outcome: 'target',
    country: 'DE',
    device: 'mobile',
    os: 'Android',
    browser: 'Chrome',
  }));
  await clickhouse.insert({ table: 'events', values, format: 'JSONEachRow' });
  await clickhouse.command({ query: REPEAT_VISITS, query_params: { ownerId, more: visitsPerLink - 1 } });
  // Merges in the background would otherwise take processor time from the first scenarios.
  await clickhouse.command({ query: 'optimize table events final' });
}

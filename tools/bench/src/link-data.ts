import { createHash, randomInt, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { findSnapshots, publishSnapshots } from '@smartlink/links/publish';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/credentials';
import { newId } from '@smartlink/smartlink/store';
import { BENCH_PLAN, type BenchStack } from './stack.js';

export type StoredLink = { readonly id: string; readonly ownerId: string; readonly slug: string };

/** Numbers of links; without `to`. */
type Range = { readonly from: number; readonly to: number; readonly signal: AbortSignal };

export type FillOptions = Range & {
  /** Users that own the links in turn; by default new ones, with a hundred links each. */
  readonly owners?: readonly string[];
  /** Now by default. */
  readonly createdMsOf?: (number: number) => number;
  /** Called after each statement. */
  readonly onStored?: (count: number, links: readonly StoredLink[]) => void;
};

/** Few enough to stay in memory. */
export const HOT_LINKS = 10;

const LINKS_PER_OWNER = 100;
const LINKS_PER_STATEMENT = 10_000;
const SLUG_LETTERS = 7;
const SLUGS = 36n ** BigInt(SLUG_LETTERS);
// The golden section of all slugs, without a common divisor with 36: consecutive numbers get distant, distinct slugs.
const STEP = 48_431_716_939n;

/** Slug of a link: seven letters scattered as the service draws them, so that an index is as sparse as in production. */
export function scatteredSlug(number: number): string {
  return ((BigInt(number) * STEP) % SLUGS).toString(36).padStart(SLUG_LETTERS, '0');
}

export function linkSlugs(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => scatteredSlug(from + i));
}

export function linkPaths(from: number, count: number): string[] {
  return linkSlugs(from, count).map((slug) => `/${slug}`);
}

/** Target of a link; all have 93 characters, so that answers have equal lengths. */
export function urlOf(number: number): string {
  const title = `${String(number).padStart(8, '0')}-a-title`;
  return `https://www.example.org/stories/${title}?utm_source=newsletter&utm_medium=email&ref=7`;
}

/** Adds users with the plan of the bench. */
async function addUsers(pg: Pool, count: number): Promise<readonly string[]> {
  const userIds = Array.from({ length: count }, () => newId(Date.now()));
  const query = `insert into users (id, email, plan) select id, id || '@example.com', $2 from unnest($1::uuid[]) as given (id)`;
  await pg.query(query, [userIds, BENCH_PLAN]);
  return userIds;
}

export type Account = { readonly userId: string; readonly apiKey: string };

/** Adds a user with an API key. */
export async function addAccount(pg: Pool): Promise<Account> {
  const [userId = ''] = await addUsers(pg, 1);
  const apiKey = generateApiKey(randomInt);
  const sha256 = createHash('sha256').update(apiKey).digest();
  await pg.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'bench')`,
    [randomUUID(), userId, sha256, apiKeyDisplayPrefix(apiKey)],
  );
  return { userId, apiKey };
}

// As management writes them, without outbox, audit and webhooks.
const ADD_LINKS = `
with added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at, updated_at)
  select id, owner, 'Active', 'Url', 'Bench link ' || slug, slug, content, nextval('smartlink_version'),
         to_timestamp(created_ms / 1000), to_timestamp(created_ms / 1000)
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::float8[])
       as given (id, owner, slug, content, created_ms)
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, user_id, id, true from added`;

/** Stores Url links in Postgres only. Rejects on `signal`. */
export async function fillLinks(
  pg: Pool,
  { from, to, signal, owners, createdMsOf = Date.now, onStored }: FillOptions,
): Promise<void> {
  const ownerIds = owners ?? (await addUsers(pg, Math.ceil((to - from) / LINKS_PER_OWNER)));
  for (let start = from; start < to; start += LINKS_PER_STATEMENT) {
    signal.throwIfAborted();
    const numbers = Array.from({ length: Math.min(LINKS_PER_STATEMENT, to - start) }, (_, i) => start + i);
    const links = numbers.map((number) => {
      const createdMs = Math.round(createdMsOf(number));
      const ownerId = ownerIds[(number - from) % ownerIds.length] ?? '';
      return { id: newId(createdMs), ownerId, slug: scatteredSlug(number), createdMs };
    });
    await pg.query(ADD_LINKS, [
      links.map(({ id }) => id),
      links.map(({ ownerId }) => ownerId),
      links.map(({ slug }) => slug),
      numbers.map((number) =>
        JSON.stringify({ Url: { shortener: { url: urlOf(number), protected: false } } }),
      ),
      links.map(({ createdMs }) => createdMs),
    ]);
    onStored?.(links.length, links);
  }
  // Autovacuum would do this within minutes.
  await pg.query('vacuum (analyze) smartlinks, slugs, users');
}

/** As in the services' configuration. */
export const KEY_PREFIX = 'smartlink:';

const SNAPSHOTS_PER_PART = 2_000;

/**
 * Publishes links from Postgres to Redis, as management does after a change. Lifts the memory limit of the embedded Redis,
 * which would evict most of ten million links. Rejects on `signal`.
 */
export async function publishLinks(
  { pg, redisUrl }: BenchStack,
  { from, to, signal, onPublished }: Range & { readonly onPublished?: (count: number) => void },
): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    await redis.config('SET', 'maxmemory', '0');
    for (let start = from; start < to; start += SNAPSHOTS_PER_PART) {
      signal.throwIfAborted();
      const count = Math.min(SNAPSHOTS_PER_PART, to - start);
      await publishSnapshots(redis, KEY_PREFIX, await findSnapshots(pg, linkSlugs(start, count)));
      onPublished?.(count);
    }
  });
}

export async function withRedis<Result>(
  url: string,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

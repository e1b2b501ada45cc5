import { randomInt } from 'node:crypto';
import path from 'node:path';
import { findListening, startProgram } from '@smartlink/bench/processes';
import { addKey, type BenchStack, type StackRun } from '@smartlink/bench/stack';
import { findSnapshots, findWithin, publishSnapshots } from '@smartlink/links/publish';
import type { RedisConnection } from '@smartlink/links/redis';
import { createLinkResolver, type LinkResolver } from '@smartlink/links/resolve';
import { KEY_PREFIX, URL_LINKS, fillLinks, fillRedis, scatteredSlug, withLinkRedis } from './links.js';

/** Engines with a number of links, a management service, a resolver, and an owner of a hundred links. */
export type Side = {
  readonly stack: BenchStack;
  readonly management: { readonly pid: number; readonly url: string };
  readonly redis: RedisConnection;
  readonly resolver: LinkResolver;
  readonly apiKey: string;
  /** Of the owner's links. */
  readonly linkIds: readonly string[];
  /** Number of links, without those that the measurement creates. */
  links: number;
  /** Version of the last published snapshot, above all stored ones. */
  publishedVersion: number;
};

const FIRST_PUBLISHED_VERSION = 1_000_000_000;
const MANAGEMENT_PROGRAM = path.resolve(import.meta.dirname, '../../../management/dist/main.js');
const FIRST_OWNER = `
select id, user_id as "ownerId" from smartlinks
where user_id = (select user_id from slugs where key = $1) order by id`;

type SideOptions = {
  readonly name: string;
  readonly stack: BenchStack;
  readonly links: number;
  readonly nodeArgs?: readonly string[];
};

/** Does `work` with a management service on the engines of `stack`, filled with `links` links. */
export async function withSide<Result>(
  { cores, signal }: StackRun<object>,
  { name, stack, links, nodeArgs = [] }: SideOptions,
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  await grow({ stack, links: 0 }, links, { signal });
  const { rows } = await stack.pg.query<{ id: string; ownerId: string }>(FIRST_OWNER, [scatteredSlug(0)]);
  const apiKey = await addKey(stack.pg, rows[0]?.ownerId ?? '');
  const command = [process.execPath, ...nodeArgs, MANAGEMENT_PROGRAM];
  const options = { name: `management-${name}`, command, env: stack.serviceEnv };
  const management = await startProgram({ stack, cores }, options, findListening);
  try {
    return await withLinkRedis(stack.redisUrl, (redis) =>
      work({
        ...{ stack, redis, apiKey, links },
        management: { pid: management.pid, url: management.ready },
        resolver: createLinkResolver({
          ...{ redis, postgres: stack.pg, keyPrefix: KEY_PREFIX },
          now: () => performance.now(),
        }),
        linkIds: rows.map(({ id }) => id),
        publishedVersion: FIRST_PUBLISHED_VERSION,
      }),
    );
  } finally {
    await management.stop();
  }
}

/** Fills Postgres and Redis of a side up to `links` links. */
export async function grow(
  side: { readonly stack: BenchStack; links: number },
  links: number,
  { signal, onStep }: { signal: AbortSignal; onStep?: (stored: number) => void },
): Promise<void> {
  const numbers = { from: side.links, to: links, signal };
  const inPostgres = links - side.links;
  await fillLinks(side.stack.pg, URL_LINKS, { ...numbers, onStored: (count) => onStep?.(count) });
  await fillRedis(side.stack, { ...numbers, onStored: (count) => onStep?.(inPostgres + count) });
  side.links = links;
}

/** Renames one of the owner's links by the API. */
export async function renameLink(side: Side, round: number): Promise<void> {
  const smartlinkName = `Round ${round}, ${randomInt(1e9)}`;
  await askApi(side, 200, { method: 'PATCH', body: { id: anyId(side), configuration: { smartlinkName } } });
}

type ApiRequest = { readonly method?: string; readonly query?: string; readonly body?: object };

async function askApi({ management, apiKey }: Side, status: number, request: ApiRequest): Promise<void> {
  const { method = 'GET', query = '', body } = request;
  const response = await fetch(`${management.url}/api/v1/smartlink${query}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await response.text();
  must(response.status === status, `The API answered ${response.status}: ${answer.slice(0, 200)}`);
}

const anyId = ({ linkIds }: Side): string => linkIds[randomInt(linkIds.length)] ?? '';

const anySlug = ({ links }: Side): string => scatteredSlug(randomInt(links));

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

/** An operation on a link drawn from all. */
export type Operation = {
  readonly title: string;
  /** Repeated a fifth as often: it uses several engines. */
  readonly isSlow?: boolean;
  /** Rejects on a wrong outcome. `round` grows. */
  readonly run: (side: Side, round: number) => Promise<void>;
};

// Limit of the resolver.
const QUERY_BYTES_MAX = 1024 * 1024;
const BATCH = 100;
const UNKNOWN_FROM = 100_000_000;
const NEW_LINK = {
  configuration: { smartlinkName: 'Made by the bench', smartlinkType: 'Url' },
  shortener: { url: 'https://www.example.org/stories/made-by-the-bench?source=bench' },
};

export const OPERATIONS: readonly Operation[] = [
  { title: 'Postgres: one link', run: (side) => findMany(side, 1) },
  { title: `Postgres: ${BATCH} links at once`, run: (side) => findMany(side, BATCH) },
  {
    title: 'Postgres: an unknown slug',
    run: async ({ stack }) => {
      const slug = scatteredSlug(UNKNOWN_FROM + randomInt(UNKNOWN_FROM));
      const found = await findWithin(stack.pg, [slug], QUERY_BYTES_MAX);
      must(found.size === 0, 'Postgres has a link for an unknown slug');
    },
  },
  {
    title: 'Redis: one link',
    run: async (side) => {
      const { source } = await side.resolver.resolve(anySlug(side));
      must(source === 'redis', 'Redis does not have a link');
    },
  },
  {
    title: 'publish a change to Redis',
    run: async (side) => {
      const slug = anySlug(side);
      const version = (side.publishedVersion += 1);
      const [snapshot] = (await findSnapshots(side.stack.pg, [slug])).values();
      if (snapshot === undefined) throw new Error('Postgres does not have a link');
      await publishSnapshots(side.redis, KEY_PREFIX, new Map([[slug, { ...snapshot, version }]]));
    },
  },
  {
    title: 'API: get a link',
    isSlow: true,
    run: (side) => askApi(side, 200, { query: `?id=${anyId(side)}` }),
  },
  { title: 'API: list 100 links', isSlow: true, run: (side) => askApi(side, 200, { query: '?limit=100' }) },
  {
    title: 'API: create a link',
    isSlow: true,
    run: (side) => askApi(side, 201, { method: 'POST', body: NEW_LINK }),
  },
  { title: 'API: rename a link', isSlow: true, run: renameLink },
];

async function findMany(side: Side, count: number): Promise<void> {
  const slugs = new Set(Array.from({ length: count }, () => anySlug(side)));
  const found = await findWithin(side.stack.pg, [...slugs], QUERY_BYTES_MAX);
  must(found.size === slugs.size, 'Postgres does not have every link');
}

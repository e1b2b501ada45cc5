import { createHash, randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { startServer } from '@smartlink/bench/server-process';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { createLinkResolver } from '@smartlink/link-resolver/link-resolver';
import type { LinkResolver } from '@smartlink/link-resolver/link-resolver';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/api-key';
import { KEY_PREFIX, fillRedis, openLinkRedis } from '../fill-redis.js';
import { URL_LINKS, fillLinks, scatteredSlug } from '../many-links.js';
import type { StackRun } from '../stack-bench.js';

/** Engines with a number of links, what asks them as the services do, and an owner of a hundred links. */
export type Side = {
  readonly stack: BenchStack;
  readonly management: ServerProcess;
  readonly redis: RedisConnection;
  readonly resolver: LinkResolver;
  readonly apiKey: string;
  /** Of the owner's links. */
  readonly linkIds: readonly string[];
  /** How many links there are, but for those that the measurement itself makes. */
  links: number;
  /** Of the last snapshot that was published by itself: newer than all that were stored. */
  publishedVersion: number;
};

const FIRST_PUBLISHED_VERSION = 1_000_000_000;
const MANAGEMENT_PROGRAM = path.resolve(import.meta.dirname, '../../../../management/dist/main.js');
const FIRST_OWNER = `
select id, user_id as "ownerId" from smartlinks
where user_id = (select user_id from slugs where key = $1) order by id`;
const ADD_KEY = `
insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'bench')`;

/** Fills the engines of `stack` with `links` links, starts a management service on them, does `work`, and stops it. */
export async function withSide<Result>(
  { cores, searchPath, signal }: StackRun<object>,
  { name, stack, links }: { name: string; stack: BenchStack; links: number },
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  await grow({ stack, links: 0 }, links, { signal });
  const { rows } = await stack.pg.query<{ id: string; ownerId: string }>(FIRST_OWNER, [scatteredSlug(0)]);
  const apiKey = generateApiKey(randomInt);
  const sha256 = createHash('sha256').update(apiKey).digest();
  await stack.pg.query(ADD_KEY, [randomUUID(), rows[0]?.ownerId, sha256, apiKeyDisplayPrefix(apiKey)]);
  const redis = await openLinkRedis(stack.redisUrl);
  const management = await startServer({
    name: `management-${name}`,
    program: MANAGEMENT_PROGRAM,
    env: { PATH: searchPath, ...stack.serviceEnv },
    core: cores.server,
    logFile: stack.logFile('management'),
  });
  try {
    const resolver = createLinkResolver({
      ...{ redis, postgres: stack.pg, keyPrefix: KEY_PREFIX },
      now: () => performance.now(),
    });
    const linkIds = rows.map(({ id }) => id);
    return await work({
      ...{ stack, management, redis, resolver, apiKey, linkIds, links },
      publishedVersion: FIRST_PUBLISHED_VERSION,
    });
  } finally {
    await management.stop();
    redis.disconnect();
  }
}

/** Fills Postgres and Redis of a side up to `links` links. Rejects on `signal`. */
export async function grow(
  side: { readonly stack: BenchStack; links: number },
  links: number,
  { signal, onStep }: { signal: AbortSignal; onStep?: (stored: number) => void },
): Promise<void> {
  const { pg, redisUrl } = side.stack;
  const from = side.links;
  await fillLinks(pg, {
    ...{ kind: URL_LINKS, from, to: links, signal },
    onStored: (count) => onStep?.(count),
  });
  await fillRedis(
    { pg, redisUrl },
    { from, to: links, signal, onStored: (count) => onStep?.(links - from + count) },
  );
  side.links = links;
}

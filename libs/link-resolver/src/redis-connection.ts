import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { parseRedisAddress, redisPlaces } from './redis-address.js';
import type { Credentials, RedisAddress } from './redis-address.js';
import { openCluster } from './redis-cluster.js';
import type { ConnectionOptions, RedisFailure } from './redis-cluster.js';
import { followNodes } from './redis-cluster-nodes.js';
import { limitHandshake, reviveEnded, watchConnections } from './redis-watch.js';

/**
 * What the project asks of Redis, whatever stands behind REDIS_URL. Each command names one key at most: a cluster
 * refuses a command, and ioredis a pipeline, whose keys live on several nodes, so neither `mget` nor `pipeline` is here.
 */
export type RedisConnection = Pick<
  Redis,
  'ping' | 'get' | 'getrangeBuffer' | 'set' | 'eval' | 'publish' | 'disconnect'
> & {
  readonly status: string;
  readonly on: ListenTo;
  readonly off: ListenTo;
};

type ListenTo = {
  (event: 'ready', listener: () => void): unknown;
  (event: 'error', listener: (err: Error) => void): unknown;
};

type OpenOptions = { readonly url: string; readonly log: Pick<Logger, 'info' | 'warn'> };

// A lost connection is tried again at once and then at most every 500 ms: ioredis' own back-off grows to 2 s, which
// would be 2 s of stale links after an outage (design.md, Change).
const RECONNECT_DELAY_MAX_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
// A sentinel that stands still keeps its connections, and everybody who asks it waits.
const SENTINEL_ANSWER_MAX_MS = 1_000;

/**
 * Opens what `url` says: a Redis, the master that sentinels name, or a cluster. It fails fast: a command on a dead
 * connection rejects at once, one without an answer after `commandTimeoutMs`. A connection is also made anew when its
 * other end is gone without a word. Errors are logged once an outage, not once a try. Throws RedisAddressError. The
 * caller closes it with `disconnect()`.
 */
export function openRedis(options: OpenOptions & { readonly commandTimeoutMs: number }): RedisConnection {
  const { url, log, commandTimeoutMs } = options;
  const address = parseRedisAddress(url);
  const common = { ...connectionOptions(address), commandTimeout: commandTimeoutMs };
  if (address.topology === 'cluster') {
    return openCluster({ nodes: address.nodes, at: placesIn(url), options: common, retryDelayMs, log });
  }
  const redis = new Redis({ ...common, ...placeOptions(address), ...LONE_OPTIONS });
  tellOutages(redis, { url, log });
  limitHandshake(redis);
  watchConnections(reviveEnded(redis, RECONNECT_DELAY_MAX_MS), () => [redis]);
  return redis;
}

/**
 * Opens a connection for a subscription: without a command timeout, and unwatched, so that whoever subscribes has to
 * notice silence. In a cluster, whose nodes tell each other every message, it is a connection to any one node, and after
 * each break to another. Throws RedisAddressError. The caller closes it with `disconnect()`.
 */
export function openFeedRedis({ url, log }: OpenOptions): Redis {
  const address = parseRedisAddress(url);
  const common = { ...connectionOptions(address), ...LONE_OPTIONS };
  const redis =
    address.topology === 'cluster'
      ? followNodes(address.nodes, (node) => new Redis({ ...common, ...node }), retryDelayMs)
      : new Redis({ ...common, ...placeOptions(address) });
  tellOutages(redis, { url, log });
  limitHandshake(redis);
  reviveEnded(redis, RECONNECT_DELAY_MAX_MS);
  return redis;
}

/** Resolves when the connection can be used. Rejects after `limitMs`, and when the first try, of all hosts, has failed. */
export async function whenReady(redis: RedisConnection, limitMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  let limit: NodeJS.Timeout | undefined;
  let onReady = (): void => undefined;
  let onError = (_err: Error): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    onReady = resolve;
    onError = reject;
    limit = setTimeout(() => {
      reject(new Error(`Redis is not reachable within ${limitMs} ms`));
    }, limitMs);
  });
  redis.on('ready', onReady);
  redis.on('error', onError);
  try {
    await ready;
  } finally {
    clearTimeout(limit);
    redis.off('ready', onReady);
    redis.off('error', onError);
  }
}

const retryDelayMs = (attempt: number): number => Math.min(attempt * 50, RECONNECT_DELAY_MAX_MS);

const LONE_OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: retryDelayMs,
  // What was the master and is no longer, behind an address that leads to the new one.
  reconnectOnError: (err: Error) => err.message.includes('READONLY'),
} as const;

function connectionOptions(address: RedisAddress): ConnectionOptions {
  return {
    ...accessOptions(address),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Who subscribes does it at every `ready`. ioredis would do it too, and a refusal of that one nobody could catch: it
    // ended every worker at once.
    autoResubscribe: false,
    ...(address.isTls ? { tls: {} } : {}),
  };
}

function placeOptions(address: Exclude<RedisAddress, { topology: 'cluster' }>): ConnectionOptions {
  if (address.topology === 'single') return { ...address.node, db: address.database };
  const { username, password } = address.sentinel;
  return {
    sentinels: [...address.sentinels],
    name: address.masterName,
    role: 'master',
    db: address.database,
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    // A master that only the sentinels have lost goes on answering us, with what is older every second: who is left on
    // it hears from them that there is another. To a sentinel that is away ioredis goes once a minute, and says so on
    // standard error: it leaves nobody a place to listen to that.
    failoverDetector: true,
    sentinelRetryStrategy: retryDelayMs,
    sentinelCommandTimeout: SENTINEL_ANSWER_MAX_MS,
    ...(address.isTls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function accessOptions({ username, password }: Credentials): ConnectionOptions {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
}

const placesIn = (url: string): string => redisPlaces(url).join(', ');

function tellOutages(redis: Redis, { url, log }: OpenOptions): void {
  // Of sentinels and of time-outs ioredis does not say where they are.
  const at = placesIn(url);
  let isDown = false;
  redis.on('error', (err: RedisFailure) => {
    if (!isDown) log.warn({ at, err: { message: err.message, code: err.code } }, 'redis is not reachable');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('redis is reachable again');
    isDown = false;
  });
}

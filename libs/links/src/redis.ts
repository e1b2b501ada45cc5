import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { type Credentials, parseRedisAddress, type RedisAddress, redisPlaces } from './redis-address.js';
import {
  type ConnectionOptions,
  followNodes,
  isCluster,
  limitHandshake,
  openCluster,
  type RedisFailure,
  reviveEnded,
  watchConnections,
} from './redis-cluster.js';

export { RedisAddressError, parseRedisAddress, redisAddressProblem, redisPlaces } from './redis-address.js';
export type { RedisAddress } from './redis-address.js';
export { watchMasters } from './redis-cluster.js';

/**
 * The commands in use, for every topology. Each names at most one key: a cluster refuses a command, and ioredis a
 * pipeline, whose keys live on several nodes, so neither `mget` nor `pipeline` is here.
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

// ioredis' own back-off grows to 2 s, which would be 2 s of stale links after an outage.
const RECONNECT_DELAY_MAX_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
// A frozen sentinel keeps its connections open without answering.
const SENTINEL_ANSWER_MAX_MS = 1_000;

/**
 * Opens a single Redis, the master named by sentinels, or a cluster. Fails fast: a command on a dead connection rejects
 * at once, an unanswered one after `commandTimeoutMs`. Half-open connections are replaced. Errors are logged once per
 * outage. Throws RedisAddressError. The caller closes it with `disconnect()`.
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
 * Opens a connection for a subscription, without a command timeout or pings: the subscriber must notice silence. In a
 * cluster, which forwards messages to all nodes, it connects to one node, and to another after each break. Throws
 * RedisAddressError. The caller closes it with `disconnect()`.
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

/** Rejects after `limitMs`, and when the first connection attempt fails. */
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
  // The address now leads to another master.
  reconnectOnError: (err: Error) => err.message.includes('READONLY'),
} as const;

function connectionOptions(address: RedisAddress): ConnectionOptions {
  return {
    ...accessOptions(address),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Subscribers subscribe at every `ready`. A refusal of ioredis' own attempt cannot be caught and ended all workers.
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
    // A master that only the sentinels have lost keeps answering with ever older data: they report the new one. ioredis
    // retries an unreachable sentinel once a minute and writes that to standard error, which cannot be turned off.
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
  // ioredis' errors of sentinels and timeouts name no address.
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

const RETRY_MS = 50;

/**
 * Resolves when every master has answered: a cluster is `ready` before its nodes are connected, and rejects commands until
 * then. Rejects after `limitMs`.
 */
export async function whenNodesReady(redis: RedisConnection, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  await whenReady(redis, limitMs);
  await Promise.all(nodesOf(redis).map((node) => whenAnswering(node, deadline)));
}

/** The single server, or every master of a cluster. */
export function nodesOf(redis: RedisConnection): readonly Redis[] {
  if (isCluster(redis)) return redis.nodes('master');
  if (redis instanceof Redis) return [redis];
  throw new TypeError('Opened by something else than openRedis');
}

async function whenAnswering(node: Redis, deadline: number): Promise<void> {
  for (;;) {
    try {
      await node.ping();
      return;
    } catch (err) {
      if (performance.now() > deadline) throw err;
      await wait(RETRY_MS);
    }
  }
}

import { Cluster, Command, type Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { HostAndPort } from './redis-address.js';

// A moved slot takes one or two redirections.
const REDIRECTIONS_MAX = 5;
// A command timeout does not make ioredis refresh its slots: after a fail-over from an unreachable master, commands would
// go to it until its connection breaks, some 15 minutes.
const SLOTS_REFRESH_INTERVAL_MS = 2_000;
const SLOTS_REFRESH_TIMEOUT_MS = 1_000;

export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * Opens a cluster from some of its nodes. A command refused by its node is rejected at once, since callers have Postgres
 * or an outbox. The other nodes stay usable while one is down.
 */
export function openCluster(settings: {
  readonly nodes: readonly HostAndPort[];
  /** Its addresses, for the log. */
  readonly at: string;
  readonly options: ConnectionOptions;
  readonly retryDelayMs: (attempt: number) => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}): Cluster {
  const { nodes, at, options, retryDelayMs, log } = settings;
  const cluster = new Cluster([...nodes], {
    redisOptions: options,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryDelayMs,
    maxRedirections: REDIRECTIONS_MAX,
    // 0: no retry. A visitor would wait for ioredis' 16 retries, 100 ms apart.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshInterval: SLOTS_REFRESH_INTERVAL_MS,
    slotsRefreshTimeout: SLOTS_REFRESH_TIMEOUT_MS,
    // Names are not resolved here: certificates are issued for names, and a name may have several addresses.
    dnsLookup: (name, answer) => {
      answer(null, name);
    },
  });
  cluster.on('+node', (node: Redis) => {
    limitHandshake(node);
  });
  // ioredis connects to a node on its first command and rejects commands until then: the first command is a ping.
  watchConnections(
    (stop) => cluster.once('end', stop),
    () => (cluster.status === 'ready' ? cluster.nodes('master') : []),
  );
  tellOutages(cluster, at, log);
  return cluster;
}

/** Whether keys live on several nodes. */
export function isCluster(redis: object): redis is Cluster {
  return redis instanceof Cluster;
}

/** Address of the node serving a key, as far as known; '' outside a cluster. */
export function nodeServing(redis: object, key: string): string {
  return isCluster(redis) ? (masterOf(redis, new Command('get', [key]).getSlot()) ?? '') : '';
}

/**
 * Calls `onMaster` whenever keys may have a new master, which may lack the last writes of the old one: at every new
 * connection to the server or cluster, and when slots of a cluster have moved, which takes up to 2 s to notice.
 */
export function watchMasters(
  redis: { readonly on: (event: 'ready', listener: () => void) => unknown },
  onMaster: () => void,
): void {
  redis.on('ready', onMaster);
  if (!isCluster(redis)) return;
  let masters: readonly (string | undefined)[] = [];
  redis.on('refresh', () => {
    const found = redis.slots.map((_, slot) => masterOf(redis, slot));
    if (masters.length > 0 && found.some((master, slot) => master !== masters[slot])) onMaster();
    masters = found;
  });
}

function masterOf(cluster: Cluster, slot: number): string | undefined {
  return cluster.slots[slot]?.[0];
}

/** A name with several addresses fails with a code and no message. */
export type RedisFailure = Error & { readonly code?: string };

/** Logs once per outage, for each node (by address, since every attempt is a new connection) and for the cluster. */
function tellOutages(cluster: Cluster, at: string, log: Pick<Logger, 'info' | 'warn'>): void {
  const down = new Set<string>();
  let isDown = false;
  cluster.on('error', (err: RedisFailure) => {
    if (!isDown) log.warn({ at, err: { message: err.message, code: err.code } }, 'redis is not reachable');
    isDown = true;
  });
  cluster.on('ready', () => {
    if (isDown) log.info('redis is reachable again');
    isDown = false;
  });
  cluster.on('node error', (err: RedisFailure, node: string) => {
    if (down.has(node)) return;
    down.add(node);
    log.warn({ err: { message: err.message, code: err.code }, node }, 'redis cluster node is not reachable');
  });
  cluster.on('+node', (redis: Redis) => {
    const node = nodeOf(redis);
    redis.on('ready', () => {
      if (down.delete(node)) log.info({ node }, 'redis cluster node is reachable again');
    });
  });
}

function nodeOf({ options }: Redis): string {
  return `${options.host ?? ''}:${options.port ?? ''}`;
}

/**
 * A connection, made by `open`, to one of a cluster's nodes, and to another one after each break. Starts with the `given`
 * nodes, then uses those the cluster names.
 *
 * ioredis' Cluster silently moves its own subscription to another node, so messages published during the move would be
 * missed unnoticed. It also waits 10 s for a node that does not answer.
 */
export function followNodes(
  given: readonly HostAndPort[],
  open: (node: HostAndPort & { retryStrategy: (attempt: number) => number }) => Redis,
  retryDelayMs: (attempt: number) => number,
): Redis {
  let nodes = given;
  let turn = Math.floor(Math.random() * nodes.length);
  const next = (): HostAndPort => {
    turn += 1;
    // The given nodes may be back when all others are gone.
    const all = [...nodes, ...given.filter((node) => !nodes.some((other) => isSame(node, other)))];
    return all[turn % all.length] ?? { host: '', port: 0 };
  };
  const { host, port } = next();
  const redis = open({
    host,
    port,
    retryStrategy(attempt) {
      // ioredis reads both at every connect.
      const node = next();
      redis.options.host = node.host;
      redis.options.port = node.port;
      return retryDelayMs(attempt);
    },
  });
  redis.on('ready', () => {
    const from = redis.options.host ?? '';
    redis.cluster('SLOTS').then(
      (slots) => {
        const found = readNodes(slots, from);
        if (found.length > 0) nodes = found;
      },
      () => undefined,
    );
  });
  return redis;
}

/** Reads an answer to CLUSTER SLOTS: [from, to, [host, port, …], replica…]… A node without a host is the one asked. */
function readNodes(slots: unknown, asked: string): readonly HostAndPort[] {
  const nodes = new Map<string, HostAndPort>();
  for (const range of Array.isArray(slots) ? (slots as unknown[]) : []) {
    for (const node of Array.isArray(range) ? (range as unknown[]).slice(2) : []) {
      const [name, port] = Array.isArray(node) ? (node as unknown[]) : [];
      const host = typeof name === 'string' && name !== '' ? name : asked;
      if (typeof port === 'number' && host !== '?') nodes.set(`${host}:${port}`, { host, port });
    }
  }
  return [...nodes.values()];
}

const isSame = (a: HostAndPort, b: HostAndPort): boolean => a.host === b.host && a.port === b.port;

// The handshake's commands have no timeout on a subscribing connection.
const READY_TIMEOUT_MS = 1_000;
// One unanswered ping may be a pause of this process.
const PING_INTERVAL_MS = 500;
const PINGS_LOST_MAX = 2;

/** Ends a connection that was accepted and then not answered, as by a frozen machine. */
export function limitHandshake(redis: Redis): void {
  let timer: NodeJS.Timeout | undefined;
  redis.on('connect', () => {
    timer = setTimeout(() => {
      redis.disconnect(true);
    }, READY_TIMEOUT_MS);
    timer.unref();
  });
  const clear = (): void => {
    clearTimeout(timer);
  };
  redis.on('ready', clear);
  redis.on('close', clear);
}

/**
 * Reconnects when ioredis has given up: a fail-over reported while sentinels are asked for the master, or a connection
 * ended just as it begins, ends the client for good. Only `disconnect()` still does; the returned function registers a
 * listener for that.
 */
export function reviveEnded(redis: Redis, delayMs: number): (listener: () => void) => void {
  const disconnect = redis.disconnect.bind(redis);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  redis.disconnect = (reconnect = false) => {
    if (!reconnect) {
      closing.abort();
      clearTimeout(timer);
    }
    disconnect(reconnect);
  };
  redis.on('end', () => {
    if (closing.signal.aborted) return;
    // A failure is also emitted as `error`.
    timer = setTimeout(() => void redis.connect().catch(() => undefined), delayMs);
  });
  return (listener) => {
    closing.signal.addEventListener('abort', listener, { once: true });
  };
}

/**
 * Pings the connections from `list` until `onClosed` fires, and ends those that do not answer: a half-open connection
 * stays `ready` for ever. A lazy connection is opened by its first ping.
 */
export function watchConnections(
  onClosed: (listener: () => void) => void,
  list: () => readonly Redis[],
): void {
  const lost = new WeakMap<Redis, number>();
  const watch = setInterval(() => {
    for (const redis of list()) {
      if (redis.status === 'ready' || redis.status === 'wait') ping(redis, lost);
    }
  }, PING_INTERVAL_MS);
  watch.unref();
  onClosed(() => {
    clearInterval(watch);
  });
}

function ping(redis: Redis, lost: WeakMap<Redis, number>): void {
  const stream = redis.stream;
  redis.ping().then(
    () => lost.delete(redis),
    () => {
      // Says nothing about a newer connection.
      if (redis.stream !== stream || redis.status !== 'ready') {
        lost.delete(redis);
        return;
      }
      const count = (lost.get(redis) ?? 0) + 1;
      lost.set(redis, count);
      if (count < PINGS_LOST_MAX) return;
      lost.delete(redis);
      redis.disconnect(true);
    },
  );
}

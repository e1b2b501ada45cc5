import { Cluster, Command } from 'ioredis';
import type { Redis, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { HostAndPort } from './redis-address.js';
import { limitHandshake, watchConnections } from './redis-watch.js';

// A slot that moves is followed once or twice; whoever waits for more waits in vain.
const REDIRECTIONS_MAX = 5;
// Who serves which slots is asked anew so often. A timeout does not make ioredis ask: after a fail-over from a master that
// is gone without a word, commands would go to it until its connection breaks, some 15 minutes.
const SLOTS_REFRESH_INTERVAL_MS = 2_000;
const SLOTS_REFRESH_TIMEOUT_MS = 1_000;

/** What ioredis is told; its type of replies stays what it is. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * Opens a cluster from some of its nodes; the others are found out. A command that its node does not take is rejected at
 * once and goes nowhere else, for the caller has Postgres, or an outbox. A node that is away leaves the others usable.
 */
export function openCluster(settings: {
  readonly nodes: readonly HostAndPort[];
  /** Where it is, for the log. */
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
    // 0 is no try again. ioredis' own sixteen, a tenth of a second apart, are what a visitor would wait for.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshInterval: SLOTS_REFRESH_INTERVAL_MS,
    slotsRefreshTimeout: SLOTS_REFRESH_TIMEOUT_MS,
    // Names stay names: a certificate is made out to one, and a name of many addresses is more than the first of them.
    dnsLookup: (name, answer) => {
      answer(null, name);
    },
  });
  cluster.on('+node', (node: Redis) => {
    limitHandshake(node);
  });
  // ioredis connects to a node when a command needs it, and what comes meanwhile is rejected: a ping is the first.
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

/** Returns the address of the node that has a key now, as far as is known; '' where all keys are in one place. */
export function nodeServing(redis: object, key: string): string {
  return isCluster(redis) ? (masterOf(redis, new Command('get', [key]).getSlot()) ?? '') : '';
}

/**
 * Calls `onMaster` whenever keys may have another master than before, which may lack what the last one took at its end:
 * at every new connection to the one server, or to the whole cluster, and when slots of a cluster have moved. Noticed
 * within 2 s.
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

/** Logs each node and the whole once an outage. Nodes are known by their address: every try is a connection of its own. */
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
    log.warn(
      { err: { message: err.message, code: err.code }, node },
      'a node of the redis cluster is not reachable',
    );
  });
  cluster.on('+node', (redis: Redis) => {
    const node = nodeOf(redis);
    redis.on('ready', () => {
      if (down.delete(node)) log.info({ node }, 'a node of the redis cluster is reachable again');
    });
  });
}

function nodeOf({ options }: Redis): string {
  return `${options.host ?? ''}:${options.port ?? ''}`;
}

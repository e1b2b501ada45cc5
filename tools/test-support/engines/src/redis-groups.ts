import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Child, startChild } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { findRedis } from '@smartlink/embedded/redis';
import { StackError } from '@smartlink/embedded/stack-error';

export type RedisServer = {
  readonly port: number;
  /** Queues commands while the server is down. Closed with the group. */
  readonly client: Redis;
  /** SIGKILL; resolves when the process has ended. */
  readonly kill: () => Promise<void>;
  /** Starts it again on its port, empty. */
  readonly start: () => Promise<void>;
};

export type RedisGroup = {
  /** For REDIS_URL. */
  readonly url: string;
  readonly servers: readonly RedisServer[];
  /** Stops every server and removes their files. */
  readonly close: () => Promise<void>;
};

const PASSWORD = 'group-secret';
const SENTINEL_PASSWORD = 'sentinel-secret';
const MASTER_NAME = 'links';
const SLOTS = 16_384;
const READY_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
const STOP_GRACE_MS = 2_000;
// Suitable within one data centre; the defaults are 15 and 30 s.
const NODE_TIMEOUT_MS = 2_000;
const DOWN_AFTER_MS = 1_000;

/** A cluster of three masters without replicas. The caller closes it. Rejects with StackError. */
export async function startRedisCluster(): Promise<RedisGroup> {
  return withFolder(async (startServer) => {
    const servers = await Promise.all([0, 1, 2].map((index) => startNode(startServer, index)));
    const [first] = servers;
    for (const [index, { client }] of servers.entries()) {
      const from = Math.ceil((SLOTS / 3) * index);
      const to = Math.ceil((SLOTS / 3) * (index + 1)) - 1;
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      if (first !== undefined && index > 0) {
        await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, first.busPort);
      }
    }
    await untilEach(servers, async ({ client }) => {
      const info = String(await client.call('CLUSTER', 'INFO'));
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
    });
    // The third node is discovered.
    const [one = 0, two = 0] = servers.map(({ port }) => port);
    return { url: `redis+cluster://:${PASSWORD}@127.0.0.1:${one},127.0.0.1:${two}`, servers };
  });
}

async function startNode(startServer: StartServer, index: number) {
  // By default the port plus 10,000, which may not exist.
  const busPort = await freePort();
  const lines = [
    'cluster-enabled yes',
    'cluster-config-file nodes.conf',
    `cluster-port ${busPort}`,
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    'cluster-require-full-coverage no',
    ...DATA_LINES,
  ];
  const server = await startServer({ name: `node${index}`, lines });
  return { ...server, busPort };
}

/** A master, two replicas and three sentinels, in this order in `servers`. The caller closes it. Rejects with StackError. */
export async function startRedisSentinels(): Promise<RedisGroup> {
  return withFolder(async (startServer) => {
    const master = await startServer({ name: 'master', lines: DATA_LINES });
    const lines = [`replicaof 127.0.0.1 ${master.port}`, ...DATA_LINES];
    const replicas = await Promise.all(['replica1', 'replica2'].map((name) => startServer({ name, lines })));
    await untilEach(replicas, async ({ client }) =>
      (await client.info('replication')).includes('master_link_status:up'),
    );
    const sentinels = await Promise.all(
      ['sentinel1', 'sentinel2', 'sentinel3'].map((name) =>
        startServer({ name, lines: sentinelLines(master.port), isSentinel: true }),
      ),
    );
    await untilEach(sentinels, async ({ client }) => {
      const [others, known] = await Promise.all([
        client.call('SENTINEL', 'SENTINELS', MASTER_NAME),
        client.call('SENTINEL', 'REPLICAS', MASTER_NAME),
      ]);
      return Array.isArray(others) && others.length === 2 && Array.isArray(known) && known.length === 2;
    });
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`);
    return {
      url: `redis+sentinel://:${PASSWORD}@${hosts.join(',')}/${MASTER_NAME}?sentinelPassword=${SENTINEL_PASSWORD}`,
      servers: [master, ...replicas, ...sentinels],
    };
  });
}

const DATA_LINES = [
  `requirepass ${PASSWORD}`,
  `masterauth ${PASSWORD}`,
  'appendonly no',
  'save ""',
  // By default a master waits 5 s for further replicas.
  'repl-diskless-sync-delay 0',
];

const sentinelLines = (masterPort: number): readonly string[] => [
  `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
  `sentinel auth-pass ${MASTER_NAME} ${PASSWORD}`,
  `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
  `sentinel failover-timeout ${MASTER_NAME} 3000`,
  `requirepass ${SENTINEL_PASSWORD}`,
  `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
];

type ServerSettings = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly isSentinel?: boolean;
};

type StartServer = (settings: ServerSettings) => Promise<RedisServer>;

/** Builds a group in its own folder; if that fails, nothing is left behind. */
async function withFolder(
  build: (startServer: StartServer) => Promise<Pick<RedisGroup, 'url' | 'servers'>>,
): Promise<RedisGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-redis-'));
  const command = await findRedis(() => undefined);
  const stops: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const group = await build(async (settings) => {
      const server = await createServer(command, join(folder, settings.name), settings);
      stops.push(server.close);
      await server.start();
      return server;
    });
    return { ...group, close };
  } catch (err) {
    await close();
    throw err;
  }
}

async function createServer(
  command: string,
  folder: string,
  { name, lines, isSentinel = false }: ServerSettings,
): Promise<RedisServer & { close: () => Promise<void> }> {
  const port = await freePort();
  const logFile = join(folder, 'log');
  mkdirSync(folder, { mode: 0o700 });
  // A sentinel writes its state into this file.
  const configFile = join(folder, 'redis.conf');
  const all = ['bind 127.0.0.1', `port ${port}`, `dir ${JSON.stringify(folder)}`, ...lines, ''];
  writeFileSync(configFile, all.join('\n'), { mode: 0o600 });
  const client = new Redis({
    host: '127.0.0.1',
    port,
    password: isSentinel ? SENTINEL_PASSWORD : PASSWORD,
    lazyConnect: true,
    retryStrategy: () => POLL_MS,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => undefined);
  let child: Child | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child?.process.kill(signal);
    await child?.exited;
  };
  return {
    port,
    client,
    kill: () => stop('SIGKILL'),
    async start() {
      child = await startChild({
        name,
        command,
        args: [configFile, ...(isSentinel ? ['--sentinel'] : [])],
        env: { PATH: process.env['PATH'], TZ: 'UTC' },
        logFile,
        stopSignal: 'SIGTERM',
        graceMs: STOP_GRACE_MS,
      });
      const started = child;
      const ended = started.exited.then((how) => {
        throw new StackError(`${name} ended (${how}):\n${started.lastLines(5)}`);
      });
      await Promise.race([client.ping(), ended]);
      ended.catch(() => undefined);
    },
    async close() {
      client.disconnect();
      await stop('SIGKILL');
    },
  };
}

async function untilEach(
  servers: readonly RedisServer[],
  isReady: (server: RedisServer) => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (const server of servers) {
    while (!(await isReady(server))) {
      if (performance.now() > deadline) throw new StackError('The Redis servers do not find each other');
      await sleep(POLL_MS);
    }
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { readConfig, type Env } from '@smartlink/process/config';
import {
  closeServer,
  installShutdown,
  type Logger,
  serveInternally,
  type ShutdownStep,
} from '@smartlink/process/lifecycle';
import { type RedirectConfig, redirectConfigSchema } from '../config.js';
import { createShipper, type Shipper } from '../events/shipper.js';
import { type CounterReport, labelled, sentCounters } from '../metrics/metric-definitions.js';
import { createMetricsBoard } from '../metrics/metrics.js';
import { type PrimaryMessage, WORKER_STOP_KILL_MS } from '../worker/protocol.js';
import { createDomains, type Domains, serveTlsAsk } from './domain-table.js';
import { openOwnConnections, type OwnConnections } from './own-connections.js';
import type { RollSignal } from './rolling-restart.js';
import { checkSchemas, findRefusedLogin } from './start-checks.js';
import { createSupervisor, type Supervisor } from './supervisor.js';

// Together with WORKER_STOP_KILL_MS below ten seconds, after which a supervisor may kill the process.
const SHIPPER_DEADLINE_MS = 3_500;
const SHUTDOWN_DEADLINE_MS = 9_500;
/** Kept for the steps after the shipper. On a busy machine workers end late, and the shipper has less time. */
const LAST_STEPS_MS = 1_000;

// URL and headers of a request; the default of about 4 KiB refuses legitimate visitors.
const HEADERS_BYTES_MAX = '16384';

// libuv's default of 4 is shared by event writes, fdatasync, name look-ups and argon2: a slow disk would block all.
const LIBUV_THREADS = '8';

/**
 * Runs the primary, which answers no visitor: it starts and restarts the workers, replaces them one by one on SIGUSR2,
 * ships their events, sends heartbeats, publishes changes left behind by management, and serves metrics. Rejects when a
 * port is taken, the schema of Postgres is unknown, or a worker cannot start. `entry`: the workers' program.
 */
export async function runPrimary(options: {
  config: RedirectConfig;
  env: Env;
  log: Logger;
  entry: string;
  rollSignal: RollSignal;
}): Promise<void> {
  const { config, env, log, entry, rollSignal } = options;
  const name = randomBytes(8).toString('hex');
  const { domains, workers } = prepareDomains(config, log, { entry, name });
  const [schemas, port] = await Promise.all([
    checkSchemas(config, log),
    probePort({ host: config.REDIRECT_HOST, port: config.REDIRECT_PORT, variable: 'REDIRECT_PORT' }),
    domains.start(),
  ]);
  if (config.COOKIE_SECRETS.length === 0) {
    log.warn('COOKIE_SECRETS is not set: unlocked links must be unlocked again after a restart');
  }
  const shipper = createShipper({
    spoolDir: config.SPOOL_DIR,
    clickhouseUrl: config.CLICKHOUSE_URL,
    log: log.child({ component: 'shipper' }),
  });
  const board = createMetricsBoard(() =>
    readPrimaryFigures({ config, supervisor, shipper, connections, domains }),
  );
  const supervisor = createSupervisor({
    count: config.REDIRECT_PROCESSES,
    ...prepareWorkers({ config, env, port, workers }, (renewed) => {
      connections.renew(renewed);
      domains.renew(renewed);
      shipper.renewConnection(renewed.CLICKHOUSE_URL);
    }),
    log,
    now: () => performance.now(),
    onMessage(pid, message) {
      if (message.kind === 'report') board.report(pid, message.counters, message.gauges);
    },
    onGone: board.forget,
  });
  const internal = await serveInside(config, log, {
    board,
    domains,
    notReadyReasons: () => notReadyReasons(supervisor, config.REDIRECT_PROCESSES),
  });
  const connections = openOwnConnections(config, name, log);
  const shutdown = installShutdown({
    log,
    deadlineMs: SHUTDOWN_DEADLINE_MS,
    steps: stepsOfShutdown({ schemas, connections, domains, supervisor, shipper, internal }),
  });
  schemas.watch({
    onClickhouse: shipper.start,
    onUnknown: (reason) => {
      log.fatal({ reason }, 'unsupported database schema');
      shutdown('unsupported database schema', 1);
    },
  });
  await supervisor.start();
  connections.start();
  log.info(
    {
      host: config.REDIRECT_HOST,
      port,
      metricsPort: internal.metricsPort,
      processes: config.REDIRECT_PROCESSES,
    },
    'listening',
  );
  // A roll requested during start-up may postdate the workers' config read, so run it now.
  rollSignal.handTo(supervisor.roll);
}

/** In order: nothing new begins, workers end, their events are sent. */
function stepsOfShutdown(parts: {
  readonly schemas: Awaited<ReturnType<typeof checkSchemas>>;
  readonly connections: OwnConnections;
  readonly domains: Domains;
  readonly supervisor: Supervisor;
  readonly shipper: Shipper;
  readonly internal: Awaited<ReturnType<typeof serveInside>>;
}): ShutdownStep[] {
  const { schemas, connections, domains, supervisor, shipper, internal } = parts;
  return [
    { name: 'schemas', run: schemas.stop },
    { name: 'changes', run: connections.closeChanges },
    { name: 'domains', run: () => domains.stop() },
    { name: 'workers', run: () => supervisor.stop({ deadlineMs: WORKER_STOP_KILL_MS }) },
    {
      name: 'shipper',
      run: (leftMs) => shipper.stop({ deadlineMs: Math.min(SHIPPER_DEADLINE_MS, leftMs - LAST_STEPS_MS) }),
    },
    { name: 'metrics', run: internal.close },
    { name: 'heartbeats', run: connections.closeHeartbeats },
  ];
}

/**
 * How workers are started, and what surrounds a roll. `renew` is called after a roll with the config that the workers
 * have proved to work.
 */
function prepareWorkers(
  options: { config: RedirectConfig; env: Env; port: number; workers: Workers },
  renew: (config: RedirectConfig) => void,
) {
  const { env, port, workers } = options;
  let { config } = options;
  // Each worker rereads the files of variables when it starts; secrets are one list for all workers.
  let secrets = sharedSecrets(config);
  return {
    spawn: (place: number, { isReplacement }: { isReplacement: boolean }) =>
      workers.start(place, isReplacement, workerEnv(secrets, env, port)),
    prepareRoll: async (): Promise<void> => {
      const next = readConfig(redirectConfigSchema, env);
      // A worker starts without its engines, so a wrong login would replace a working one.
      const refused = await findRefusedLogin(next);
      if (refused !== null) throw new Error(refused);
      config = next;
      secrets = sharedSecrets(next);
    },
    finishRoll: (): void => {
      renew(config);
    },
  };
}

/** The table of domains, and the workers that get it. */
function prepareDomains(config: RedirectConfig, log: Logger, program: { entry: string; name: string }) {
  const baseUrl = config.PUBLIC_BASE_URL;
  const domains = createDomains({
    addresses: config,
    spoolDir: config.SPOOL_DIR,
    ownHost: baseUrl === undefined ? null : new URL(baseUrl).hostname,
    log: log.child({ component: 'domains' }),
    onChange: (changes) => {
      workers.tell({ kind: 'domains', changes });
    },
  });
  const workers = createWorkers(program, () => ({ kind: 'domains', changes: domains.all() }));
  return { domains, workers };
}

type Workers = ReturnType<typeof createWorkers>;

/**
 * The running worker processes. `name` lets them tell this primary's heartbeats from those of other hosts. Each gets `greeting`
 * first, and then all that is told.
 */
function createWorkers({ entry, name }: { entry: string; name: string }, greeting: () => PrimaryMessage) {
  const running = new Set<ChildProcess>();
  const send = (worker: ChildProcess, message: PrimaryMessage): void => {
    // A worker with a closed channel is ending.
    if (worker.connected) worker.send(message, () => undefined);
  };
  return {
    start(place: number, isReplacement: boolean, env: NodeJS.ProcessEnv): ChildProcess {
      const worker = fork(
        entry,
        ['--worker', String(place), name, ...(isReplacement ? ['replacement'] : [])],
        {
          env,
        },
      );
      running.add(worker);
      worker.once('exit', () => running.delete(worker));
      send(worker, greeting());
      return worker;
    },
    tell(message: PrimaryMessage): void {
      for (const worker of running) send(worker, message);
    },
  };
}

/** The environment of the workers: ours, with values decided by the primary. */
function workerEnv(secrets: readonly string[], env: Env, port: number): NodeJS.ProcessEnv {
  return {
    ...env,
    REDIRECT_PORT: String(port),
    // A file would override the value.
    REDIRECT_PORT_FILE: '',
    COOKIE_SECRETS_FILE: '',
    // All workers must accept each other's cookies.
    COOKIE_SECRETS: secrets.join(','),
    UWS_HTTP_MAX_HEADERS_SIZE: HEADERS_BYTES_MAX,
    UV_THREADPOOL_SIZE: env['UV_THREADPOOL_SIZE'] ?? LIBUV_THREADS,
  };
}

let generatedSecret: string | null = null;

function sharedSecrets(config: RedirectConfig): readonly string[] {
  if (config.COOKIE_SECRETS.length > 0) return config.COOKIE_SECRETS;
  generatedSecret ??= randomBytes(32).toString('base64url');
  return [generatedSecret];
}

/** Serves metrics, and with TLS_ASK_PORT the questions of an edge. */
async function serveInside(
  config: RedirectConfig,
  log: Logger,
  parts: {
    readonly board: Pick<ReturnType<typeof createMetricsBoard>, 'contentType' | 'render'>;
    readonly domains: Pick<Domains, 'isCertified'>;
    readonly notReadyReasons: () => readonly string[];
  },
) {
  const { board, domains } = parts;
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  const routes = {
    '/-/live': () => ({ text: 'live\n' }),
    '/-/ready': () => {
      const reasons = parts.notReadyReasons();
      return reasons.length === 0 ? { text: 'ready\n' } : { status: 503, text: `${reasons.join('\n')}\n` };
    },
    '/-/metrics': async () => ({ type: board.contentType, text: await board.render() }),
  };
  const variables = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const metrics = await serveInternally({ host, port, variables, routes, log });
  const tlsAsk = await serveTlsAsk(config, domains, log);
  return {
    metricsPort: (metrics.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      await Promise.all([closeServer(metrics), tlsAsk?.close()]);
    },
  };
}

function notReadyReasons(supervisor: Supervisor, count: number): string[] {
  const ready = supervisor.ready();
  if (ready > 0) return [];
  return supervisor.listening() === 0
    ? [`none of ${count} workers listens`]
    : ['neither Redis nor Postgres has answered any worker yet'];
}

/** The primary's own metrics: workers, the spool, and configured limits. */
export function readPrimaryFigures(parts: {
  readonly config: RedirectConfig;
  readonly supervisor: Supervisor;
  readonly shipper: Shipper;
  readonly connections: OwnConnections;
  readonly domains: Pick<Domains, 'figures'>;
}): CounterReport {
  const { config, supervisor, shipper, connections, domains } = parts;
  const { REDIRECT_PROCESSES: workers } = config;
  const events = shipper.counters;
  return {
    'workers|listening': supervisor.listening(),
    'workers|ready': supervisor.ready(),
    'workers|draining': supervisor.draining(),
    worker_restarts_total: supervisor.counters.restarts,
    ...labelled('rolling_restarts_total', supervisor.rolls),
    ...domains.figures(),
    ...labelled('shipper_total', sentCounters(events)),
    ...labelled(connections.changesMetric, connections.changeCounters()),
    ...labelled('spool', {
      events: events.spooledEvents,
      segments: events.spooledSegments,
      bytes: events.spooledBytes,
      oldestSeconds: shipper.oldestSpooledSeconds(),
    }),
    insert_seconds: shipper.inserts.seconds(),
    last_insert_timestamp_seconds: shipper.inserts.lastSeconds(),
    ...shipper.inserts.report(),
    workers_max: workers,
    spool_bytes_max: config.SPOOL_BYTES_MAX,
    cache_entries_max: workers * config.L1_ENTRIES_MAX,
    cache_bytes_max: workers * config.L1_BYTES_MAX,
    pages_bytes_max: workers * config.PAGES_BYTES_MAX,
  };
}

/**
 * The free port to listen on at `host`: `port`, or any if it is 0. Rejects with a message that names `variable` when it
 * is taken. uWebSockets.js listens with SO_REUSEPORT and would silently share a taken port, so an ordinary bind comes
 * first.
 */
export async function probePort(options: { host: string; port: number; variable: string }): Promise<number> {
  const { host, port, variable } = options;
  const server = createServer();
  const address = await new Promise<ReturnType<typeof server.address>>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      reject(new Error(explain(err, options), { cause: err }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      resolve(server.address());
    });
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  if (address === null || typeof address === 'string') throw new Error(`${variable}: no port to listen on`);
  return address.port;
}

function explain(err: NodeJS.ErrnoException, at: { host: string; port: number; variable: string }): string {
  const place = `${at.host}:${at.port}`;
  if (err.code === 'EADDRINUSE') {
    return `${at.variable}: ${place} is taken by another program; set ${at.variable} to a free port`;
  }
  if (err.code === 'EACCES') return `${at.variable}: this user may not listen on ${place}`;
  if (err.code === 'EADDRNOTAVAIL') return `REDIRECT_HOST: ${at.host} is no address of this machine`;
  return `${at.variable}: cannot listen on ${place}: ${err.message}`;
}

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '@smartlink/process/config';
import type { Env } from '@smartlink/process/config';
import type { Logger } from '@smartlink/process/logger';
import { installShutdown } from '@smartlink/process/shutdown';
import { redirectConfigSchema } from './config.js';
import type { RedirectConfig } from './config.js';
import { createShipper } from './events/shipper.js';
import { createMetricsBoard } from './metrics.js';
import { serveMetrics } from './metrics-server.js';
import { openOwnConnections } from './own-connections.js';
import { probePort } from './port-probe.js';
import { readPrimaryFigures } from './primary-figures.js';
import type { RollSignal } from './roll-signal.js';
import { checkSchemas } from './start-checks.js';
import { findRefusedLogin } from './refused-login.js';
import { createSupervisor } from './supervisor.js';
import type { Supervisor } from './supervisor.js';
import { WORKER_STOP_KILL_MS } from './worker-deadlines.js';

// With WORKER_STOP_KILL_MS before it below the ten seconds after which whoever stops us may kill (reliability.md, E1).
const SHIPPER_DEADLINE_MS = 3_500;
const SHUTDOWN_DEADLINE_MS = 9_500;

// URL and headers of a request; the default of about 4 KiB refuses honest visitors (design.md, Facts).
const HEADERS_BYTES_MAX = '16384';

// libuv's default of 4 is shared by writes of events, fdatasync, name look-ups and argon2: a slow disk would hold up all.
const LIBUV_THREADS = '8';

/**
 * Runs the primary: it starts the workers and starts them again, replaces them one by one on SIGUSR2, ships their
 * events, sends heartbeats, publishes changes that management has left behind, and serves the sums of their metrics. It
 * answers no visitor. Rejects when a port is taken, Postgres has a schema that this build does not know, or a worker cannot start; `entry` is the program the workers run.
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
  const [schemas, port] = await Promise.all([
    checkSchemas(config, log),
    probePort({ host: config.REDIRECT_HOST, port: config.REDIRECT_PORT, variable: 'REDIRECT_PORT' }),
  ]);
  if (config.COOKIE_SECRETS.length === 0) {
    log.warn('COOKIE_SECRETS is not given: who has unlocked a link must do so again after a restart');
  }
  const shipper = createShipper({
    spoolDir: config.SPOOL_DIR,
    clickhouseUrl: config.CLICKHOUSE_URL,
    log: log.child({ component: 'shipper' }),
  });
  const board = createMetricsBoard(() => readPrimaryFigures({ config, supervisor, shipper, connections }));
  const supervisor = createSupervisor({
    count: config.REDIRECT_PROCESSES,
    ...prepareWorkers({ config, env, port, entry, name }, (renewed) => {
      connections.renew(renewed);
      shipper.renewConnection(renewed.CLICKHOUSE_URL);
    }),
    log,
    now: () => performance.now(),
    onMessage(pid, message) {
      if (message.kind === 'report') board.report(pid, message.counters, message.gauges);
    },
    onGone: board.forget,
  });
  const metricsServer = await serveMetrics({
    config,
    board,
    notReadyReasons: () => notReadyReasons(supervisor, config.REDIRECT_PROCESSES),
    log,
  });
  const connections = openOwnConnections(config, name, log);
  const shutdown = installShutdown({
    log,
    deadlineMs: SHUTDOWN_DEADLINE_MS,
    steps: [
      { name: 'schemas', run: schemas.stop },
      { name: 'changes', run: connections.closeChanges },
      { name: 'workers', run: () => supervisor.stop({ deadlineMs: WORKER_STOP_KILL_MS }) },
      { name: 'shipper', run: () => shipper.stop({ deadlineMs: SHIPPER_DEADLINE_MS }) },
      { name: 'metrics', run: () => closeServer(metricsServer) },
      { name: 'heartbeats', run: connections.closeHeartbeats },
    ],
  });
  schemas.watch({
    onClickhouse: shipper.start,
    onUnknown: (reason) => {
      log.fatal({ reason }, 'the schema is not known');
      shutdown('the schema is not known', 1);
    },
  });
  await supervisor.start();
  connections.start();
  const { port: metricsPort } = metricsServer.address() as AddressInfo;
  log.info(
    { host: config.REDIRECT_HOST, port, metricsPort, processes: config.REDIRECT_PROCESSES },
    'listening',
  );
  // What was asked for before may have come after the workers had read their files, so it is done.
  rollSignal.handTo(supervisor.roll);
}

/**
 * Returns how a worker is started, what is read again before all of them are started anew, and what is done when they
 * were: `renew` is called with what the workers read too. Not before, for with it they have shown that it works. By
 * `name` the workers tell the heartbeats of this primary from those of other hosts.
 */
function prepareWorkers(
  options: { config: RedirectConfig; env: Env; port: number; entry: string; name: string },
  renew: (config: RedirectConfig) => void,
) {
  const { env, port, entry, name } = options;
  let { config } = options;
  // Each worker that starts reads the files anew that variables stand in; secrets are one list for all of them.
  let secrets = sharedSecrets(config);
  return {
    spawn: (place: number, { isReplacement }: { isReplacement: boolean }) =>
      fork(entry, ['--worker', String(place), name, ...(isReplacement ? ['replacement'] : [])], {
        env: workerEnv(secrets, env, port),
      }),
    prepareRoll: async (): Promise<void> => {
      const next = readConfig(redirectConfigSchema, env);
      // A worker serves without its engines, so it would take the place of one that has them.
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

/** Returns the environment of the workers: ours, with what only the primary could decide. */
function workerEnv(secrets: readonly string[], env: Env, port: number): NodeJS.ProcessEnv {
  return {
    ...env,
    REDIRECT_PORT: String(port),
    // A file would win over the value beside it.
    REDIRECT_PORT_FILE: '',
    COOKIE_SECRETS_FILE: '',
    // Processes that do not share their secrets would not believe each other's cookies.
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

function notReadyReasons(supervisor: Supervisor, count: number): string[] {
  const ready = supervisor.ready();
  if (ready > 0) return [];
  return supervisor.listening() === 0
    ? [`none of ${count} workers listens`]
    : ['neither Redis nor Postgres has answered any worker yet'];
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

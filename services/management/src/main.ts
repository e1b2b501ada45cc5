import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { addressSecretProblem, isLoopback, misspeltNames, readConfigOrExit } from '@smartlink/process/config';
import { failureCode, failureMessage } from '@smartlink/process/database';
import {
  closeServer,
  serveInternally,
  createLogger,
  installShutdown,
  type InternalAnswer,
  killOrphanAtExit,
  type Logger,
} from '@smartlink/process/lifecycle';
import { waitForSchema, watchSchema } from '@smartlink/process/schema';
import { buildApp } from './app.js';
import { answerPrimary, formatMetrics, type Internals, METRICS_TYPE, startProcesses } from './cluster.js';
import { type Config, configSchema, managementBaseUrl } from './config.js';
import { schemasOf } from './plugins/engines.js';
import { readMetrics } from './plugins/metrics.js';
import { SafetyStartError } from './url-safety/url-safety.js';

// Requests in progress get 10 s; the relay and the connections close in a moment after that.
const SHUTDOWN_DEADLINE_MS = 12_000;
const PRIMARY_GRACE_MS = 1_000;
// A restart of Postgres, or of the machine both run on, is over by then.
const POSTGRES_WAIT_SECONDS = 30;
const LOOK_AGAIN_MS = 2_000;

const config = readConfigOrExit(configSchema, process.env);
const log = createLogger({ service: 'management', level: config.LOG_LEVEL });
if (cluster.isPrimary) {
  for (const reason of misspeltNames(configSchema, process.env))
    log.warn({ reason }, 'environment variable looks misspelt');
  if (addressSecretProblem(config.REDIS_URL) !== null) {
    log.warn('REDIS_URL has no password: anyone with access to this Redis can change where links lead');
  }
  const baseUrl = new URL(managementBaseUrl(config));
  if (baseUrl.protocol === 'http:' && !isLoopback(baseUrl.hostname)) {
    log.warn('MANAGEMENT_BASE_URL is not https: passwords and sessions of people are sent unencrypted');
  }
}
if (cluster.isWorker) killOrphanAtExit();
if (config.MANAGEMENT_PROCESSES > 1 && cluster.isPrimary) await runPrimary();
else await runService();

/** The primary of several processes: restarts them, and serves their metrics together. */
async function runPrimary(): Promise<void> {
  const processes = startProcesses(config.MANAGEMENT_PROCESSES, {
    log,
    onRefused: (exitCode) => {
      shutdown('a process cannot start', exitCode || 1);
    },
  });
  let metricsServer: Server | undefined;
  const shutdown = installShutdown({
    log,
    // Its processes have a deadline of their own.
    deadlineMs: SHUTDOWN_DEADLINE_MS + PRIMARY_GRACE_MS,
    steps: [
      { name: 'processes', run: () => processes.stop() },
      { name: 'metrics', run: () => metricsServer && closeServer(metricsServer) },
    ],
  });
  try {
    metricsServer = await serveMetrics(processes);
  } catch (err) {
    process.stderr.write(`${failureMessage(err)}\n`);
    shutdown('cannot listen', 1);
  }
}

async function runService(): Promise<void> {
  let onUnknown: (reason: string) => void = refuse;
  const schemas = await checkSchemas(config, {
    waitMs: readWaitSeconds() * 1_000,
    log,
    onUnknown: (reason) => {
      onUnknown(reason);
    },
  });
  if (schemas.kind === 'refused') refuse(schemas.reason);
  const app = await buildApp(config, log).catch((err: unknown) => {
    if (!(err instanceof SafetyStartError)) throw err;
    process.stderr.write(`${err.message}\n`);
    process.exit(1);
  });

  let metricsServer: Server | undefined;
  // Fastify's close: no new connections, requests under way to their end, then the plugins, last opened first closed.
  const shutdown = installShutdown({
    log,
    deadlineMs: SHUTDOWN_DEADLINE_MS,
    steps: [
      { name: 'schemas', run: schemas.stop },
      { name: 'api', run: () => app.close() },
      { name: 'metrics', run: () => metricsServer && closeServer(metricsServer) },
    ],
  });
  onUnknown = (reason) => {
    log.fatal({ reason }, 'unsupported database schema');
    shutdown('unsupported database schema', 1);
  };

  /** The API's own answer to a probe. */
  async function probe(path: string): Promise<InternalAnswer> {
    const { statusCode, body } = await app.inject(path);
    return { status: statusCode, type: 'application/json', text: body };
  }

  try {
    if (cluster.isWorker) answerPrimary({ probe, readMetrics: () => readMetrics(app) });
    else metricsServer = await serveMetrics({ probe, readMetrics: () => readMetrics(app) });
  } catch (err) {
    process.stderr.write(`${failureMessage(err)}\n`);
    shutdown('cannot listen', 1);
    return;
  }
  try {
    await app.listen({ host: config.MANAGEMENT_HOST, port: config.MANAGEMENT_PORT });
  } catch (err) {
    if (failureCode(err) === 'EADDRINUSE') {
      process.stderr.write(
        `Port ${config.MANAGEMENT_PORT} on ${config.MANAGEMENT_HOST} is taken: stop what uses it or set MANAGEMENT_PORT.\n`,
      );
    } else log.fatal({ err }, 'API cannot listen');
    shutdown('cannot listen', 1);
  }
}

async function serveMetrics({ probe, readMetrics }: Internals): Promise<Server> {
  const server = await serveInternally({
    host: config.METRICS_HOST,
    port: config.MANAGEMENT_METRICS_PORT,
    variables: { host: 'METRICS_HOST', port: 'MANAGEMENT_METRICS_PORT' },
    routes: {
      '/-/live': () => probe('/-/live'),
      '/-/ready': () => probe('/-/ready'),
      '/-/metrics': async () => ({ type: METRICS_TYPE, text: await formatMetrics(await readMetrics()) }),
    },
    log,
  });
  log.info({ metricsPort: (server.address() as AddressInfo).port }, 'metrics listening');
  return server;
}

function refuse(reason: string): never {
  process.stderr.write(`The management service cannot start.\n  ${reason}\n`);
  process.exit(1);
}

/** `--wait-seconds`, or the default. */
function readWaitSeconds(): number {
  const { values } = parseArgs({ options: { 'wait-seconds': { type: 'string' } }, strict: false });
  const given = values['wait-seconds'];
  if (given === undefined) return POSTGRES_WAIT_SECONDS;
  if (typeof given === 'string' && /^\d{1,4}$/.test(given)) return Number(given);
  return refuse('--wait-seconds: expected a whole number of seconds, up to 9999');
}

type SchemaCheck =
  /** The service may start. `stop` ends the checks of databases that were unreachable. */
  | { readonly kind: 'passed'; readonly stop: () => void }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks that this build knows the schemas of the databases. Waits for Postgres up to `waitMs`, since nothing works
 * without it. An unreachable ClickHouse is a warning; it is checked again until it answers, and `onUnknown` is called if
 * this build must not run on its schema.
 */
async function checkSchemas(
  config: Pick<Config, 'DATABASE_URL' | 'CLICKHOUSE_URL'>,
  options: { readonly waitMs: number; readonly log: Logger; readonly onUnknown: (reason: string) => void },
): Promise<SchemaCheck> {
  const { log, onUnknown, waitMs } = options;
  const report = (reason: string) => {
    log.warn({ reason }, 'waiting for Postgres');
  };
  const { postgres, clickhouse } = schemasOf(config);
  const [postgresState, clickhouseState] = await Promise.all([
    waitForSchema(postgres, { limitMs: waitMs, report }),
    clickhouse.check(),
  ]);
  if (postgresState.kind !== 'known') return { kind: 'refused', reason: postgresState.reason };
  if (clickhouseState.kind === 'unknown') return { kind: 'refused', reason: clickhouseState.reason };
  if (clickhouseState.kind === 'known') return { kind: 'passed', stop: () => undefined };
  const { reason } = clickhouseState;
  log.warn({ reason }, 'starting without ClickHouse: analytics answer 503 until it is there');
  return { kind: 'passed', stop: watchSchema(clickhouse, { everyMs: LOOK_AGAIN_MS, onUnknown }) };
}

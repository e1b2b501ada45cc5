import { join, resolve } from 'node:path';
import { migrateBoth } from '@smartlink/migrate/migrate';
import type { Child } from './child.js';
import type { DataFolder } from './data-folder.js';
import type { LauncherConfig } from './launcher-config.js';
import { nodeForRedirect } from './node-for-redirect.js';
import { freePort, requireDistinctPorts, requireFreePort } from './ports.js';
import { seed } from './seed.js';
import { describeEnd, startService, waitUntilReady } from './services.js';
import type { ServiceName } from './services.js';
import { claimDataFolder, startStack } from './stack.js';
import { describeFailure, StackError } from './stack-error.js';
import type { Stack } from './stack.js';

export type Running = {
  readonly managementUrl: string;
  readonly publicBaseUrl: string;
  readonly apiKey: string;
  readonly logDir: string;
  /** Resolves with what to say when an engine or a service ends by itself. */
  readonly failed: Promise<string>;
  /** Stops the services, then the engines. Safe to call again. */
  readonly stop: () => Promise<void>;
};

export type LaunchOptions = {
  readonly config: LauncherConfig;
  /** Handed on to the services, with the addresses added. */
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the checkout. */
  readonly root: string;
  readonly report: (line: string) => void;
  /** Ends the start between two steps; what has started is stopped. */
  readonly signal: AbortSignal;
};

type Prepared = { readonly ports: Ports; readonly redirectNode: string };

type Ports = { readonly management: number; readonly redirect: number; readonly metrics: number };

/**
 * Brings up everything behind `npm start`: engines, migrations, both services, demo data. Rejects with StackError,
 * whose message is for the person at the terminal, after stopping what had started.
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  const { config, report, signal } = options;
  const dataFolder = await claimDataFolder(config.SMARTLINK_DATA_DIR, report);
  let prepared: Prepared;
  try {
    prepared = await prepare(options, dataFolder);
  } catch (err) {
    dataFolder.unlock();
    throw err;
  }
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, CLICKHOUSE_URL: clickhouseUrl } = config;
  const stack = await startStack({
    dataFolder,
    external: { databaseUrl, redisUrl, clickhouseUrl },
    report,
    signal,
  });
  const services: Child[] = [];
  const stop = async () => {
    await Promise.all(services.map((service) => stopService(service, report)));
    await stack.stop();
  };
  try {
    return { ...(await startServices(options, stack, prepared, services)), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** What can be refused is looked at before anything is started. */
async function prepare(options: LaunchOptions, dataFolder: DataFolder): Promise<Prepared> {
  const { config, report, root, signal } = options;
  const { MANAGEMENT_PORT, REDIRECT_PORT, METRICS_PORT } = config;
  requireDistinctPorts({ MANAGEMENT_PORT, REDIRECT_PORT, METRICS_PORT });
  const ports = await choosePorts(config);
  const redirectDir = join(root, 'services/redirect');
  const redirectNode = await nodeForRedirect({
    redirectDir,
    folder: dataFolder.file('node'),
    report,
    signal,
  });
  signal.throwIfAborted();
  return { ports, redirectNode };
}

async function startServices(
  options: LaunchOptions,
  stack: Stack,
  prepared: Prepared,
  services: Child[],
): Promise<Omit<Running, 'stop'>> {
  const { config, report, root, signal } = options;
  const { ports } = prepared;
  const applied = await migrate(stack);
  report(applied.length === 0 ? 'Both databases are up to date' : `Applied ${applied.length} migrations`);
  signal.throwIfAborted();

  const managementUrl = `http://${reachable(config.MANAGEMENT_HOST)}:${ports.management}`;
  const redirectUrl = `http://${reachable(config.REDIRECT_HOST)}:${ports.redirect}`;
  const publicBaseUrl = config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${ports.redirect}`;
  const env = serviceEnv(options, stack, ports, publicBaseUrl);
  const logDir = stack.dataFolder.folder('logs');
  const start = async (name: ServiceName, node: string) => {
    const service = await startService({ name, root, node, env, logDir });
    services.push(service);
    stack.remember(service);
    return service;
  };
  const management = await start('management', process.execPath);
  const redirect = await start('redirect', prepared.redirectNode);
  await waitUntilReady(management, managementUrl, signal);
  report('The management service is ready');
  await waitUntilReady(redirect, redirectUrl, signal);
  report('The redirect service is ready');

  const keyFile = stack.dataFolder.file('demo-key');
  const { apiKey, linksCreated, hasNewKey } = await seed({ root, env, keyFile, managementUrl });
  if (hasNewKey) report('The kept demo key is no longer valid, so the demo user has a new one');
  report(linksCreated === 0 ? 'The demo links are there' : `Made ${linksCreated} demo links`);
  const spoolDir = resolve(root, env['SPOOL_DIR'] ?? stack.dataFolder.folder('spool'));
  const metricsUrl = `http://127.0.0.1:${ports.metrics}/-/metrics`;
  stack.announce({ managementUrl, publicBaseUrl, metricsUrl, spoolDir });
  return { managementUrl, publicBaseUrl, apiKey, logDir, failed: firstFailure(stack, services) };
}

async function migrate(stack: Stack): Promise<readonly string[]> {
  try {
    return await migrateBoth(stack);
  } catch (err) {
    throw new StackError(`The databases could not be brought up to date: ${describeFailure(err)}`, {
      cause: err,
    });
  }
}

async function choosePorts(config: LauncherConfig): Promise<Ports> {
  const choose = async (host: string, port: number, variable: string) => {
    if (port === 0) return freePort();
    await requireFreePort({ host, port, variable });
    return port;
  };
  return {
    management: await choose(config.MANAGEMENT_HOST, config.MANAGEMENT_PORT, 'MANAGEMENT_PORT'),
    redirect: await choose(config.REDIRECT_HOST, config.REDIRECT_PORT, 'REDIRECT_PORT'),
    metrics: await choose('127.0.0.1', config.METRICS_PORT, 'METRICS_PORT'),
  };
}

function serviceEnv(
  options: LaunchOptions,
  stack: Stack,
  ports: Ports,
  publicBaseUrl: string,
): NodeJS.ProcessEnv {
  const { config, env } = options;
  const decided = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    CLICKHOUSE_URL: stack.clickhouseUrl,
    MANAGEMENT_HOST: config.MANAGEMENT_HOST,
    MANAGEMENT_PORT: String(ports.management),
    REDIRECT_HOST: config.REDIRECT_HOST,
    REDIRECT_PORT: String(ports.redirect),
    METRICS_PORT: String(ports.metrics),
    PUBLIC_BASE_URL: publicBaseUrl,
    SPOOL_DIR: config.SPOOL_DIR ?? stack.dataFolder.folder('spool'),
    COOKIE_SECRETS: config.COOKIE_SECRETS ?? stack.secrets.cookieSecret,
  };
  // A service prefers X_FILE to X, and what a file said has been read and perhaps replaced here.
  const files = Object.fromEntries(Object.keys(decided).map((name) => [`${name}_FILE`, '']));
  return { ...env, ...files, ...decided };
}

/** An address that listens on every interface is reached over loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function firstFailure(stack: Stack, services: readonly Child[]): Promise<string> {
  return Promise.race([
    stack.failed,
    ...services.map(async (service) => describeEnd(service, await service.exited)),
  ]);
}

async function stopService(service: Child, report: (line: string) => void): Promise<void> {
  if (service.hasExited()) return;
  if (!(await service.stop())) report(`${service.identity.name} did not stop in time and was killed`);
}

import { join, resolve } from 'node:path';
import { migrateBoth } from '@smartlink/migrate/migrate';
import type { Child } from './child.js';
import type { LauncherConfig } from './launcher-config.js';
import { nodeForRedirect } from './node-for-redirect.js';
import { freePort, requireDistinctPorts, requireFreePort } from './ports.js';
import { seed } from './seed.js';
import { describeEnd, startService, waitUntilServing } from './services.js';
import { describeFailure, StackError } from './stack-error.js';
import { claimDataFolder, type Stack, startStack } from './stack.js';

export type Running = {
  readonly managementUrl: string;
  readonly publicBaseUrl: string;
  readonly apiKey: string;
  readonly logDir: string;
  /** Resolves with a message when an engine or a service ends unexpectedly. */
  readonly failed: Promise<string>;
  /** Stops the services, then the engines. Idempotent. */
  readonly stop: () => Promise<void>;
};

export type LaunchOptions = {
  readonly config: LauncherConfig;
  /** Passed to the services, with the addresses added. */
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the checkout. */
  readonly root: string;
  readonly report: (line: string) => void;
  /** Cancels the start between two steps; processes already started are stopped. */
  readonly signal: AbortSignal;
};

type Ports = { readonly management: number; readonly redirect: number; readonly metrics: number };

/**
 * Starts engines, migrations, both services and demo data. Rejects, after stopping processes already started, with
 * StackError, whose message is for the person at the terminal.
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  const { config, report, root, signal } = options;
  const dataFolder = await claimDataFolder(config.SMARTLINK_DATA_DIR, report);
  let ports: Ports;
  let redirectNode: string;
  try {
    // Checked before any process is started.
    ports = await choosePorts(config);
    const redirectDir = join(root, 'services/redirect');
    redirectNode = await nodeForRedirect({ redirectDir, folder: dataFolder.file('node'), report, signal });
    signal.throwIfAborted();
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
    await Promise.all(
      services.map(async (service) => {
        if (service.hasExited() || (await service.stop())) return;
        report(`${service.identity.name} did not stop in time and was killed`);
      }),
    );
    await stack.stop();
  };
  try {
    return { ...(await startServices(options, stack, { ports, redirectNode, services })), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function choosePorts(config: LauncherConfig): Promise<Ports> {
  const { MANAGEMENT_PORT, REDIRECT_PORT, METRICS_PORT } = config;
  requireDistinctPorts({ MANAGEMENT_PORT, REDIRECT_PORT, METRICS_PORT });
  const choose = async (host: string, port: number, variable: string) => {
    if (port === 0) return freePort();
    await requireFreePort({ host, port, variable });
    return port;
  };
  return {
    management: await choose(config.MANAGEMENT_HOST, MANAGEMENT_PORT, 'MANAGEMENT_PORT'),
    redirect: await choose(config.REDIRECT_HOST, REDIRECT_PORT, 'REDIRECT_PORT'),
    metrics: await choose('127.0.0.1', METRICS_PORT, 'METRICS_PORT'),
  };
}

async function startServices(
  options: LaunchOptions,
  stack: Stack,
  started: { readonly ports: Ports; readonly redirectNode: string; readonly services: Child[] },
): Promise<Omit<Running, 'stop'>> {
  const { config, report, root, signal } = options;
  const { ports, redirectNode, services } = started;
  const applied = await migrate(stack);
  report(applied.length === 0 ? 'Both databases are up to date' : `${applied.length} migrations applied`);
  signal.throwIfAborted();

  const managementUrl = `http://${reachable(config.MANAGEMENT_HOST)}:${ports.management}`;
  const redirectUrl = `http://${reachable(config.REDIRECT_HOST)}:${ports.redirect}`;
  const publicBaseUrl = config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${ports.redirect}`;
  const env = serviceEnv(options, stack, ports, publicBaseUrl);
  const logDir = stack.dataFolder.folder('logs');
  const start = async (name: 'management' | 'redirect', node: string) => {
    const service = await startService({ name, root, node, env, logDir });
    services.push(service);
    stack.remember(service);
    return service;
  };
  const management = await start('management', process.execPath);
  const redirect = await start('redirect', redirectNode);
  await waitUntilServing(management, managementUrl, signal);
  report('The management service is ready');
  await waitUntilServing(redirect, redirectUrl, signal);
  report('The redirect service is ready');

  const keyFile = stack.dataFolder.file('demo-key');
  const { apiKey, linksCreated, hasNewKey } = await seed({ root, env, keyFile, managementUrl });
  if (hasNewKey) report('The stored demo key is no longer valid; the demo user has a new one');
  report(linksCreated === 0 ? 'The demo links exist' : `${linksCreated} demo links created`);
  const spoolDir = resolve(root, env['SPOOL_DIR'] ?? stack.dataFolder.folder('spool'));
  const metricsUrl = `http://127.0.0.1:${ports.metrics}/-/metrics`;
  stack.announce({ managementUrl, publicBaseUrl, metricsUrl, spoolDir });
  const failed = Promise.race([
    stack.failed,
    ...services.map(async (service) => describeEnd(service, await service.exited)),
  ]);
  return { managementUrl, publicBaseUrl, apiKey, logDir, failed };
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

function serviceEnv(
  options: LaunchOptions,
  stack: Stack,
  ports: Ports,
  publicBaseUrl: string,
): NodeJS.ProcessEnv {
  const { config, env } = options;
  const chosen = {
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
  // A service prefers X_FILE to X, and these values already contain those of the files.
  const files = Object.fromEntries(Object.keys(chosen).map((name) => [`${name}_FILE`, '']));
  return { ...env, ...files, ...chosen };
}

/** A service that listens on all interfaces is called over loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

import { join, resolve } from 'node:path';
import { configSchema as managementConfigSchema, managementBaseUrl } from '@smartlink/management/config';
import { migrateBoth } from '@smartlink/migrate/migrate';
import { readConfig } from '@smartlink/process/config';
import { type Child, startChild, waitUntilReady } from './child.js';
import type { LauncherConfig } from './launcher-config.js';
import { findWarnings } from './log-file.js';
import { nodeForRedirect } from './node-for-redirect.js';
import { choosePorts } from './ports.js';
import { demoLinks, makeSignInLink, seed } from './seed.js';
import { describeFailure, StackError } from './stack-error.js';
import { claimDataFolder, type Stack, startStack, stopChild } from './stack.js';

export type Running = Awaited<ReturnType<typeof launch>>;

export type LaunchOptions = {
  readonly config: LauncherConfig;
  /** Passed to the services, with the addresses added. */
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the checkout. */
  readonly root: string;
  /** Whether the demo links are created. */
  readonly hasDemo: boolean;
  readonly report: (line: string) => void;
  /** Cancels the start between two steps; processes already started are stopped. */
  readonly signal: AbortSignal;
};

type Ports = Readonly<Record<'management' | 'redirect' | 'metrics' | 'managementMetrics', number>>;

const SERVICE_STOP_GRACE_MS = 15_000;
const LAST_WARNINGS = 10;

/**
 * Starts engines, migrations, both services and demo data. Rejects, after stopping processes already started, with
 * StackError, whose message is for the person at the terminal.
 */
export async function launch(options: LaunchOptions) {
  const { config, report, root, signal } = options;
  const dataFolder = await claimDataFolder(config.SMARTLINK_DATA_DIR, report);
  let ports: Ports;
  let redirectNode: string;
  try {
    // Checked before any process is started.
    const [management = 0, redirect = 0, metrics = 0, managementMetrics = 0] = await choosePorts([
      { variable: 'MANAGEMENT_PORT', host: config.MANAGEMENT_HOST, port: config.MANAGEMENT_PORT },
      { variable: 'REDIRECT_PORT', host: config.REDIRECT_HOST, port: config.REDIRECT_PORT },
      { variable: 'METRICS_PORT', host: '127.0.0.1', port: config.METRICS_PORT },
      { variable: 'MANAGEMENT_METRICS_PORT', host: '127.0.0.1', port: config.MANAGEMENT_METRICS_PORT },
    ]);
    ports = { management, redirect, metrics, managementMetrics };
    const redirectDir = join(root, 'services/redirect');
    redirectNode = await nodeForRedirect({ redirectDir, folder: dataFolder.file('node'), report, signal });
    signal.throwIfAborted();
  } catch (err) {
    dataFolder.unlock();
    throw err;
  }
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, CLICKHOUSE_URL: clickhouseUrl } = config;
  const external = { databaseUrl, redisUrl, clickhouseUrl };
  const stack = await startStack({ dataFolder, external, report, signal });
  const services: Child[] = [];
  /** Stops the services, then the engines. Idempotent. */
  const stop = async () => {
    await Promise.all(services.map((service) => stopChild(service, report)));
    await stack.stop();
  };
  try {
    return { ...(await startServices({ ...options, ports, redirectNode }, stack, services)), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function startServices(
  options: LaunchOptions & { readonly ports: Ports; readonly redirectNode: string },
  stack: Stack,
  services: Child[],
) {
  const { config, hasDemo, report, root, signal, ports, redirectNode } = options;
  const applied = await migrateBoth(stack).catch((err: unknown) => {
    throw new StackError(`The databases could not be brought up to date: ${describeFailure(err)}`);
  });
  report(applied.length === 0 ? 'Both databases are up to date' : `${applied.length} migrations applied`);
  signal.throwIfAborted();

  const managementUrl = `http://${reachable(config.MANAGEMENT_HOST)}:${ports.management}`;
  const redirectUrl = `http://${reachable(config.REDIRECT_HOST)}:${ports.redirect}`;
  const publicBaseUrl = config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${ports.redirect}`;
  const env = serviceEnv(options, stack, publicBaseUrl);
  const logDir = stack.dataFolder.folder('logs');
  const start = async (name: 'management' | 'redirect', command: string) => {
    const service = await startChild({
      name,
      command,
      args: [join(root, 'services', name, 'dist/main.js')],
      cwd: root,
      env,
      logFile: join(logDir, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: SERVICE_STOP_GRACE_MS,
    });
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
  const links = hasDemo ? demoLinks(publicBaseUrl) : [];
  const { apiKey, linksCreated, hasNewKey } = await seed({ root, env, keyFile, managementUrl, links });
  if (hasNewKey) report('The stored demo key is no longer valid; the demo user has a new one');
  if (hasDemo) report(linksCreated === 0 ? 'The demo links exist' : `${linksCreated} demo links created`);
  const managementConfig = readConfig(managementConfigSchema, env);
  const signIn = managementConfig.DASHBOARD_ENABLED
    ? await makeSignInLink({
        databaseUrl: stack.databaseUrl,
        managementBaseUrl: managementBaseUrl(managementConfig),
        hasDemo,
      })
    : null;
  const spoolDir = resolve(root, env['SPOOL_DIR'] ?? '');
  const metricsUrl = `http://127.0.0.1:${ports.metrics}/-/metrics`;
  stack.announce({ managementUrl, publicBaseUrl, metricsUrl, spoolDir });
  /** Resolves with a message when an engine or a service ends unexpectedly. */
  const failed = Promise.race([
    stack.failed,
    ...services.map(async (service) => {
      const how = await service.exited;
      return `${service.identity.name} ended (${how})${lastWarnings(service)}`;
    }),
  ]);
  return { managementUrl, publicBaseUrl, apiKey, signIn, logDir, failed };
}

/** Throws StackError with the service's last warnings when it ends or is not ready in time. */
async function waitUntilServing(service: Child, url: string, signal: AbortSignal): Promise<void> {
  const requireReady = async () => {
    const response = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  };
  try {
    await waitUntilReady(service, requireReady, signal);
  } catch (err) {
    throw err instanceof StackError ? new StackError(`${err.message}${lastWarnings(service)}`) : err;
  }
}

function lastWarnings(service: Child): string {
  const lines = findWarnings(service.lastLines(Infinity)).slice(-LAST_WARNINGS);
  if (lines.length === 0) return '; it had logged no warning or error';
  return ['; its last warnings and errors:', ...lines].join('\n  ');
}

function serviceEnv(
  { config, env, ports }: LaunchOptions & { readonly ports: Ports },
  stack: Stack,
  publicBaseUrl: string,
): NodeJS.ProcessEnv {
  const chosen = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    CLICKHOUSE_URL: stack.clickhouseUrl,
    MANAGEMENT_HOST: config.MANAGEMENT_HOST,
    MANAGEMENT_PORT: String(ports.management),
    REDIRECT_HOST: config.REDIRECT_HOST,
    REDIRECT_PORT: String(ports.redirect),
    METRICS_PORT: String(ports.metrics),
    MANAGEMENT_METRICS_PORT: String(ports.managementMetrics),
    PUBLIC_BASE_URL: publicBaseUrl,
    SPOOL_DIR: config.SPOOL_DIR ?? stack.dataFolder.folder('spool'),
    MEDIA_DIR: config.MEDIA_DIR ?? stack.dataFolder.folder('media'),
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

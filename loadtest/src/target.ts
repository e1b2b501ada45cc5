import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { EngineOptions } from '@smartlink/embedded/child';
import { readRunningStack } from '@smartlink/embedded/data-folder';
import { launch } from '@smartlink/embedded/launcher';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { startPostgres } from '@smartlink/embedded/postgres';
import { startRedis } from '@smartlink/embedded/redis';
import { startClickhouse } from '@smartlink/embedded/start-clickhouse';
import { type Settings, UsageError } from './settings.js';

export type Run = {
  /** Prints a line of progress. */
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/** The stack under load. */
export type Target = {
  /** Public URL of the smartlinks, without a final slash. */
  readonly publicUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly clickhouseUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly own?: {
    readonly engines: Readonly<Record<EngineName, Engine>>;
    /** Resolves with the reason when a service ends unexpectedly. */
    readonly failed: Promise<string>;
    /** Stops the stack and removes its data. */
    readonly stop: () => Promise<void>;
  };
};

export type EngineName = keyof typeof ENGINES;

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Passed to the `during` of a scenario. */
export type RunningLoad = {
  readonly target: Target;
  readonly settings: Settings;
  /** Resolves at a second of the load; rejects when the load has ended. */
  readonly at: (seconds: number) => Promise<void>;
  readonly report: (line: string) => void;
};

/**
 * The stack named by TARGET; null for the own stack. Connects to nothing. Throws UsageError for missing settings, and
 * StackError if the stack of this checkout does not run.
 */
export function readTarget(settings: Settings): Target | null {
  const { TARGET: publicUrl, API_URL, API_KEY, CLICKHOUSE_URL, METRICS_URL } = settings;
  if (publicUrl === undefined) {
    if (API_URL ?? API_KEY ?? CLICKHOUSE_URL ?? METRICS_URL)
      throw new UsageError('API_URL, API_KEY, CLICKHOUSE_URL and METRICS_URL need a TARGET');
    return null;
  }
  const local = publicUrl === 'local' ? targetOf(process.env['SMARTLINK_DATA_DIR'] ?? '.data') : null;
  const apiUrl = API_URL ?? local?.apiUrl;
  const apiKey = API_KEY ?? local?.apiKey;
  if (apiUrl === undefined || apiKey === undefined)
    throw new UsageError('--target needs --api-url and --api-key, for the links and for the account');
  return {
    publicUrl: local?.publicUrl ?? publicUrl,
    apiUrl,
    apiKey,
    clickhouseUrl: CLICKHOUSE_URL ?? local?.clickhouseUrl,
    metricsUrl: METRICS_URL ?? local?.metricsUrl,
  };
}

function targetOf(dataDir: string): Target {
  const { publicBaseUrl, managementUrl, demoKey, clickhouseUrl, metricsUrl } = readRunningStack(dataDir);
  return { publicUrl: publicBaseUrl, apiUrl: managementUrl, apiKey: demoKey, clickhouseUrl, metricsUrl };
}

const ROOT = path.resolve(import.meta.dirname, '../..');
// The maximum of the admin command: the test measures management, not its rate limit.
const REQUESTS_PER_MINUTE = '1000000';

/**
 * Starts a stack on free ports with its data in a temporary folder. If that fails, it stops what it has started and rejects
 * with StackError.
 */
export async function startOwnStack(redirectProcesses: number, { report, signal }: Run): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-'));
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
    rmSync(folder, { recursive: true, force: true });
  };
  const open = async (name: EngineName) => {
    signal.throwIfAborted();
    const engine = await openEngine(name, path.join(folder, 'engines'), report);
    closers.push(engine.close);
    return engine;
  };
  try {
    const engines = {
      postgres: await open('postgres'),
      redis: await open('redis'),
      clickhouse: await open('clickhouse'),
    };
    const dataDir = path.join(folder, 'services');
    const { PATH, HOME, npm_execpath } = process.env;
    const env = {
      // Other variables of this shell must not change the results.
      ...{ PATH, HOME, npm_execpath },
      DATABASE_URL: engines.postgres.url,
      REDIS_URL: engines.redis.url,
      CLICKHOUSE_URL: engines.clickhouse.url,
      SMARTLINK_DATA_DIR: dataDir,
      MANAGEMENT_PORT: '0',
      MANAGEMENT_METRICS_PORT: '0',
      REDIRECT_PORT: '0',
      METRICS_PORT: '0',
      REDIRECT_PROCESSES: String(redirectProcesses),
      // Each visitor of a scenario has its own address.
      TRUSTED_PROXIES: '127.0.0.1/32',
      LOG_LEVEL: 'warn',
    };
    const config = launcherConfigSchema.parse(env);
    const running = await launch({ config, env, root: ROOT, hasDemo: false, report, signal });
    closers.push(running.stop);
    const argv = ['plans', 'set', 'Enterprise', '--requests-per-minute', REQUESTS_PER_MINUTE];
    await promisify(execFile)(process.execPath, [path.join(ROOT, 'tools/admin/dist/main.js'), ...argv], {
      env: { ...env, PUBLIC_BASE_URL: running.publicBaseUrl },
    });
    const target = targetOf(dataDir);
    report(`The stack is ready: ${target.publicUrl}, its API ${target.apiUrl}`);
    return { ...target, own: { engines, failed: running.failed, stop } };
  } catch (err) {
    await stop();
    throw err;
  }
}

const ENGINES = {
  postgres: (options: EngineOptions) =>
    startPostgres(options).then(({ child, databaseUrl, home }) => ({ child, url: databaseUrl, home })),
  redis: (options: EngineOptions) =>
    startRedis(options).then(({ child, redisUrl }) => ({ child, url: redisUrl, home: '' })),
  clickhouse: (options: EngineOptions) =>
    startClickhouse(options).then(({ child, clickhouseUrl }) => ({ child, url: clickhouseUrl, home: '' })),
};

/** Starts an engine that keeps its data and its port over a restart. */
async function openEngine(name: EngineName, dataDir: string, report: (line: string) => void) {
  mkdirSync(dataDir, { recursive: true });
  const secret = randomBytes(24).toString('hex');
  const logFile = path.join(dataDir, `${name}.log`);
  const options = { dataDir, dataId: secret, logFile, password: secret, durable: true, report };
  const start = (port?: number) => ENGINES[name]({ ...options, port, onStart: () => undefined });
  const { url, home, ...first } = await start();
  let { child } = first;
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  return {
    url,
    stop,
    start: async () => {
      ({ child } = await start(Number(new URL(url).port)));
    },
    close: async () => {
      await stop();
      // Postgres cannot always use the data folder.
      if (home !== '') rmSync(home, { recursive: true, force: true });
    },
  };
}

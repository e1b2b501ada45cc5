import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Child } from '@smartlink/embedded/child';
import { loadSecrets } from '@smartlink/embedded/data-folder';
import { launch } from '@smartlink/embedded/launcher';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { freePort } from '@smartlink/embedded/ports';
import { startPostgres } from '@smartlink/embedded/postgres';
import { startRedis } from '@smartlink/embedded/redis';
import { claimDataFolder } from '@smartlink/embedded/stack';
import { startClickhouse } from '@smartlink/embedded/start-clickhouse';
import type { Progress } from './progress.js';
import type { Settings } from './settings.js';
import type { EngineName, OwnParts, Target } from './target.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** An import of 100,000 links takes minutes on a busy machine. */
const ADMIN_TIMEOUT_MS = 300_000;
// The most that the admin command allows: management is measured, not its limit.
const REQUESTS_PER_MINUTE = 1_000_000;

/**
 * Starts a stack on free ports with its data in a temporary folder. Rejects with StackError when it does not start, after
 * stopping what had started.
 */
export async function startOwnStack(options: {
  settings: Settings;
  progress: Progress;
  signal: AbortSignal;
}): Promise<Target> {
  const { settings, progress, signal } = options;
  // Of its steps only the last line stays.
  const report = progress.show;
  const processes = settings.number('REDIRECT_PROCESSES');
  progress.report(`Starting a stack: three engines, management, ${processes} redirect processes`);
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-'));
  const removeFolder = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  const closers: (() => Promise<void> | void)[] = [removeFolder];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const dataFolder = await claimDataFolder(path.join(folder, 'engines'), report);
    closers.push(() => {
      dataFolder.unlock();
    });
    const secrets = loadSecrets(dataFolder.file('secrets.json'));
    const startEngine = async (name: EngineName) => {
      signal.throwIfAborted();
      const engine = await openEngine(name, {
        ...{ dataDir: dataFolder.path, dataId: secrets.dataId, durable: true, report },
        onStart: () => undefined,
        logFile: `${dataFolder.folder('logs')}/${name}.log`,
        password: secrets[`${name}Password`],
      });
      closers.push(engine.close);
      return engine;
    };
    const engines = {
      postgres: await startEngine('postgres'),
      redis: await startEngine('redis'),
      clickhouse: await startEngine('clickhouse'),
    };
    const metricsPort = await freePort();
    const env = servicesEnv(engines, { folder, metricsPort, processes });
    const running = await launch({
      ...{ config: launcherConfigSchema.parse(env), env, root: ROOT, report, signal },
    });
    closers.push(running.stop);
    const runAdmin = createAdmin({ ...env, PUBLIC_BASE_URL: running.publicBaseUrl });
    await runAdmin(['plans', 'set', 'Enterprise', '--requests-per-minute', String(REQUESTS_PER_MINUTE)]);
    progress.report(`The stack is ready: ${running.publicBaseUrl}, its API ${running.managementUrl}`);
    return {
      publicUrl: running.publicBaseUrl,
      apiUrl: running.managementUrl,
      apiKey: running.apiKey,
      clickhouseUrl: engines.clickhouse.url,
      metricsUrl: `http://127.0.0.1:${metricsPort}/-/metrics`,
      own: { engines, runAdmin, email: 'demo@example.com' },
      failed: running.failed,
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

function servicesEnv(
  { postgres, redis, clickhouse }: OwnParts['engines'],
  { folder, metricsPort, processes }: { folder: string; metricsPort: number; processes: number },
) {
  const { PATH, HOME, npm_execpath } = process.env;
  // No other variable of this shell must change what is measured.
  return {
    ...{ PATH, HOME, npm_execpath },
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    SMARTLINK_DATA_DIR: path.join(folder, 'services'),
    MANAGEMENT_PORT: '0',
    REDIRECT_PORT: '0',
    METRICS_PORT: String(metricsPort),
    REDIRECT_PROCESSES: String(processes),
    // So that the visitors of a scenario have addresses of their own.
    TRUSTED_PROXIES: '127.0.0.1/32',
    LOG_LEVEL: 'warn',
  };
}

function createAdmin(env: Readonly<Record<string, string | undefined>>) {
  const program = path.join(ROOT, 'tools/admin/dist/main.js');
  const options = { env, timeout: ADMIN_TIMEOUT_MS, cwd: ROOT, maxBuffer: 16 * 1024 * 1024 };
  return async (argv: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [program, ...argv], options)).stdout;
}

type EngineOptions = Parameters<typeof startPostgres>[0] & Parameters<typeof startClickhouse>[0];

/** Starts an engine; its process, its address, and the folder of its data if that is not the data folder. */
const STARTERS: Readonly<
  Record<EngineName, (options: EngineOptions) => Promise<readonly [child: Child, url: string, home?: string]>>
> = {
  postgres: async (options) => {
    const { child, databaseUrl, home } = await startPostgres(options);
    return [child, databaseUrl, home];
  },
  redis: async (options) => {
    const { child, redisUrl } = await startRedis(options);
    return [child, redisUrl];
  },
  clickhouse: async (options) => {
    const { child, clickhouseUrl } = await startClickhouse(options);
    return [child, clickhouseUrl];
  },
};

/** Starts an engine, which keeps its port when it is started again. */
async function openEngine(name: EngineName, options: EngineOptions) {
  const [first, url, home] = await STARTERS[name](options);
  let child = first;
  const port = Number(new URL(url).port);
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  return {
    url,
    stop,
    start: async () => {
      [child] = await STARTERS[name]({ ...options, port });
    },
    close: async () => {
      await stop();
      if (home !== undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

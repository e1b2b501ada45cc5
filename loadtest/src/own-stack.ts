import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { launch } from '@smartlink/embedded/launcher';
import { launcherConfigSchema } from '@smartlink/embedded/launcher-config';
import { freePort } from '@smartlink/embedded/ports';
import { claimDataFolder } from '@smartlink/embedded/stack';
import { startEngines } from './engines.js';
import type { Engines } from './engines.js';
import type { OwnStackOptions, Target } from './target.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** An import of 100,000 links takes minutes on a busy machine. */
const ADMIN_TIMEOUT_MS = 300_000;
// The most that the admin command allows: management is measured, not its limit.
const REQUESTS_PER_MINUTE = 1_000_000;

/**
 * Brings up a stack of our own on free ports, with its data in a folder of the system for temporary files. Rejects with
 * StackError when it does not start, after stopping what had started.
 */
export async function startOwnStack(options: OwnStackOptions): Promise<Target> {
  const { settings, hasGates, progress, signal } = options;
  // Of its steps only the last line stays.
  const report = progress.show;
  const processes = settings.number('REDIRECT_PROCESSES');
  progress.report(`Starting a stack of our own: three engines, management, ${processes} redirect processes`);
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-loadtest-'));
  const closers: (() => Promise<void> | void)[] = [
    () => {
      rmSync(folder, { recursive: true, force: true });
    },
  ];
  const stop = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const dataFolder = await claimDataFolder(path.join(folder, 'engines'), report);
    closers.push(() => {
      dataFolder.unlock();
    });
    const engines = await startEngines({ dataFolder, hasGates, report, signal });
    closers.push(engines.close);
    const metricsPort = await freePort();
    const env = servicesEnv(engines, { folder, metricsPort, processes });
    const running = await launch({
      config: launcherConfigSchema.parse(env),
      env,
      root: ROOT,
      report,
      signal,
    });
    closers.push(running.stop);
    const adminEnv = { ...env, PUBLIC_BASE_URL: running.publicBaseUrl };
    await raiseLimit(adminEnv);
    progress.report(`The stack is ready: ${running.publicBaseUrl}, its API ${running.managementUrl}`);
    return {
      publicUrl: running.publicBaseUrl,
      apiUrl: running.managementUrl,
      apiKey: running.apiKey,
      clickhouseUrl: engines.clickhouse.url,
      metricsUrl: `http://127.0.0.1:${metricsPort}/-/metrics`,
      own: { engines, env: adminEnv, email: 'demo@example.com' },
      failed: running.failed,
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

function servicesEnv(
  engines: Engines,
  { folder, metricsPort, processes }: { folder: string; metricsPort: number; processes: number },
): Record<string, string | undefined> {
  const { PATH, HOME, npm_execpath } = process.env;
  // Nothing else of our environment: a COUNTRY_HEADER of somebody's shell must not change what is measured.
  return {
    ...{ PATH, HOME, npm_execpath },
    DATABASE_URL: engines.postgres.url,
    REDIS_URL: engines.redis.url,
    CLICKHOUSE_URL: engines.clickhouse.url,
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

async function raiseLimit(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const argv = ['plans', 'set', 'Enterprise', '--requests-per-minute', String(REQUESTS_PER_MINUTE)];
  await runAdmin(argv, env);
}

/** Runs the admin command, as an operator would. Rejects with its words when it fails. */
export async function runAdmin(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const program = path.join(ROOT, 'tools/admin/dist/main.js');
  const options = { env, timeout: ADMIN_TIMEOUT_MS, cwd: ROOT, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...argv], options);
  return stdout;
}

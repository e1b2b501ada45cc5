import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDeathSignal } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import type { TestDatabases } from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export type ManagementProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
};

/** The variables of a process on these databases, on any free port. */
export const processEnv = ({ databaseUrl, redisUrl, clickhouseUrl, redisKeyPrefix }: TestDatabases) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  CLICKHOUSE_URL: clickhouseUrl,
  REDIS_KEY_PREFIX: redisKeyPrefix,
  MANAGEMENT_PORT: '0',
  MANAGEMENT_METRICS_PORT: '0',
});

/** Starts the real process, or that of another service's `main`, with these variables and no others. The caller stops it. */
export function startProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  main = MAIN,
): ManagementProcess {
  // In a session of its own, as under a supervisor: Linux divides the processors among sessions. A killed test run leaves no
  // service behind.
  const [command, argv] = withDeathSignal('SIGKILL', process.execPath, [main, ...args]);
  const child = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, ended };
}

const REDIRECT = fileURLToPath(new URL('../../redirect/dist/main.js', import.meta.url));

export type RedirectProcess = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the redirect service with one worker, and waits until it listens. The caller stops it. */
export async function startRedirect(
  databases: TestDatabases,
  env: Readonly<Record<string, string>> = {},
): Promise<RedirectProcess> {
  const spool = mkdtempSync(join(tmpdir(), 'smartlink-spool-'));
  const port = String(await freePort());
  const own = { REDIRECT_PORT: port, METRICS_PORT: '0', REDIRECT_PROCESSES: '1', SPOOL_DIR: spool };
  const { child, output, ended } = startProcess({ ...processEnv(databases), ...own, ...env }, [], REDIRECT);
  await until(() => {
    if (child.exitCode !== null) throw new Error(`It ended:\n${output()}`);
    return output().includes('"msg":"listening"');
  }, 'the redirect service listens');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(spool, { recursive: true });
    },
  };
}

/** The port of its metrics, once it listens. */
export function metricsPort({ output }: ManagementProcess): number {
  return Number(/"metricsPort":(\d+)/.exec(output())?.[1]);
}

/** Waits until the process listens, and returns its port. Throws with its output when it ends instead. */
export async function listeningPort(management: ManagementProcess): Promise<number> {
  const port = await until(() => {
    if (management.child.exitCode !== null) throw new Error(`It ended:\n${management.output()}`);
    return /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(management.output())?.[1];
  }, 'the service listens');
  return Number(port);
}

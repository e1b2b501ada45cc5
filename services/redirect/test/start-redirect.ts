import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDeathSignal } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { until } from '@smartlink/test-support/until';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
/** The output arrives after the exit, once every process that holds the stream has closed it. */
const OUTPUT_DEADLINE_MS = 5_000;

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

export type Redirect = {
  readonly port: number;
  readonly metricsPort: number;
  readonly url: string;
  readonly process: ChildProcess;
  readonly log: readonly LogLine[];
  readonly spoolDir: string;
  /** Sends a signal (SIGTERM) and resolves with the exit code, null after a kill. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** The pids of the workers, as the system knows them. */
  readonly workers: () => readonly number[];
  /** Returns the value of one line of the metrics, 0 when it is not there. */
  readonly metric: (line: string) => Promise<number>;
};

export type RedirectSettings = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly clickhouseUrl: string;
  readonly redisKeyPrefix: string;
};

/**
 * Starts the real service from dist on free ports and resolves when all its workers listen. The caller stops it.
 * `prefix` is a command that runs another, which becomes that other: `ip netns exec <name>`. `main` is the program.
 */
export async function startRedirect(
  settings: RedirectSettings,
  env: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
  main = MAIN,
): Promise<Redirect> {
  const spoolDir = mkdtempSync(join(tmpdir(), 'smartlink-redirect-'));
  const [program, ...given] = [...prefix, process.execPath, main];
  // A killed test run leaves no service behind: its workers end with the primary.
  const [command, args] = withDeathSignal('SIGKILL', program, given);
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: settings.databaseUrl,
      REDIS_URL: settings.redisUrl,
      CLICKHOUSE_URL: settings.clickhouseUrl,
      REDIS_KEY_PREFIX: settings.redisKeyPrefix,
      // With 0 the service chooses one, which the system may give away until its workers listen.
      REDIRECT_PORT: String(await freePort()),
      METRICS_PORT: '0',
      // A worker takes most of a second of processor time to start.
      REDIRECT_PROCESSES: '1',
      SPOOL_DIR: spoolDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => log.push(JSON.parse(line) as LogLine));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const allPrinted = () => Promise.race([closed, sleep(OUTPUT_DEADLINE_MS, undefined, { ref: false })]);
  const listening = await until(
    () => log.find((line) => line.msg === 'listening') ?? (child.exitCode === null ? null : 'ended'),
    'the redirect service listens',
    START_DEADLINE_MS,
  ).catch((err: unknown) => {
    child.kill('SIGKILL');
    throw err;
  });
  if (listening === 'ended') {
    await allPrinted();
    throw new Error(`The redirect service ended: ${stderr}${JSON.stringify(log)}`);
  }
  const port = Number(listening['port']);
  const metricsPort = Number(listening['metricsPort']);
  return {
    port,
    metricsPort,
    url: `http://127.0.0.1:${port}`,
    process: child,
    log,
    spoolDir,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const code = await withDeadline(exited, STOP_DEADLINE_MS, () => child.kill('SIGKILL'));
      await allPrinted();
      rmSync(spoolDir, { recursive: true, force: true });
      return code;
    },
    workers: () => childrenOf(child.pid ?? 0),
    async metric(line) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/-/metrics`)).text();
      const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
      return found === undefined ? 0 : Number(found.slice(line.length + 1));
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((id) => id > 0);
}

/**
 * Resolves when ClickHouse has every event of the service, `events` of them at least. Tests await it before a stop after
 * which all shall be stored: what ClickHouse does not take within seconds of SIGTERM waits for the next start.
 */
export async function untilDelivered({ metric }: Redirect, events: number): Promise<void> {
  await until(async () => {
    const accepted = await metric('smartlink_redirect_events_total{fate="accepted"}');
    const delivered = await metric('smartlink_redirect_shipper_total{event="delivered_events"}');
    return accepted >= events && delivered === accepted;
  }, 'every event is delivered');
}

async function withDeadline<T>(promise: Promise<T>, deadlineMs: number, onLate: () => void): Promise<T> {
  const timer = setTimeout(onLate, deadlineMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

import { totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type EngineOptions, startChild } from '../child.js';
import { StackError } from '../stack-error.js';

export type ClickhouseOptions = Pick<
  EngineOptions,
  'dataDir' | 'logFile' | 'password' | 'port' | 'onStart'
> & {
  /** Additional configuration of the engine, an XML file. */
  readonly configFile?: string;
};

/** Sent to the process of the embedded ClickHouse once, which keeps the password out of argv and environment. */
export type GatewaySettings = {
  readonly dataDir: string;
  readonly password: string;
  readonly port?: number | undefined;
  readonly memoryBytesMax: number;
  /** Queries that run at once. */
  readonly concurrentMax: number;
  readonly configFile?: string | undefined;
};

/** The answer of the process: its port, or the reason in one line. */
export type GatewayReport = { readonly port: number } | { readonly failure: string };

const READY_TIMEOUT_MS = 60_000;
// The process itself takes up to 15 s (main.ts).
const STOP_GRACE_MS = 20_000;
const CONCURRENT_MAX = 10;

// The built file, also when this module runs from its source.
const PROGRAM = fileURLToPath(new URL('../../dist/clickhouse/main.js', import.meta.url));

/**
 * Starts the embedded ClickHouse and waits until it listens. Its URL names the database `smartlink`, which migrations
 * create. The caller stops `child`. Throws StackError with one line when it does not start.
 */
export async function startClickhouse(
  options: ClickhouseOptions,
): Promise<{ readonly child: Child; readonly clickhouseUrl: string }> {
  const child = await startChild({
    name: 'clickhouse',
    command: process.execPath,
    args: [PROGRAM],
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      // One thread per running query, two more for files and compression.
      UV_THREADPOOL_SIZE: String(CONCURRENT_MAX + 2),
    },
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
    ipc: true,
  });
  options.onStart(child);
  const report = await exchange(child, {
    dataDir: join(options.dataDir, 'clickhouse'),
    password: options.password,
    port: options.port,
    // The engine's default is 90 % of the machine.
    memoryBytesMax: Math.min(Math.max(Math.floor(totalmem() / 4), 1_500_000_000), 4_000_000_000),
    concurrentMax: CONCURRENT_MAX,
    configFile: options.configFile,
  });
  if ('port' in report) {
    // The process stops when the channel closes, so it stays open, without keeping this process alive.
    child.process.channel?.unref();
    return {
      child,
      clickhouseUrl: `http://smartlink:${options.password}@127.0.0.1:${report.port}/smartlink`,
    };
  }
  await child.stop();
  throw new StackError(`ClickHouse did not start: ${report.failure.split('\n')[0] ?? ''}`);
}

async function exchange(child: Child, settings: GatewaySettings): Promise<GatewayReport> {
  const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
  return new Promise<GatewayReport>((resolve) => {
    child.process.once('message', (message: GatewayReport) => {
      resolve(message);
    });
    void child.exited.then((how) => {
      resolve({ failure: `it ended (${how}): ${child.lastLines(3)}` });
    });
    timeout.addEventListener('abort', () => {
      resolve({ failure: `no answer within ${READY_TIMEOUT_MS / 1000} s` });
    });
    child.process.send(settings, (err) => {
      if (err) resolve({ failure: `it ended: ${child.lastLines(3)}` });
    });
  });
}

import { totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../child.js';
import type { Child } from '../child.js';
import { StackError } from '../stack-error.js';
import type { GatewayReport, GatewaySettings } from './protocol.js';

export type ClickhouseOptions = {
  readonly dataDir: string;
  readonly logFile: string;
  readonly password: string;
  /** More of the engine's own configuration, a file in XML. */
  readonly configFile?: string;
  readonly onStart: (child: Child) => void;
};

export type RunningClickhouse = { readonly child: Child; readonly clickhouseUrl: string };

const READY_TIMEOUT_MS = 60_000;
// The process itself takes up to 15 s: 10 s for running queries, 5 s for killed ones.
const STOP_GRACE_MS = 20_000;
const CONCURRENT_MAX = 10;

// Always the built file, also when this one runs from its source: node cannot run TypeScript by itself.
const PROGRAM = fileURLToPath(new URL('../../dist/clickhouse/main.js', import.meta.url));

/**
 * Starts the process of the embedded ClickHouse and waits until it listens. Its URL names the database `smartlink`,
 * which migrations create. The caller stops `child`. Throws StackError with one line when it does not start.
 */
export async function startClickhouse(options: ClickhouseOptions): Promise<RunningClickhouse> {
  const child = await startChild({
    name: 'clickhouse',
    command: process.execPath,
    args: [PROGRAM],
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      // Running queries hold a thread each; two more are left for files and compression.
      UV_THREADPOOL_SIZE: String(CONCURRENT_MAX + 2),
    },
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
    ipc: true,
  });
  options.onStart(child);
  const settings: GatewaySettings = {
    dataDir: join(options.dataDir, 'clickhouse'),
    password: options.password,
    memoryBytesMax: memoryBytesMax(),
    concurrentMax: CONCURRENT_MAX,
    configFile: options.configFile,
  };
  const report = await exchange(child, settings);
  if ('port' in report) {
    // The channel stays open, for its closing tells the process that we are gone, but must not keep us alive.
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

// Its own default is 90 % of the machine, which it shares here with everything else.
function memoryBytesMax(): number {
  const quarter = Math.floor(totalmem() / 4);
  return Math.min(Math.max(quarter, 1_500_000_000), 4_000_000_000);
}

import { totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type EngineOptions, startOnFreePort } from '../child.js';

/** In the variable CLICKHOUSE_GATEWAY of the process, which other users cannot read. */
export type GatewaySettings = {
  readonly dataDir: string;
  readonly password: string;
  readonly port: number;
  readonly memoryBytesMax: number;
  /** Queries that run at once; at least two below UV_THREADPOOL_SIZE. */
  readonly concurrentMax: number;
  /** Additional configuration of the engine, an XML file. */
  readonly configFile?: string;
};

// The process itself takes up to 15 s (main.ts).
const STOP_GRACE_MS = 20_000;
const CONCURRENT_MAX = 10;

// The built file, also when this module runs from its source.
const PROGRAM = fileURLToPath(new URL('../../dist/clickhouse/main.js', import.meta.url));

/**
 * Starts the embedded ClickHouse and waits until it answers. Its URL names the database `smartlink`, which migrations
 * create. The caller stops `child`. Throws StackError, with the end of the log, when it does not start.
 */
export async function startClickhouse(
  options: Pick<EngineOptions, 'dataDir' | 'logFile' | 'password' | 'port' | 'onStart'> &
    Pick<GatewaySettings, 'configFile'>,
): Promise<{ readonly child: Child; readonly clickhouseUrl: string }> {
  const { dataDir, password, configFile } = options;
  const settingsFor = (port: number): GatewaySettings => ({
    dataDir: join(dataDir, 'clickhouse'),
    password,
    port,
    // The engine's default is 90 % of the machine.
    memoryBytesMax: Math.min(Math.max(Math.floor(totalmem() / 4), 1_500_000_000), 4_000_000_000),
    concurrentMax: CONCURRENT_MAX,
    ...(configFile !== undefined && { configFile }),
  });
  const { child, port } = await startOnFreePort(
    (freePort) => ({
      name: 'clickhouse',
      command: process.execPath,
      args: [PROGRAM],
      env: {
        PATH: process.env['PATH'],
        TZ: 'UTC',
        // One thread per running query, two more for files.
        UV_THREADPOOL_SIZE: String(CONCURRENT_MAX + 2),
        CLICKHOUSE_GATEWAY: JSON.stringify(settingsFor(freePort)),
      },
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    }),
    (usedPort) => selectOne(usedPort, password),
    options,
  );
  return { child, clickhouseUrl: `http://smartlink:${password}@127.0.0.1:${port}/smartlink` };
}

async function selectOne(port: number, password: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/?query=select%201`, {
    headers: { authorization: `Basic ${btoa(`smartlink:${password}`)}` },
    signal: AbortSignal.timeout(2_000),
  });
  if (!response.ok) throw new Error(await response.text());
}

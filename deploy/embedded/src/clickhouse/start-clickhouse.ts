import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type EngineOptions, startOnFreePort } from '../child.js';

/** In the variable CLICKHOUSE_GATEWAY of the process, which other users cannot read. */
export type GatewaySettings = {
  readonly dataDir: string;
  readonly password: string;
  readonly port: number;
  /** Additional configuration of the engine, an XML file. */
  readonly configFile?: string;
};

// The process itself takes up to 15 s (main.ts).
const STOP_GRACE_MS = 20_000;
// A thread per running query, and two for files.
const THREADS = 12;

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
  const settings = { dataDir: join(dataDir, 'clickhouse'), password, configFile };
  const { child, port } = await startOnFreePort(
    (freePort) => ({
      name: 'clickhouse',
      command: process.execPath,
      args: [PROGRAM],
      env: {
        PATH: process.env['PATH'],
        TZ: 'UTC',
        UV_THREADPOOL_SIZE: String(THREADS),
        CLICKHOUSE_GATEWAY: JSON.stringify({ ...settings, port: freePort }),
      },
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    }),
    async (usedPort) => {
      const headers = { authorization: `Basic ${btoa(`smartlink:${password}`)}` };
      const url = `http://127.0.0.1:${usedPort}/?query=select%201`;
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
      if (!response.ok) throw new Error(await response.text());
    },
    options,
  );
  return { child, clickhouseUrl: `http://smartlink:${password}@127.0.0.1:${port}/smartlink` };
}

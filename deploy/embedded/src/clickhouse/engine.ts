import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { quote } from './insert-statement.js';

// ClickHouse's engine as a library (chdb). Its public `Session` keeps every connection open until no operation runs
// anywhere in the process (570 MB more after 1,870 requests beside one slow query), and shares settings and partial
// results between requests when one session serves all. The native functions underneath, which are not documented
// and so pin the exact version of chdb, open a connection in 0.2 ms: every request gets its own.

type NativeConnection = { readonly nativeConnection: never };

type NativeBinding = {
  CreateConnection: (dataDir: string, args?: readonly string[]) => NativeConnection;
  CloseConnection: (connection: NativeConnection) => void;
  QueryAsyncConnection: (connection: NativeConnection, sql: string, format: string) => Promise<NativeResult>;
  InsertRawAsyncConnection: (
    connection: NativeConnection,
    sql: string,
    data: Buffer,
    countLines: boolean,
  ) => Promise<{ rowsWritten: number; bytesWritten: number }>;
  DurableClassifyAsync: (
    connection: NativeConnection,
    sql: string,
    database: string | null,
  ) => Promise<{ statementCount: number }>;
};

type NativeResult = { bytes: Uint8Array; rowsRead: number; bytesRead: number };

export type QueryResult = { readonly body: Buffer; readonly rowsRead: number; readonly bytesRead: number };

export type Connection = {
  /** Runs SQL and returns its whole result in `format`. Rejects with the engine's message. */
  readonly query: (sql: string, format: string) => Promise<QueryResult>;
  /** Runs `insert into … from infile …` and returns how many rows were written (materialized views included). */
  readonly insertFromFile: (sql: string) => Promise<{ rowsWritten: number; bytesWritten: number }>;
  /** Returns how many statements the SQL holds: the engine would run all of them. */
  readonly countStatements: (sql: string) => Promise<number>;
  /** Gives the connection back. Never call it while an operation runs on it: that aborts the engine. */
  readonly close: () => void;
};

export type Engine = {
  readonly connect: () => Connection;
  /** Ends the running query of one request, if there is one. Returns at once; it ends at its next block. */
  readonly killQuery: (queryId: string) => Promise<void>;
  readonly killAllQueries: () => Promise<void>;
  /** Writes out what is in memory and leaves the data folder. No connection may be in use. */
  readonly close: () => void;
};

/**
 * Opens the engine on `dataDir` (created when missing, locked for this process). Throws when another process has it.
 * There is one engine a process, and it must be opened from the main thread.
 */
export function openEngine(options: {
  dataDir: string;
  memoryBytesMax: number;
  configFile?: string | undefined;
}): Engine {
  const native = loadBinding();
  const dataDir = resolve(options.dataDir);
  const root = native.CreateConnection(dataDir, [
    `--max_server_memory_usage=${options.memoryBytesMax}`,
    // The default of 5 GB suits a machine that serves nothing else.
    '--mark_cache_size=67108864',
    '--max_thread_pool_size=200',
    ...(options.configFile === undefined ? [] : [`--config-file=${options.configFile}`]),
  ]);
  const run = (sql: string) => native.QueryAsyncConnection(root, sql, 'TabSeparated');
  return {
    connect: () => wrap(native, native.CreateConnection(dataDir)),
    // The engine gives queries ids of its own; the request's id stands in log_comment.
    killQuery: async (queryId) => {
      await run(`kill query where Settings['log_comment'] = ${quote(queryId)} async`);
    },
    killAllQueries: async () => {
      await run('kill query where 1 async');
    },
    close: () => {
      native.CloseConnection(root);
    },
  };
}

function wrap(native: NativeBinding, connection: NativeConnection): Connection {
  return {
    query: async (sql, format) => {
      const result = await native.QueryAsyncConnection(connection, sql, format);
      return {
        body: Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength),
        rowsRead: result.rowsRead,
        bytesRead: result.bytesRead,
      };
    },
    insertFromFile: (sql) => native.InsertRawAsyncConnection(connection, sql, Buffer.alloc(0), false),
    countStatements: async (sql) => {
      const analysis = await native.DurableClassifyAsync(connection, sql, null);
      return analysis.statementCount;
    },
    close: () => {
      native.CloseConnection(connection);
    },
  };
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

function loadBinding(): NativeBinding {
  const platform = `${process.platform}-${process.arch}`;
  const name = PLATFORM_PACKAGES[platform];
  if (name === undefined)
    throw new Error(`there is no embedded ClickHouse for ${platform}: set CLICKHOUSE_URL`);
  // The binary package is a dependency of chdb, not ours, so it is looked up from where chdb is.
  const requireFromHere = createRequire(import.meta.url);
  const requireFromChdb = createRequire(requireFromHere.resolve('chdb'));
  return requireFromChdb(name) as NativeBinding;
}

import { createRequire } from 'node:module';

// ClickHouse as a library (chdb). Its public `Session` keeps every connection open while any operation runs in the
// process (570 MB more after 1,870 requests beside one slow query), and a shared session mixes settings and partial
// results of requests. The native functions underneath open a connection in 0.2 ms, so every request gets its own.
// They are not documented, which is why package.json pins the exact version of chdb.

type NativeConnection = { readonly nativeConnection: never };

type NativeBinding = {
  CreateConnection: (dataDir: string, args?: readonly string[]) => NativeConnection;
  CloseConnection: (connection: NativeConnection) => void;
  QueryAsyncConnection: (
    connection: NativeConnection,
    sql: string,
    format: string,
  ) => Promise<{ bytes: Uint8Array }>;
  DurableClassifyAsync: (
    connection: NativeConnection,
    sql: string,
    database: string | null,
  ) => Promise<{ statementCount: number }>;
};

export type Engine = ReturnType<typeof openEngine>;

/**
 * Opens the engine on `dataDir`, created if missing and locked for this process. Throws when another process holds it.
 * A process can open one engine, from its main thread.
 */
export function openEngine(options: { dataDir: string; memoryBytesMax: number; configFile?: string }) {
  const { dataDir, memoryBytesMax, configFile } = options;
  const native = loadBinding();
  const root = native.CreateConnection(dataDir, [
    `--max_server_memory_usage=${memoryBytesMax}`,
    // The default is 5 GB.
    '--mark_cache_size=67108864',
    '--max_thread_pool_size=200',
    ...(configFile === undefined ? [] : [`--config-file=${configFile}`]),
  ]);
  return {
    connect() {
      const connection = native.CreateConnection(dataDir);
      return {
        /** The whole result, in `TabSeparated` unless the statement names a format. Rejects with the engine's message. */
        async query(sql: string) {
          const { bytes } = await native.QueryAsyncConnection(connection, sql, 'TabSeparated');
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        },
        /** Number of statements in the SQL; the engine would run all of them. */
        async countStatements(sql: string) {
          return (await native.DurableClassifyAsync(connection, sql, null)).statementCount;
        },
        /** Closing it while an operation runs on it aborts the process. */
        close() {
          native.CloseConnection(connection);
        },
      };
    },
    /** Kills the queries that match `condition`, each at its next block. Does not wait for them. */
    async killQueries(condition: string) {
      await native.QueryAsyncConnection(root, `kill query where ${condition} async`, 'Null');
    },
    /** Writes out data in memory and releases the data folder. No connection may be in use. */
    close() {
      native.CloseConnection(root);
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
    throw new Error(`no embedded ClickHouse exists for ${platform}: set CLICKHOUSE_URL`);
  // The binary package is a dependency of chdb, so it is resolved from there.
  const requireFromHere = createRequire(import.meta.url);
  const requireFromChdb = createRequire(requireFromHere.resolve('chdb'));
  return requireFromChdb(name) as NativeBinding;
}

/** `text` as a string literal of ClickHouse's SQL. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;
}

/** A failure in the form of ClickHouse's own, which its clients parse. */
export class EngineError extends Error {
  constructor(code: number, name: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message} (${name})`);
  }
}

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

function loadBinding(): NativeBinding {
  const platform = `${process.platform}-${process.arch}`;
  // The binary package is a dependency of chdb, so it is resolved from there.
  const requireFromChdb = createRequire(createRequire(import.meta.url).resolve('chdb'));
  try {
    return requireFromChdb(`@chdb/lib-${platform.replace(/^linux.*/, '$&-gnu')}`) as NativeBinding;
  } catch (err) {
    throw new Error(`no embedded ClickHouse runs on ${platform}: set CLICKHOUSE_URL`, { cause: err });
  }
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

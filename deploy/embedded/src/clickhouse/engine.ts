import { createRequire } from 'node:module';
import { resolve } from 'node:path';

// ClickHouse as a library (chdb). Its public `Session` keeps every connection open while any operation runs in the
// process (570 MB more after 1,870 requests beside one slow query), and a shared session mixes settings and partial
// results of requests. The native functions underneath open a connection in 0.2 ms, so every request gets its own.
// They are not documented, which is why package.json pins the exact version of chdb.

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

export type Engine = ReturnType<typeof openEngine>;
export type Connection = ReturnType<Engine['connect']>;

/**
 * Opens the engine on `dataDir`, created if missing and locked for this process. Throws when another process holds it.
 * A process can open one engine, from its main thread.
 */
export function openEngine(options: {
  dataDir: string;
  memoryBytesMax: number;
  configFile?: string | undefined;
}) {
  const native = loadBinding();
  const dataDir = resolve(options.dataDir);
  const root = native.CreateConnection(dataDir, [
    `--max_server_memory_usage=${options.memoryBytesMax}`,
    // The default is 5 GB.
    '--mark_cache_size=67108864',
    '--max_thread_pool_size=200',
    ...(options.configFile === undefined ? [] : [`--config-file=${options.configFile}`]),
  ]);
  const run = (sql: string) => native.QueryAsyncConnection(root, sql, 'TabSeparated');
  return {
    connect() {
      const connection = native.CreateConnection(dataDir);
      return {
        /** The whole result in `format`. Rejects with the engine's message. */
        async query(sql: string, format: string) {
          const { bytes, rowsRead, bytesRead } = await native.QueryAsyncConnection(connection, sql, format);
          return { body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), rowsRead, bytesRead };
        },
        /** Runs `insert into … from infile …`; the rows include those of materialized views. */
        insertFromFile: (sql: string) =>
          native.InsertRawAsyncConnection(connection, sql, Buffer.alloc(0), false),
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
    /** Resolves at once; the query, if it is running, ends at its next block. */
    async killQuery(queryId: string) {
      // The engine assigns its own query ids; log_comment holds that of the request.
      await run(`kill query where Settings['log_comment'] = ${quote(queryId)} async`);
    },
    async killAllQueries() {
      await run('kill query where 1 async');
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

/** A failure in ClickHouse's own form, which its clients parse. */
export class EngineError extends Error {
  readonly code: number;
  readonly httpStatus: number;

  constructor(code: number, name: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message} (${name})`);
    this.name = 'EngineError';
    this.code = code;
    this.httpStatus = httpStatusOf(code);
  }
}

/** HTTP answer for anything thrown while serving a request. Code 1002 is ClickHouse's UNKNOWN_EXCEPTION. */
export function describeError(err: unknown): { code: number; httpStatus: number; text: string } {
  if (err instanceof EngineError) return { code: err.code, httpStatus: err.httpStatus, text: err.message };
  const message = (err instanceof Error ? err.message : String(err)).replace(/^Query failed: /, '');
  const digits = /^Code: (\d+)\. DB::Exception/.exec(message)?.[1];
  if (digits === undefined) {
    return { code: 1002, httpStatus: 500, text: `Code: 1002. DB::Exception: ${message} (UNKNOWN_EXCEPTION)` };
  }
  return { code: Number(digits), httpStatus: httpStatusOf(Number(digits)), text: message };
}

function httpStatusOf(code: number): number {
  return STATUS_BY_CODE[code] ?? 500;
}

// As in ClickHouse's HTTPHandler.
const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  36: 400, // BAD_ARGUMENTS
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  48: 501, // NOT_IMPLEMENTED
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  159: 408, // TIMEOUT_EXCEEDED
  202: 503, // TOO_MANY_SIMULTANEOUS_QUERIES
  307: 413, // TOO_MANY_BYTES
  516: 403, // AUTHENTICATION_FAILED
};

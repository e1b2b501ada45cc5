import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Connection, type Engine, EngineError, quote } from './engine.js';

/** URL and headers of a request to ClickHouse's HTTP interface. */
export type EngineRequest = {
  readonly queryId: string;
  /** Of the URL: settings, `param_x` values, `query`, `database`. */
  readonly parameters: URLSearchParams;
  /** Format of a result whose query names none. */
  readonly defaultFormat: string;
  readonly encoding: 'none' | 'gzip' | 'br';
  readonly acceptsGzip: boolean;
};

export type Outcome = {
  readonly body: Buffer;
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Includes rows of materialized views, so it does not acknowledge a number of inserted rows. */
  readonly rowsWritten: number;
  readonly bytesWritten: number;
};

/** When `signal` aborts, the running query is killed and the promise rejects. Rejects with the engine's error. */
export type RunRequest = (req: IncomingMessage, head: EngineRequest, signal: AbortSignal) => Promise<Outcome>;

/** Limit of a body, packed and unpacked. */
const BODY_BYTES_MAX = 256 * 1024 * 1024;
const CONNECTION_WAITERS_MAX = 1_000;
const KILL_REPEAT_MS = 250;
const NOTHING: Outcome = {
  body: Buffer.alloc(0),
  rowsRead: 0,
  bytesRead: 0,
  rowsWritten: 0,
  bytesWritten: 0,
};

/** Runs each request on a connection of its own, `concurrentMax` at once. */
export function createRunRequest(deps: {
  engine: Engine;
  spoolDir: string;
  concurrentMax: number;
}): RunRequest {
  const { engine, spoolDir } = deps;
  const withSlot = createSlots(deps.concurrentMax, CONNECTION_WAITERS_MAX);
  const onConnection = (
    head: EngineRequest,
    signal: AbortSignal,
    work: (connection: Connection) => Promise<Outcome>,
  ) =>
    withSlot(async () => {
      signal.throwIfAborted();
      const connection = engine.connect();
      const stopKilling = killOnAbort(engine, head.queryId, signal);
      try {
        await connection.query(prepareConnectionSql(head), 'TabSeparated');
        signal.throwIfAborted();
        return await work(connection);
      } finally {
        stopKilling();
        connection.close();
      }
    });
  return async (req, head, signal) => {
    const urlQuery = head.parameters.get('query') ?? '';
    const path = join(spoolDir, randomUUID());
    const insert =
      req.method === 'POST' ? insertFromFileSql(urlQuery, { path, compression: head.encoding }) : null;
    if (insert !== null) {
      try {
        await pipeline(limitBody(req), createWriteStream(path, { mode: 0o600 }));
        // The engine refuses an insert without rows; ClickHouse accepts it over HTTP.
        if ((await stat(path)).size === 0) return NOTHING;
        return await onConnection(head, signal, async (connection) => {
          const { rowsWritten, bytesWritten } = await connection.insertFromFile(insert);
          return { ...NOTHING, rowsWritten, bytesWritten };
        });
      } finally {
        await rm(path, { force: true });
      }
    }
    const bodyText = await readQueryText(req, head);
    const sql = [urlQuery, bodyText].filter((part) => part !== '').join('\n');
    if (sql.trim() === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Empty query');
    return onConnection(head, signal, async (connection) => {
      if ((await connection.countStatements(sql)) > 1) {
        throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
      }
      return { ...NOTHING, ...(await connection.query(sql, head.defaultFormat)) };
    });
  };
}

/**
 * Runs up to `slotsMax` works at once; `waitersMax` wait in order of arrival, further ones are refused. A running query
 * holds a thread of libuv's pool, and file and zlib work needs some too.
 */
export function createSlots(
  slotsMax: number,
  waitersMax: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = slotsMax;
  const waiters: (() => void)[] = [];
  return async (work) => {
    if (free > 0) {
      free -= 1;
    } else if (waiters.length < waitersMax) {
      await new Promise<void>((resolve) => waiters.push(resolve));
    } else {
      throw new EngineError(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `${waitersMax} queries are already waiting.`,
      );
    }
    try {
      return await work();
    } finally {
      const next = waiters.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Repeats the kill until the request has ended: one that precedes the engine's start of the query has no effect. */
function killOnAbort(engine: Engine, queryId: string, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const kill = () => {
    engine.killQuery(queryId).catch((err: unknown) => {
      console.error('a query could not be killed:', err);
    });
  };
  const onAbort = () => {
    kill();
    timer = setInterval(kill, KILL_REPEAT_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    signal.removeEventListener('abort', onAbort);
    clearInterval(timer);
  };
}

async function* limitBody(req: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new EngineError(307, 'TOO_MANY_BYTES', `The body is larger than ${BODY_BYTES_MAX} bytes.`);
    }
    yield chunk;
  }
}

/** The query in the body; `param_x` parts of a multipart body are added to the request's parameters. */
async function readQueryText(req: IncomingMessage, head: EngineRequest): Promise<string> {
  const body = await readBody(req, head.encoding);
  const contentType = req.headers['content-type'] ?? '';
  if (/^multipart\/form-data;/i.test(contentType)) {
    // oxlint-disable-next-line typescript/no-deprecated -- for its memory on large bodies; this one is read already
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    for (const [name, value] of form) {
      if (name !== 'query' && typeof value === 'string') head.parameters.set(name, value);
    }
    const query = form.get('query');
    return typeof query === 'string' ? query : '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new EngineError(
      62,
      'SYNTAX_ERROR',
      'The query is not UTF-8: send rows of a binary format beside it.',
    );
  }
}

async function readBody(
  req: IncomingMessage,
  encoding: EngineRequest['encoding'],
): Promise<Buffer<ArrayBuffer>> {
  const body = await buffer(limitBody(req));
  if (encoding === 'gzip') return gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX });
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength: BODY_BYTES_MAX });
  return body;
}

// Parameters of ClickHouse's HTTP interface that are not settings of the engine, which refuses unknown ones.
const HTTP_PARAMETERS = new Set([
  'buffer_size',
  'cancel_http_readonly_queries_on_client_close',
  'client_protocol_version',
  'close_session',
  'compress',
  'database',
  'decompress',
  'default_format',
  'enable_http_compression',
  'http_headers_progress_interval_ms',
  'http_zlib_compression_level',
  'log_comment',
  'password',
  'query',
  'query_id',
  'quota_key',
  'role',
  'send_progress_in_http_headers',
  'session_check',
  'session_id',
  'session_timeout',
  'stacktrace',
  'user',
  'wait_end_of_query',
]);

/** Limit of a query that names none. */
const MAX_EXECUTION_TIME_SECONDS = 60;

/**
 * SQL that sets database, settings and `param_x` values of a request, and its id as log_comment, by which its query is
 * found and killed. Throws EngineError for a setting whose name is not an identifier.
 */
export function prepareConnectionSql(request: { queryId: string; parameters: URLSearchParams }): string {
  const settings = new Map([
    ['max_execution_time', String(MAX_EXECUTION_TIME_SECONDS)],
    ['log_comment', request.queryId],
  ]);
  for (const [name, value] of request.parameters) {
    if (HTTP_PARAMETERS.has(name)) continue;
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting ${quote(name)}.`);
    settings.set(name, value);
  }
  const set = `set ${[...settings].map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`;
  const database = request.parameters.get('database') ?? '';
  return database === '' ? set : `use \`${database.replace(/[\\`]/g, (char) => `\\${char}`)}\`; ${set}`;
}

/**
 * SQL that reads the rows of `insert into t … format X` or `… values` from a file; null for other statements, such as
 * `insert … select`. Rows inside the SQL end at a blank line and the rest is executed; RowBinary with the bytes 0a 0a is
 * cut there.
 */
export function insertFromFileSql(
  sql: string,
  file: { path: string; compression: EngineRequest['encoding'] },
): string | null {
  const statement = sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*.*?\*\/)*/s, '');
  const match =
    /^(insert\s+into\s.+?)(?:\s+(settings\s+\w+\s*=.+?))?\s+(?:format\s+(\w+)|values)\s*;?\s*$/is.exec(
      statement,
    );
  const [, head, settings, format = 'Values'] = match ?? [];
  if (head === undefined) return null;
  const source = `from infile ${quote(file.path)} compression '${file.compression}'`;
  return [head, source, ...(settings === undefined ? [] : [settings]), `format ${format}`].join(' ');
}

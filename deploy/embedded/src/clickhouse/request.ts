import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Engine, EngineError, quote } from './engine.js';

const BODY_BYTES_MAX = 256 * 1024 * 1024;
const WAITING_MAX = 1_000;
const KILL_INTERVAL_MS = 100;
const MAX_EXECUTION_TIME_SECONDS = 60;

/** Parameters of ClickHouse's HTTP interface that are not settings of the engine, which refuses unknown ones. */
const HTTP_PARAMETERS: ReadonlySet<string> = new Set([
  'database',
  'enable_http_compression',
  'log_comment',
  'query',
  'query_id',
  'wait_end_of_query',
]);

/**
 * Executes requests to ClickHouse's HTTP interface, each on its own connection and `concurrentMax` at once, and resolves with the
 * result. When `signal` aborts, the running query is killed and the promise rejects. Rejects with the engine's error.
 */
export function createRequestRunner(options: { engine: Engine; spoolDir: string; concurrentMax: number }) {
  const { engine, spoolDir } = options;
  const withSlot = createSlots(options.concurrentMax, WAITING_MAX);

  const execute = (sql: string, parameters: URLSearchParams, signal: AbortSignal) =>
    withSlot(async () => {
      signal.throwIfAborted();
      const id = parameters.get('query_id') ?? randomUUID();
      const connection = engine.connect();
      // The engine assigns its own query ids; log_comment holds that of the request. Repeated, because a kill that
      // precedes the engine's start of the query has no effect.
      const timer = setInterval(() => {
        if (signal.aborted) engine.killQueries(`Settings['log_comment'] = ${quote(id)}`).catch(console.error);
      }, KILL_INTERVAL_MS);
      try {
        await connection.query(prepareConnectionSql(id, parameters));
        if ((await connection.countStatements(sql)) > 1) {
          throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
        }
        signal.throwIfAborted();
        return await connection.query(sql);
      } finally {
        clearInterval(timer);
        connection.close();
      }
    });

  return async (req: IncomingMessage, signal: AbortSignal): Promise<Buffer> => {
    const parameters = new URL(req.url ?? '/', 'http://localhost').searchParams;
    if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new EngineError(48, 'NOT_IMPLEMENTED', 'The embedded ClickHouse takes no compressed requests.');
    }
    const urlQuery = parameters.get('query') ?? '';
    const path = join(spoolDir, randomUUID());
    const insert = insertFromFileSql(urlQuery, path);
    if (insert !== null) {
      try {
        await pipeline(limitBody(req), createWriteStream(path, { mode: 0o600 }));
        return await execute(insert, parameters, signal);
      } finally {
        await rm(path, { force: true });
      }
    }
    const sql = [urlQuery, await readQueryText(req, parameters)].filter((part) => part !== '').join('\n');
    if (sql.trim() === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Empty query');
    return execute(sql, parameters, signal);
  };
}

/**
 * Runs up to `slotsMax` works at once; `waitingMax` wait in order of arrival, further ones are refused. A running query
 * holds a thread of libuv's pool, and file work needs some too.
 */
export function createSlots(slotsMax: number, waitingMax: number) {
  let free = slotsMax;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= waitingMax) {
      throw new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `${waitingMax} queries are waiting.`);
    }
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
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
async function readQueryText(req: IncomingMessage, parameters: URLSearchParams): Promise<string> {
  const body = await buffer(limitBody(req));
  const contentType = req.headers['content-type'] ?? '';
  if (!/^multipart\/form-data;/i.test(contentType)) return body.toString();
  // oxlint-disable-next-line typescript/no-deprecated -- for its memory on large bodies; this one is read already
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  let query = '';
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    if (name === 'query') query = value;
    else parameters.set(name, value);
  }
  return query;
}

/**
 * SQL that sets database, settings and `param_x` values of a request, and its id as log_comment, by which its query is
 * found and killed. Throws EngineError for a setting whose name is not an identifier.
 */
export function prepareConnectionSql(id: string, parameters: URLSearchParams): string {
  const settings = new Map([
    ['max_execution_time', String(MAX_EXECUTION_TIME_SECONDS)],
    ['log_comment', id],
  ]);
  for (const [name, value] of parameters) {
    if (HTTP_PARAMETERS.has(name)) continue;
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting ${quote(name)}.`);
    settings.set(name, value);
  }
  const set = `set ${[...settings].map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`;
  const database = parameters.get('database') ?? '';
  return database === '' ? set : `use \`${database.replace(/[\\`]/g, (char) => `\\${char}`)}\`; ${set}`;
}

/**
 * SQL that reads the rows of `insert into t … format X` or `… values` from a file; null for other statements, such as
 * `insert … select`. Rows inside the SQL end at a blank line and the rest is executed; RowBinary with the bytes 0a 0a is
 * cut there.
 */
export function insertFromFileSql(sql: string, path: string): string | null {
  const statement = sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*.*?\*\/)*/s, '');
  const match =
    /^(insert\s+into\s.+?)(?:\s+(settings\s+\w+\s*=.+?))?\s+(?:format\s+(\w+)|values)\s*;?\s*$/is.exec(
      statement,
    );
  const [, head, settings = '', format = 'Values'] = match ?? [];
  return head === undefined
    ? null
    : `${head} from infile ${quote(path)} compression 'none' ${settings} format ${format}`;
}

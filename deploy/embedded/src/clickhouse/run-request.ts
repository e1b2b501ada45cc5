import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Connection, Engine } from './engine.js';
import { EngineError } from './engine-error.js';
import { BODY_BYTES_MAX, readBody, readQueryText, tooLarge } from './http-request.js';
import type { EngineRequest } from './http-request.js';
import { insertFromFileSql, parseDataInsert } from './insert-statement.js';
import { prepareConnectionSql } from './request-settings.js';
import type { Slots } from './slots.js';

export type Outcome = {
  readonly body: Buffer;
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Rows that went into the table and its materialized views. Never an acknowledgement of a row count. */
  readonly rowsWritten: number;
  readonly bytesWritten: number;
};

export type RunRequest = (req: IncomingMessage, head: EngineRequest, signal: AbortSignal) => Promise<Outcome>;

const KILL_REPEAT_MS = 250;
const NOTHING: Outcome = {
  body: Buffer.alloc(0),
  rowsRead: 0,
  bytesRead: 0,
  rowsWritten: 0,
  bytesWritten: 0,
};

/**
 * Returns the function that answers one request from the engine, on a connection of its own. When `signal` aborts,
 * the running query is killed and the promise rejects. Rejects with EngineError or with the engine's own error.
 */
export function createRunRequest(deps: { engine: Engine; slots: Slots; spoolDir: string }): RunRequest {
  return async (req, head, signal) => {
    const urlQuery = head.parameters.get('query') ?? '';
    const insert = req.method === 'POST' ? parseDataInsert(urlQuery) : null;
    if (insert) {
      const path = join(deps.spoolDir, randomUUID());
      try {
        await spoolBody(req, path);
        // The engine calls an insert without rows an error; ClickHouse over HTTP accepts it.
        if ((await stat(path)).size === 0) return NOTHING;
        const sql = insertFromFileSql(insert, { path, compression: head.encoding });
        return await onConnection(deps, head, signal, (connection) => insertFile(connection, sql));
      } finally {
        await rm(path, { force: true });
      }
    }
    const bodyText = readQueryText(req, await readBody(req, head.encoding), head.parameters);
    const sql = [urlQuery, bodyText].filter((part) => part !== '').join('\n');
    if (sql.trim() === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Empty query');
    return onConnection(deps, head, signal, (connection) => runQuery(connection, sql, head.defaultFormat));
  };
}

async function onConnection(
  deps: { engine: Engine; slots: Slots },
  head: EngineRequest,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<Outcome>,
): Promise<Outcome> {
  const release = await deps.slots.take();
  try {
    signal.throwIfAborted();
    const connection = deps.engine.connect();
    const stopKilling = killOnAbort(deps.engine, head.queryId, signal);
    try {
      await connection.query(prepareConnectionSql(head), 'TabSeparated');
      signal.throwIfAborted();
      return await work(connection);
    } finally {
      stopKilling();
      connection.close();
    }
  } finally {
    release();
  }
}

async function insertFile(connection: Connection, sql: string): Promise<Outcome> {
  const { rowsWritten, bytesWritten } = await connection.insertFromFile(sql);
  return { ...NOTHING, rowsWritten, bytesWritten };
}

async function runQuery(connection: Connection, sql: string, format: string): Promise<Outcome> {
  if ((await connection.countStatements(sql)) > 1) {
    throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  const result = await connection.query(sql, format);
  return { ...NOTHING, ...result };
}

/** Kills until the request is over, because a kill that comes before the engine has begun the query finds nothing. */
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

async function spoolBody(req: IncomingMessage, path: string): Promise<void> {
  let bytes = 0;
  const limit = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) done(tooLarge());
      else done(null, chunk);
    },
  });
  await pipeline(req, limit, createWriteStream(path, { mode: 0o600 }));
}

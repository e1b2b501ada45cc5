import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describeError, EngineError, openEngine } from './engine.js';
import { createRunRequest, type EngineRequest, type Outcome, type RunRequest } from './run-request.js';
import type { GatewaySettings } from './start-clickhouse.js';

export type Gateway = {
  readonly port: number;
  /** Refuses new requests, kills running ones after `graceMs`, writes out the data and releases the folder. */
  readonly stop: (graceMs: number) => Promise<void>;
};

// Query text and parameters travel in the URL.
const HEADER_BYTES_MAX = 1024 * 1024;
// The client keeps an idle socket for 2.5 s; the server must not close it first.
const KEEP_ALIVE_MS = 30_000;

/**
 * Opens the engine on `dataDir` and serves ClickHouse's HTTP interface on a port of the loopback address. All but
 * `/ping` needs the password, because the engine can read any file of its user. `concurrentMax` must be at least two
 * below UV_THREADPOOL_SIZE. Throws one line when the folder cannot be used.
 */
export async function startGateway(options: GatewaySettings): Promise<Gateway> {
  // With glob characters in the path, `from infile` reads nothing and reports success: rows would be lost silently.
  if (/[*?{}[\]\\]/.test(options.dataDir)) {
    throw new Error(
      `ClickHouse cannot use a data folder with one of * ? { } [ ] \\ in its path: ${options.dataDir}`,
    );
  }
  const engine = openEngine(options);
  // The engine has locked the data folder, so files in the spool are left over from a killed process.
  const spoolDir = `${options.dataDir}.spool`;
  rmSync(spoolDir, { recursive: true, force: true });
  mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
  const running = new Set<Promise<void>>();
  const state = {
    stopping: false,
    password: options.password,
    run: createRunRequest({ engine, spoolDir, concurrentMax: options.concurrentMax }),
  };

  const server = createServer(
    { maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS },
    (req, res) => {
      const work = answer(req, res, state).catch((err: unknown) => {
        console.error('a request could not be answered:', err);
        res.destroy();
      });
      running.add(work);
      void work.finally(() => running.delete(work));
    },
  );
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceMs) => {
      state.stopping = true;
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        engine.killAllQueries().catch((err: unknown) => {
          console.error('queries could not be killed:', err);
        });
      }, graceMs);
      await Promise.allSettled([...running]);
      clearTimeout(timer);
      server.closeAllConnections();
      engine.close();
    },
  };
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  state: { stopping: boolean; password: string; run: RunRequest },
): Promise<void> {
  if (req.url === '/ping') {
    res.end('Ok.\n');
    return;
  }
  const gone = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) gone.abort(new Error('the client has disconnected'));
  });
  let head: EngineRequest | null = null;
  try {
    if (state.stopping) throw new EngineError(236, 'ABORTED', 'The embedded ClickHouse is stopping.');
    const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
    if (!isAuthentic(req, searchParams, state.password)) {
      throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.');
    }
    head = readHead(req, searchParams);
    sendOutcome(res, head, await state.run(req, head, gone.signal));
  } catch (err) {
    if (!gone.signal.aborted) sendError(req, res, head, err);
  }
}

/** The password is accepted as HTTP Basic, in ClickHouse's own header, or in the URL. Compared in constant time. */
function isAuthentic(req: IncomingMessage, parameters: URLSearchParams, password: string): boolean {
  const basic = /^Basic (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  const given =
    basic === undefined
      ? String(req.headers['x-clickhouse-key'] ?? parameters.get('password') ?? '')
      : Buffer.from(basic, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '');
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(given), sha256(password));
}

/** Throws EngineError for features that this server does not have. */
function readHead(req: IncomingMessage, parameters: URLSearchParams): EngineRequest {
  if (parameters.has('session_id')) {
    throw new EngineError(48, 'NOT_IMPLEMENTED', 'The embedded ClickHouse has no sessions.');
  }
  const queryId = parameters.get('query_id') ?? randomUUID();
  // The id becomes part of SQL and of a header.
  if (!/^[\w.:-]{1,200}$/.test(queryId))
    throw new EngineError(36, 'BAD_ARGUMENTS', 'query_id may contain letters, digits and _ . : - only.');
  const encoding = (req.headers['content-encoding'] ?? 'identity').replace('identity', 'none');
  if (encoding !== 'none' && encoding !== 'gzip' && encoding !== 'br') {
    throw new EngineError(
      48,
      'NOT_IMPLEMENTED',
      `Content-Encoding ${encoding} is not supported: use gzip or br.`,
    );
  }
  return {
    queryId,
    parameters,
    defaultFormat:
      parameters.get('default_format') ?? String(req.headers['x-clickhouse-format'] ?? 'TabSeparated'),
    encoding,
    acceptsGzip:
      parameters.get('enable_http_compression') === '1' &&
      /\bgzip\b/.test(String(req.headers['accept-encoding'])),
  };
}

function sendOutcome(res: ServerResponse, head: EngineRequest, outcome: Outcome): void {
  const summary = {
    read_rows: String(outcome.rowsRead),
    read_bytes: String(outcome.bytesRead),
    written_rows: String(outcome.rowsWritten),
    written_bytes: String(outcome.bytesWritten),
  };
  res.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
  res.setHeader('X-ClickHouse-Format', head.defaultFormat);
  res.setHeader('X-ClickHouse-Timezone', 'UTC');
  send(res, head, outcome.body);
}

function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  head: EngineRequest | null,
  err: unknown,
): void {
  const { code, httpStatus, text } = describeError(err);
  res.statusCode = httpStatus;
  res.setHeader('X-ClickHouse-Exception-Code', String(code));
  // The rest of the body is not read, so the connection cannot serve another request.
  if (!req.complete) res.setHeader('Connection', 'close');
  send(res, head, Buffer.from(`${text}\n`));
}

function send(res: ServerResponse, head: EngineRequest | null, body: Buffer): void {
  if (head) res.setHeader('X-ClickHouse-Query-Id', head.queryId);
  res.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  if (head?.acceptsGzip) res.setHeader('Content-Encoding', 'gzip');
  const bytes = head?.acceptsGzip ? gzipSync(body, { level: 1 }) : body;
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Engine } from './engine.js';
import { openEngine } from './engine.js';
import { describeError, EngineError } from './engine-error.js';
import { isAuthentic, readHead } from './http-request.js';
import type { EngineRequest } from './http-request.js';
import { createRunRequest } from './run-request.js';
import type { Outcome, RunRequest } from './run-request.js';
import { createSlots } from './slots.js';

export type Gateway = {
  readonly port: number;
  /** Refuses new requests, waits `graceMs` for running ones, kills the rest, writes out the data, frees the folder. */
  readonly stop: (graceMs: number) => Promise<void>;
};

// Query text and parameters travel in the URL.
const HEADER_BYTES_MAX = 1024 * 1024;
// Longer than the client keeps an idle socket (2.5 s), so that none is closed under a request.
const KEEP_ALIVE_MS = 30_000;
const WAITERS_MAX = 1_000;

/**
 * Opens the engine on `dataDir` and answers ClickHouse's HTTP interface on a free port of the loopback address.
 * Everything but `/ping` needs the password: the engine can read any file of its user. `concurrentMax` must be at
 * least two below UV_THREADPOOL_SIZE. Throws when the folder cannot be used; the message is one clear line.
 */
export async function startGateway(options: {
  dataDir: string;
  password: string;
  memoryBytesMax: number;
  configFile?: string | undefined;
  concurrentMax: number;
}): Promise<Gateway> {
  // Glob characters in its path make `from infile` read nothing and report success: rows would be lost silently.
  if (/[*?{}[\]\\]/.test(options.dataDir)) {
    throw new Error(
      `the data folder's path holds one of * ? { } [ ] \\, which ClickHouse cannot use: ${options.dataDir}`,
    );
  }
  const engine = openEngine(options);
  // The engine's lock on the data folder makes the spool ours: whatever is in it was left by a killed process.
  const spoolDir = `${options.dataDir}.spool`;
  rmSync(spoolDir, { recursive: true, force: true });
  mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
  const slots = createSlots(options.concurrentMax, WAITERS_MAX);
  const running = new Set<Promise<void>>();
  const state = {
    stopping: false,
    password: options.password,
    run: createRunRequest({ engine, slots, spoolDir }),
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
  const port = await listen(server);
  return {
    port,
    stop: async (graceMs) => {
      state.stopping = true;
      await stopServer(server, running, engine, graceMs);
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
    if (!res.writableFinished) gone.abort(new Error('the client is gone'));
  });
  let head: EngineRequest | null = null;
  try {
    if (state.stopping) throw new EngineError(236, 'ABORTED', 'The embedded ClickHouse is stopping.');
    if (!isAuthentic(req, state.password)) {
      throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.');
    }
    head = readHead(req);
    sendOutcome(res, head, await state.run(req, head, gone.signal));
  } catch (err) {
    if (!gone.signal.aborted) sendError(req, res, head, err);
  }
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
  // What is left of the body is not read, so the connection cannot serve another request.
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

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the gateway has no port');
  return address.port;
}

async function stopServer(
  server: Server,
  running: ReadonlySet<Promise<void>>,
  engine: Engine,
  graceMs: number,
): Promise<void> {
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
}

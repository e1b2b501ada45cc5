import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { totalmem } from 'node:os';
import { failureMessage } from '@smartlink/process/database';
import { type Engine, EngineError, openEngine } from './engine.js';
import { createRequestRunner } from './request.js';
import type { GatewaySettings } from './start-clickhouse.js';

// The process of the embedded ClickHouse: the part of its HTTP interface that @clickhouse/client uses, on a loopback port.
// All but `/ping` needs the password, because the engine can read any file of its user.

// Only this user may read visits, whatever the umask of the shell.
process.umask(0o077);

// Query text and parameters travel in the URL.
const HEADER_BYTES_MAX = 1024 * 1024;
// The client keeps an idle socket for 2.5 s; the server must not close it first.
const KEEP_ALIVE_MS = 30_000;
const GRACE_MS = 10_000;
/** Added to the grace for killed queries to end and data to be written. */
const LAST_RESORT_MS = 5_000;

// The engine's default is 90 % of the machine.
const MEMORY_BYTES_MAX = Math.min(Math.max(Math.floor(totalmem() / 4), 1_500_000_000), 4_000_000_000);

const settings = JSON.parse(process.env['CLICKHOUSE_GATEWAY'] ?? '') as GatewaySettings;
const engine = openEngineOrExit();
// The engine has locked the data folder, so files in the spool are left over from a killed process.
const spoolDir = `${settings.dataDir}.spool`;
rmSync(spoolDir, { recursive: true, force: true });
mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
const concurrentMax = Number(process.env['UV_THREADPOOL_SIZE']) - 2;
const run = createRequestRunner({ engine, spoolDir, concurrentMax });
const running = new Set<Promise<void>>();
let isStopping = false;

const server = createServer(
  { maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS },
  (req, res) => {
    const work = answer(req, res).catch((err: unknown) => {
      console.error('a request could not be answered:', err);
      res.destroy();
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  },
);
server.listen(settings.port, '127.0.0.1');

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
process.on('uncaughtException', (err) => {
  console.error('uncaught exception:', err);
  void stop(1);
});

function openEngineOrExit(): Engine {
  try {
    return openEngine({ ...settings, memoryBytesMax: MEMORY_BYTES_MAX });
  } catch (err) {
    console.error(describeError(err));
    process.exit(1);
  }
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/ping') {
    res.end('Ok.\n');
    return;
  }
  const gone = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) gone.abort(new Error('the client has disconnected'));
  });
  try {
    if (isStopping) throw new EngineError(236, 'ABORTED', 'The embedded ClickHouse is stopping.');
    if (!isAuthentic(req)) {
      throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.');
    }
    res.end(await run(req, gone.signal));
  } catch (err) {
    if (gone.signal.aborted) return;
    res.statusCode = 500;
    // The rest of the body is not read, so the connection cannot serve another request.
    if (!req.complete) res.setHeader('Connection', 'close');
    res.end(`${describeError(err)}\n`);
  }
}

/** The password comes as HTTP Basic. Compared in constant time. */
function isAuthentic(req: IncomingMessage): boolean {
  const basic = /^Basic (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const given = Buffer.from(basic, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(given), sha256(settings.password));
}

/** In ClickHouse's own form; code 1002 is its UNKNOWN_EXCEPTION. */
function describeError(err: unknown): string {
  const message = failureMessage(err).replace(/^Query failed: /, '');
  const isInForm = /^Code: \d+\. DB::Exception/.test(message);
  return isInForm ? message : new EngineError(1002, 'UNKNOWN_EXCEPTION', message).message;
}

/** Refuses new requests, kills running ones after the grace, writes out the data and exits. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // process.exit waits for running native queries without a limit. SIGKILL loses no committed row.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS + LAST_RESORT_MS).unref();
  const timer = setTimeout(() => void engine.killQueries('1').catch(console.error), GRACE_MS);
  server.close();
  server.closeIdleConnections();
  await Promise.allSettled([...running]);
  clearTimeout(timer);
  server.closeAllConnections();
  engine.close();
  process.exit(exitCode);
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Pool } from 'undici';
import { withTimeLimit } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { startLowPriorityThread } from '@smartlink/process/thread';
import type { DocumentUrl } from '@smartlink/smartlink/model';
import { type Principal, principalOf } from '../accounts/accounts.js';
import type { Config } from '../config.js';
import { ApiError } from '../errors.js';
import { UPLOAD_MS_MAX } from '../plugins/uploads.js';
import { createForwardedGate, type FormatState } from '../smartlinks/publishing/format-gate.js';
import { NO_URL_SAFETY, type SafetyVerdict, type UrlSafety } from '../url-safety/url-safety.js';

declare module 'fastify' {
  interface FastifyInstance {
    heavyRequests: HeavyRequests;
  }
}

/**
 * Thrown by a route that would hold the event loop for too long: the request is served again, in the thread of heavy requests.
 * Nothing may have been written by then.
 */
export class TooHeavy extends Error {}

/** Header with the bytes that a request made besides its answer. They are charged like those of the answer; no client gets it. */
export const MADE_BYTES_HEADER = 'x-smartlink-made-bytes';

export type HeavyRequests = {
  /**
   * Answers with the thread's answer, and resolves once the client has read it. `onHead` is called when the head of the answer
   * is there. Rejects with SERVICE_UNAVAILABLE.
   */
  readonly forward: (
    request: FastifyRequest,
    reply: FastifyReply,
    body: Buffer | Readable | undefined,
    events: { readonly onHead: () => void; readonly onBytes: (count: number) => void },
  ) => Promise<FastifyReply>;
  /** The thread's metrics; none unless it runs. */
  readonly readMetrics: () => Promise<MetricValues>;
};

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

export type HeavyThreadData = {
  readonly config: Config;
  readonly token: string;
  /** A safety provider is configured. */
  readonly checksUrls: boolean;
};
export type ToThread =
  | { readonly kind: 'verdict'; readonly id: number; readonly verdict: SafetyVerdict | null }
  | { readonly kind: 'stop' };
export type FromThread =
  | { readonly kind: 'listening'; readonly port: number }
  | {
      readonly kind: 'check';
      readonly id: number;
      readonly urls: readonly DocumentUrl[];
      readonly options: Parameters<UrlSafety['check']>[1];
    }
  | { readonly kind: 'stopped' };

// Several bodies of 1 MiB as objects, and the answers made of them.
const MEMORY_MIB = 320;
const ANSWER_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;

const TOKEN_HEADER = 'x-smartlink-token';
const PRINCIPAL_HEADER = 'x-smartlink-principal';
const FORMATS_HEADER = 'x-smartlink-formats';
const FORWARDED_HEADERS = ['content-type', 'idempotency-key', 'if-match', 'if-none-match', 'traceparent'];
// Of the connection, or set by this process too.
const OWN_HEADERS = new Set([
  ...['connection', 'keep-alive', 'date', 'transfer-encoding'],
  ...['cache-control', 'x-content-type-options', 'x-request-id', MADE_BYTES_HEADER],
]);

/**
 * A low-priority thread with a second instance of the API, on a loopback port of its own. It takes the requests that would
 * hold the event loop for tens of milliseconds, and is started by the first of them.
 */
export const heavyRequests = fp<{ config: Config; log: Logger }>(
  (app, { config, log }, done) => {
    let thread: HeavyThread | null = null;
    /** Starts a thread if none runs. Rejects when it cannot start; the next call tries again. */
    async function connect(): Promise<Connected> {
      thread ??= startHeavyThread({ config, urlSafety: app.urlSafety }, (err) => {
        log.error({ err }, 'thread of heavy requests ended');
        thread = null;
      });
      return thread.connected;
    }
    app.decorate('heavyRequests', {
      async forward(request, reply, body, { onHead, onBytes }) {
        const { pool, headers } = await connect().catch(unavailable);
        const answer = await pool
          .request({
            method: request.method,
            path: request.raw.url ?? '/',
            headers: {
              ...headers,
              ...forwardedHeaders(request),
              [FORMATS_HEADER]: app.formatGate.state(),
            },
            body: body ?? null,
            ...(body instanceof Readable && { headersTimeout: UPLOAD_MS_MAX }),
          })
          .catch(unavailable);
        onHead();
        onBytes(Number(answer.headers[MADE_BYTES_HEADER] ?? 0));
        reply.code(answer.statusCode);
        for (const [name, value] of Object.entries(answer.headers)) {
          if (!OWN_HEADERS.has(name)) reply.header(name, value);
        }
        return reply.send(paced(answer.body, onBytes));
      },
      async readMetrics() {
        if (thread === null) return [];
        const { pool, headers } = await thread.connected;
        const { body } = await pool.request({ method: 'GET', path: '/-/metrics', headers });
        return (await body.json()) as MetricValues;
      },
    });
    app.addHook('onClose', async () => {
      await thread?.stop();
    });
    done();
  },
  { name: 'heavy-requests', dependencies: ['url-safety', 'format-gate'] },
);

/** At most one chunk of an answer in each turn of the event loop: libuv would read up to 2 MiB of a socket at once. */
function paced(answer: Readable, onBytes: (count: number) => void): Readable {
  const chunks = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      onBytes(chunk.length);
      setImmediate(next, null, chunk);
    },
  });
  pipeline(answer, chunks, () => undefined);
  return chunks;
}

function unavailable(cause: unknown): never {
  throw new ApiError('SERVICE_UNAVAILABLE', { cause, headers: { 'retry-after': '1' } });
}

function forwardedHeaders(request: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': request.id,
    [PRINCIPAL_HEADER]: encodeURIComponent(JSON.stringify(principalOf(request))),
  };
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

type Connected = { readonly pool: Pool; readonly headers: Readonly<Record<string, string>> };
type HeavyThread = { readonly connected: Promise<Connected>; readonly stop: () => Promise<void> };

/** Throws when the system refuses a thread. */
function startHeavyThread(
  { config, urlSafety }: { readonly config: Config; readonly urlSafety: UrlSafety },
  onEnded: (err: unknown) => void,
): HeavyThread {
  const token = randomBytes(32).toString('base64url');
  const workerData: HeavyThreadData = { config, token, checksUrls: urlSafety !== NO_URL_SAFETY };
  // Both src and dist are next to dist: tests run from the sources, but a thread needs compiled code.
  const file = new URL('../../dist/fairness/heavy-thread.js', import.meta.url);
  let pool: Pool | undefined;
  let onStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (onStopped = resolve));

  function end(): void {
    void thread.terminate();
    void pool?.destroy();
    onStopped();
  }

  let onConnected: (connected: Connected) => void = () => undefined;
  let onFailed: (err: Error) => void = () => undefined;
  const connected = new Promise<Connected>((resolve, reject) => {
    onConnected = resolve;
    onFailed = reject;
  });
  const thread = startLowPriorityThread<ToThread, FromThread>(
    file,
    { workerData, memoryMib: MEMORY_MIB },
    {
      onResult(message) {
        if (message.kind === 'check') void answerCheck(message);
        else if (message.kind === 'stopped') end();
        else void connect(message.port).catch(onFailed);
      },
      onBroken(err) {
        end();
        onFailed(err instanceof Error ? err : new Error(String(err)));
        onEnded(err);
      },
    },
  );
  connected.catch(() => undefined);

  async function connect(port: number): Promise<void> {
    const undici = await import('undici');
    const options = { headersTimeout: ANSWER_MS_MAX, bodyTimeout: ANSWER_MS_MAX };
    pool = new undici.Pool(`http://127.0.0.1:${port}`, options);
    onConnected({ pool, headers: { [TOKEN_HEADER]: token } });
  }

  async function answerCheck({ id, urls, options }: Extract<FromThread, { kind: 'check' }>): Promise<void> {
    // A check that fails is unavailable to the thread, whatever the reason.
    const verdict = await urlSafety.check(urls, options).catch(() => null);
    thread.post({ kind: 'verdict', id, verdict });
  }

  return {
    connected,
    async stop() {
      thread.post({ kind: 'stop' });
      await withTimeLimit(STOP_MS_MAX, stopped).catch(end);
    },
  };
}

/**
 * In the thread: the principal that the process has authenticated, and the state of its gate of snapshot formats. Refuses
 * requests of any other program.
 */
export const forwardedPrincipal = fp<{ token: string }>(
  (app, { token }, done) => {
    const expected = Buffer.from(token);
    const gate = createForwardedGate();
    app.decorate('formatGate', gate);
    app.decorateRequest('principal', null);
    app.addHook('onRequest', (request, _reply, next) => {
      const given = Buffer.from(String(request.headers[TOKEN_HEADER]));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ApiError('UNAUTHORIZED');
      }
      const formats = request.headers[FORMATS_HEADER];
      if (typeof formats === 'string') gate.setState(formats as FormatState);
      const principal = request.headers[PRINCIPAL_HEADER];
      if (typeof principal === 'string') {
        request.principal = JSON.parse(decodeURIComponent(principal)) as Principal;
      }
      next();
    });
    done();
  },
  { name: 'authenticate' },
);

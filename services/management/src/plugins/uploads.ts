import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a stream of one of these types. Only the thread of heavy requests reads it. */
    upload?: Upload;
  }
}

export type Upload = {
  /** Media types, in lower case. */
  readonly types: readonly string[];
  readonly bytesMax: number;
};

const BODY_MS_MAX = 10_000;
/** Of the whole body. */
export const UPLOAD_MS_MAX = 600_000;
const RATE_WINDOW_MS = 15_000;
const RATE_MIN_BYTES_PER_SECOND = 16 * 1024;

export const announcesBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Ends a request as the server does when its headers do not arrive in time. */
function endLateRequest(app: FastifyInstance, { socket }: IncomingMessage): void {
  const late = Object.assign(new Error('The request was not complete in time'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
  app.server.emit('clientError', late, socket);
}

/**
 * Ends requests whose body takes too long: after ten seconds, uploads after ten minutes. What is left of a body after the answer
 * has ten seconds too.
 */
export function limitBodyTimes(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, next) => {
    // Injected requests have no connection.
    if (announcesBody(raw) && raw.socket instanceof Socket) {
      limit(raw, reply, routeOptions.config.upload === undefined ? BODY_MS_MAX : UPLOAD_MS_MAX);
    }
    next();
  });

  function limit(raw: IncomingMessage, reply: FastifyReply, msMax: number): void {
    const end = (): void => {
      if (!raw.complete) endLateRequest(app, raw);
    };
    let timer = setTimeout(end, msMax);
    reply.raw.once('finish', () => {
      clearTimeout(timer);
      if (!raw.complete) timer = setTimeout(end, BODY_MS_MAX);
    });
    raw.once('close', () => {
      clearTimeout(timer);
    });
  }
}

/** In a scope of its own, whose routes get their bodies as the chunks of a stream. */
export function streamBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => {
    done(null, body.iterator({ destroyOnReturn: false }));
  });
  // Node discards only bodies that have no reader. The rest of another one holds up the next request of the connection.
  app.addHook('onResponse', ({ raw }, _reply, next) => {
    raw.removeAllListeners('readable').on('data', () => undefined);
    next();
  });
}

/**
 * The chunks of an upload. Too slow a client is disconnected; time for which the reader lets it wait does not count. Throws
 * PAYLOAD_TOO_LARGE.
 */
export async function* readUpload(
  app: FastifyInstance,
  { raw }: FastifyRequest,
  { bytesMax }: Upload,
): AsyncGenerator<Buffer> {
  const announced = Number(raw.headers['content-length'] ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  const rate = watchRate(() => {
    endLateRequest(app, raw);
  });
  // The answer is sent on the same socket: it stays open.
  const chunks = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  let bytes = 0;
  try {
    for (;;) {
      rate.onWait();
      const next = await chunks.next();
      if (next.done === true) return;
      rate.onBytes(next.value.length);
      bytes += next.value.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield next.value;
    }
  } finally {
    rate.stop();
    await chunks.return?.();
    // What is left is read, for the client to read the answer.
    raw.resume();
  }
}

export const tooLarge = (bytesMax: number): ApiError =>
  new ApiError('PAYLOAD_TOO_LARGE', { message: `The file is larger than ${bytesMax / 1024 / 1024} MiB` });

/** Calls `onSlow` when fewer than 16 KiB/s arrive over 15 seconds of waiting. */
export function watchRate(onSlow: () => void) {
  let bytes = 0;
  let leftMs = RATE_WINDOW_MS;
  let waitsSince = 0;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    waitsSince = performance.now();
    timer = setTimeout(judge, leftMs);
  }

  function judge(): void {
    if (bytes < (RATE_MIN_BYTES_PER_SECOND * RATE_WINDOW_MS) / 1_000) onSlow();
    else {
      bytes = 0;
      leftMs = RATE_WINDOW_MS;
      begin();
    }
  }

  return {
    /** The reader waits for the client. */
    onWait: begin,
    onBytes(count: number): void {
      clearTimeout(timer);
      leftMs = Math.max(0, leftMs - (performance.now() - waitsSince));
      bytes += count;
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

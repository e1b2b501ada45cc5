import { App, _cfg, us_listen_socket_close } from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js';
import { copyFormRequest, copyPageRequest } from './copy-request.js';
import type { Senders } from './copy-request.js';
import type { Dispatch } from './dispatch.js';
import { negotiate } from './negotiate.js';
import type { Preferences } from './negotiate.js';
import { textReply } from './reply.js';
import type { Answer, Header, Reply } from './reply.js';

/** A password of 128 characters, percent-encoded, and a user name beside it. */
const BODY_BYTES_MAX = 4096;
const BODY_DEADLINE_MS = 10_000;
// Connections that are open when listening ends may have a request on its way; so long without one, and all are done.
const QUIET_MS = 150;
const QUIET_POLL_MS = 10;

export type Server = {
  /** Resolves when connections are accepted. Rejects when the port cannot be had. */
  readonly listen: () => Promise<void>;
  /**
   * Stops listening, lets requests under way finish (each answer then closes its connection) until it is quiet or
   * `deadlineMs` is over, and closes what is left.
   */
  readonly close: (options: { deadlineMs: number }) => Promise<void>;
  /** Requests that wait for something. */
  readonly waiting: () => number;
};

export type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly dispatch: Dispatch;
  readonly senders: Senders;
  /** What every answer says, whatever it is. */
  readonly everyHeader: readonly Header[];
  /** A fault of ours in answering. */
  readonly onFault: (err: unknown) => void;
};

/**
 * The HTTP server, and the only user of uWebSockets.js. It copies what is needed of a request before anything can
 * wait, listens for aborts of every request (without that an abort ends the process) and writes each answer in one cork.
 */
export function createServer(options: ServerOptions): Server {
  // Without it every answer names the server and its version (ADR 2).
  _cfg('silent');
  const app = App();
  const state: ServerState = { ...options, isClosing: false, waiting: 0, lastRequestAt: 0 };
  let socket: us_listen_socket | null = null;

  app.any('/*', (res, req) => {
    const exchange: Exchange = { res, isAborted: false, isHead: false, onAbort: null };
    res.onAborted(() => {
      exchange.isAborted = true;
      exchange.onAbort?.();
    });
    if (state.isClosing) state.lastRequestAt = performance.now();
    try {
      handle(state, exchange, req);
    } catch (err) {
      options.onFault(err);
      finish(state, exchange, FAULT);
    }
  });

  return {
    waiting: () => state.waiting,
    listen: () =>
      new Promise((resolve, reject) => {
        app.listen(options.host, options.port, (listening) => {
          if (listening === false) {
            reject(new Error(`REDIRECT_PORT: cannot listen on ${options.host}:${options.port}`));
            return;
          }
          socket = listening;
          resolve();
        });
      }),
    async close({ deadlineMs }) {
      state.isClosing = true;
      if (socket !== null) us_listen_socket_close(socket);
      socket = null;
      await quiet(state, deadlineMs);
      app.close();
    },
  };
}

type ServerState = Pick<ServerOptions, 'dispatch' | 'senders' | 'everyHeader' | 'onFault'> & {
  isClosing: boolean;
  waiting: number;
  lastRequestAt: number;
};

type Exchange = {
  readonly res: HttpResponse;
  isAborted: boolean;
  isHead: boolean;
  /** A response has one abort handler, so whoever else wants to know hangs in here. */
  onAbort: (() => void) | null;
};

function handle(state: ServerState, exchange: Exchange, req: HttpRequest): void {
  const { dispatch, senders } = state;
  const method = req.getMethod();
  if (method === 'get' || method === 'head') {
    const isHead = method === 'head';
    exchange.isHead = isHead;
    const peer = exchange.res.getRemoteAddress();
    settlePage(state, exchange, req, dispatch.page(copyPageRequest(req, { isHead, peer, senders })));
  } else if (method === 'post' && dispatch.takesForm(req.getUrl())) {
    const request = copyFormRequest(req, { peer: exchange.res.getRemoteAddress(), senders });
    const preferences = readPreferences(req);
    const body = readBody(exchange, Number(req.getHeader('content-length') || 0));
    const answer = body.then((result) =>
      typeof result === 'string' ? dispatch.form({ ...request, body: result }) : result,
    );
    settle(
      state,
      exchange,
      answer.then((settled) => negotiate(settled, preferences)),
    );
  } else {
    finish(state, exchange, dispatch.methodNotAllowed());
  }
}

/**
 * Answers a GET or HEAD. Which form of an answer a visitor takes, and whether they kept it, is asked for here, after all
 * else is done: such a visit counts like any other, and a redirect that is known here looks for no further headers.
 */
function settlePage(
  state: ServerState,
  exchange: Exchange,
  req: HttpRequest,
  answer: Answer | Promise<Answer>,
): void {
  if (answer instanceof Promise) {
    const preferences = readPreferences(req);
    const settled = answer.then((made) => negotiate(made, preferences));
    settle(state, exchange, settled);
  } else if (answer.status !== undefined && answer.validator === undefined) {
    finish(state, exchange, answer);
  } else {
    const reply = negotiate(answer, readPreferences(req));
    if (reply instanceof Promise) settle(state, exchange, reply);
    else finish(state, exchange, reply);
  }
}

function readPreferences(req: HttpRequest): Preferences {
  return { acceptEncoding: req.getHeader('accept-encoding'), ifNoneMatch: req.getHeader('if-none-match') };
}

function settle(state: ServerState, exchange: Exchange, reply: Promise<Reply>): void {
  state.waiting += 1;
  void reply
    .catch((err: unknown) => {
      state.onFault(err);
      return FAULT;
    })
    .then((settled) => {
      state.waiting -= 1;
      finish(state, exchange, settled);
    });
}

/** Writes an answer. Never throws: one that cannot be written is a fault, and its connection is closed. */
function finish(state: ServerState, exchange: Exchange, reply: Reply): void {
  if (exchange.isAborted) return;
  try {
    exchange.res.cork(() => {
      // A throw must not cross the native frame of `cork`.
      try {
        write(state, exchange, reply);
      } catch (err) {
        state.onFault(err);
        // Half an answer must not be taken for a whole one.
        exchange.res.close();
      }
    });
  } catch (err) {
    state.onFault(err);
  }
}

async function quiet(state: ServerState, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  state.lastRequestAt = performance.now();
  for (;;) {
    const time = performance.now();
    if (time >= deadline || (state.waiting === 0 && time - state.lastRequestAt >= QUIET_MS)) return;
    await new Promise((resolve) => setTimeout(resolve, QUIET_POLL_MS));
  }
}

const FAULT: Reply = textReply(500, 'Something went wrong.\n');
const TOO_LARGE: Reply = { ...textReply(413, 'The form is too large.\n'), closesConnection: true };
const TOO_SLOW: Reply = { ...textReply(408, 'The form took too long.\n'), closesConnection: true };

function write(state: ServerState, exchange: Exchange, reply: Reply): void {
  const { res, isHead } = exchange;
  const closesConnection = state.isClosing || reply.closesConnection === true;
  res.writeStatus(reply.status);
  for (const [name, value] of reply.headers) res.writeHeader(name, value);
  for (const [name, value] of state.everyHeader) res.writeHeader(name, value);
  const { lengthOnly } = reply;
  if (lengthOnly !== undefined) endWithoutBody(res, lengthOnly, closesConnection);
  else if (isHead) endWithoutBody(res, reply.body.length, closesConnection);
  else res.end(reply.body, closesConnection);
}

/**
 * Ends an answer that has a length and no body. `res.endWithoutBody(length)` would go on waiting for a body and close
 * the connection unanswered at the next request on it (tried with two HEADs), so the length is a header of ours. Nor does
 * it close a connection unless the length is 0, and without a length it writes 2^63 (tried on a raw socket): a client
 * that is told `Connection: close` here must close it, or `app.close()` does, which follows within two seconds.
 */
function endWithoutBody(res: HttpResponse, lengthBytes: number, closesConnection: boolean): void {
  res.writeHeader('Content-Length', String(lengthBytes));
  if (closesConnection) res.writeHeader('Connection', 'close');
  res.endWithoutBody();
}

/** Returns the body as text, or the answer to one that is too large or too slow. */
function readBody(exchange: Exchange, announcedBytes: number): Promise<string | Reply> {
  if (announcedBytes > BODY_BYTES_MAX) return Promise.resolve(TOO_LARGE);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => {
      resolve(TOO_SLOW);
    }, BODY_DEADLINE_MS);
    const settle = (result: string | Reply) => {
      clearTimeout(timer);
      resolve(result);
    };
    exchange.onAbort = () => {
      settle(TOO_SLOW);
    };
    exchange.res.onData((chunk, isLast) => {
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) {
        settle(TOO_LARGE);
        return;
      }
      // The chunk is taken back when this returns.
      chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) settle(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

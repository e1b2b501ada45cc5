import { App, _cfg, us_listen_socket_close } from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js';
import type { TrustedProxies } from './client-address.js';
import { copyFormRequest } from './copy-request.js';
import type { Dispatch } from './dispatch.js';
import { negotiate } from './negotiate.js';
import type { Preferences } from './negotiate.js';
import { textReply } from './reply.js';
import type { Answer, Head, Header, Reply } from './reply.js';
import { createSenders } from './senders.js';
import type { Senders } from './senders.js';

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
  readonly proxies: TrustedProxies;
  /** What every answer says, whatever it is. */
  readonly everyHeader: readonly Header[];
  /** A fault of ours in answering. */
  readonly onFault: (err: unknown) => void;
};

/**
 * The HTTP server, and the only user of uWebSockets.js. What is known here is answered before its handler returns: then
 * nothing can be aborted meanwhile, and uWebSockets.js corks by itself. For everything else an exchange is opened, which
 * listens for aborts (without that an abort ends the process) and writes the answer in one cork.
 */
export function createServer(options: ServerOptions): Server {
  // Without it every answer names the server and its version (ADR 2).
  _cfg('silent');
  const app = App();
  const state: ServerState = {
    ...options,
    senders: createSenders(options.proxies),
    headBytes: createHeadBytes(options.everyHeader),
    isClosing: false,
    waiting: 0,
    lastRequestAt: 0,
  };
  let socket: us_listen_socket | null = null;

  app.filter((res, change) => {
    if (change > 0) state.senders.onOpen(res);
    else state.senders.onClose();
  });
  app.get('/*', (res, req) => {
    handlePage(state, res, req, false);
  });
  app.head('/*', (res, req) => {
    handlePage(state, res, req, true);
  });
  app.any('/*', (res, req) => {
    handleOther(state, res, req);
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

type ServerState = Pick<ServerOptions, 'dispatch' | 'proxies' | 'onFault'> & {
  readonly senders: Senders;
  readonly headBytes: (head: Head) => Uint8Array;
  isClosing: boolean;
  waiting: number;
  lastRequestAt: number;
};

/** A request whose answer has to be waited for. */
type Exchange = {
  readonly res: HttpResponse;
  readonly isHead: boolean;
  isAborted: boolean;
  /** A response has one abort handler, so whoever else wants to know hangs in here. */
  onAbort: (() => void) | null;
};

function handlePage(state: ServerState, res: HttpResponse, req: HttpRequest, isHead: boolean): void {
  if (state.isClosing) state.lastRequestAt = performance.now();
  let reply: Reply | Promise<Reply>;
  try {
    const answer = state.dispatch.page({ req, isHead, sender: state.senders.senderOf(res) });
    reply = inPreferredForm(answer, req);
  } catch (err) {
    state.onFault(err);
    reply = FAULT;
  }
  if (reply instanceof Promise) settle(state, openExchange(res, isHead), reply);
  else write(state, res, reply, isHead);
}

/**
 * Returns the form of an answer that the visitor takes. Which that is, and whether they kept it, is asked for here, after
 * all else is done: such a visit counts like any other, and a redirect that is known here looks for no further headers.
 */
function inPreferredForm(answer: Answer | Promise<Answer>, req: HttpRequest): Reply | Promise<Reply> {
  if (answer instanceof Promise) {
    const preferences = readPreferences(req);
    return answer.then((made) => negotiate(made, preferences));
  }
  if (answer.head !== undefined && answer.validator === undefined) return answer;
  return negotiate(answer, readPreferences(req));
}

function readPreferences(req: HttpRequest): Preferences {
  return { acceptEncoding: req.getHeader('accept-encoding'), ifNoneMatch: req.getHeader('if-none-match') };
}

function handleOther(state: ServerState, res: HttpResponse, req: HttpRequest): void {
  if (state.isClosing) state.lastRequestAt = performance.now();
  try {
    if (req.getMethod() === 'post' && state.dispatch.takesForm(req.getUrl())) handleForm(state, res, req);
    else write(state, res, state.dispatch.methodNotAllowed(), false);
  } catch (err) {
    state.onFault(err);
    write(state, res, FAULT, false);
  }
}

function handleForm(state: ServerState, res: HttpResponse, req: HttpRequest): void {
  // Tries are limited by address, so it is this connection's own.
  const request = copyFormRequest(req, state.senders.exactSenderOf(res), state.proxies);
  const preferences = readPreferences(req);
  const announcedBytes = Number(req.getHeader('content-length') || 0);
  const exchange = openExchange(res, false);
  const reply = readBody(exchange, announcedBytes)
    .then((result) =>
      typeof result === 'string' ? state.dispatch.form({ ...request, body: result }) : result,
    )
    .then((answer) => negotiate(answer, preferences));
  settle(state, exchange, reply);
}

function openExchange(res: HttpResponse, isHead: boolean): Exchange {
  const exchange: Exchange = { res, isHead, isAborted: false, onAbort: null };
  res.onAborted(() => {
    exchange.isAborted = true;
    exchange.onAbort?.();
  });
  return exchange;
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
      if (exchange.isAborted) return;
      exchange.res.cork(() => {
        write(state, exchange.res, settled, exchange.isHead);
      });
    });
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

/**
 * Writes an answer. Never throws, for nothing may cross the native frame of `cork`: one that cannot be written is a fault,
 * and its connection is closed, so that half an answer is not taken for a whole one.
 */
function write(state: ServerState, res: HttpResponse, reply: Reply, isHead: boolean): void {
  try {
    const closesConnection = state.isClosing || reply.closesConnection === true;
    res.writeStatus(state.headBytes(reply.head));
    for (const [name, value] of reply.headers) res.writeHeader(name, value);
    const { lengthOnly, body } = reply;
    if (lengthOnly !== undefined) endWithoutBody(res, lengthOnly, closesConnection);
    else if (isHead) endWithoutBody(res, body.length, closesConnection);
    else if (body.length === 0) res.end(undefined, closesConnection);
    else res.end(body, closesConnection);
  } catch (err) {
    state.onFault(err);
    closeBroken(state, res);
  }
}

function closeBroken(state: ServerState, res: HttpResponse): void {
  try {
    res.close();
  } catch (err) {
    state.onFault(err);
  }
}

/**
 * Returns what gives the bytes of a head, the headers of every answer among them: status line and headers as they go over
 * the wire, for uWebSockets.js writes a status as it is, and bytes faster than a string.
 */
function createHeadBytes(everyHeader: readonly Header[]): (head: Head) => Uint8Array {
  const made = new WeakMap<Head, Uint8Array>();
  return (head) => {
    const known = made.get(head);
    if (known !== undefined) return known;
    const lines = [...head.headers, ...everyHeader].map(([name, value]) => `${name}: ${value}`);
    const bytes = Buffer.from([head.status, ...lines].join('\r\n'), 'latin1');
    made.set(head, bytes);
    return bytes;
  };
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

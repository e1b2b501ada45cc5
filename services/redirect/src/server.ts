import { App, _cfg, us_listen_socket_close } from 'uWebSockets.js';
import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js';
import type { TrustedProxies } from './client-address.js';
import { copyFormRequest } from './copy-request.js';
import type { Arrival } from './copy-request.js';
import type { Dispatch } from './dispatch.js';
import { untilQueueIsEmpty } from './listen-queue.js';
import { negotiate } from './negotiate.js';
import type { Preferences } from './negotiate.js';
import { readBody } from './read-body.js';
import { textReply } from './reply.js';
import type { Answer, Header, Reply } from './reply.js';
import { createSenders } from './senders.js';
import type { Senders } from './senders.js';
import type { Tally } from './counters.js';
import type { VisitTimer } from './visit-timer.js';
import { createReplyWriter } from './write-reply.js';
import type { WriteReply } from './write-reply.js';

// Connections that are open when listening ends may have a request on its way; so long without one, and all are done.
const QUIET_MS = 150;
const QUIET_POLL_MS = 10;

export type Server = {
  /** Resolves when connections are accepted. Rejects when the port cannot be had. */
  readonly listen: () => Promise<void>;
  /**
   * Stops listening and lets visitors leave: from now on each answer closes its connection, and one without a request
   * is closed by the library after 8 to 12 s, as at any other time. Resolves when no connection is left or `deadlineMs`
   * is over; `close` must follow.
   */
  readonly drain: (options: { deadlineMs: number }) => Promise<void>;
  /**
   * Stops listening, lets requests under way finish (each answer then closes its connection) until it is quiet or
   * `deadlineMs` is over, and closes what is left.
   */
  readonly close: (options: { deadlineMs: number }) => Promise<void>;
  /** Requests that wait for something. */
  readonly waiting: () => number;
  readonly connections: () => number;
};

export type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly dispatch: Dispatch;
  readonly proxies: TrustedProxies;
  readonly timer: Pick<VisitTimer, 'begin' | 'endAtOnce' | 'endWaiting'>;
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
    write: createReplyWriter(options.everyHeader, options.onFault),
    socket: null,
    isClosing: false,
    connections: 0,
    waiting: 0,
    lastRequestAt: 0,
  };

  app.filter((res, change) => {
    state.connections += Math.sign(change);
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
    connections: () => state.connections,
    listen: () =>
      new Promise((resolve, reject) => {
        app.listen(options.host, options.port, (listening) => {
          if (listening === false) {
            reject(new Error(`REDIRECT_PORT: cannot listen on ${options.host}:${options.port}`));
            return;
          }
          state.socket = listening;
          resolve();
        });
      }),
    async drain({ deadlineMs }) {
      const deadline = performance.now() + deadlineMs;
      await stopListening(state);
      while (state.connections > 0 && performance.now() < deadline) await pause();
    },
    async close({ deadlineMs }) {
      await stopListening(state);
      await quiet(state, deadlineMs);
      app.close();
    },
  };
}

type ServerState = Pick<ServerOptions, 'port' | 'dispatch' | 'proxies' | 'timer' | 'onFault'> & {
  readonly senders: Senders;
  readonly write: WriteReply;
  socket: us_listen_socket | null;
  isClosing: boolean;
  connections: number;
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
  const beganAt = state.timer.begin();
  const arrival: Arrival = { req, isHead, sender: state.senders.senderOf(res), outcome: null };
  let reply: Reply | Promise<Reply>;
  try {
    const answer = state.dispatch.page(arrival);
    reply = inPreferredForm(answer, req);
  } catch (err) {
    state.onFault(err);
    reply = FAULT;
  }
  if (reply instanceof Promise) {
    // One that was not to be timed lacks the few µs that it took until it had to wait.
    settle(state, openExchange(res, isHead), reply, {
      tally: arrival,
      beganAt: beganAt || performance.now(),
    });
    return;
  }
  finish(state, res, reply, isHead);
  if (beganAt !== 0) state.timer.endAtOnce(arrival, beganAt);
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
    if (req.getMethod() === 'post' && state.dispatch.takesForm(req.getUrl())) {
      handleForm(state, res, req);
      return;
    }
    const beganAt = performance.now();
    const tally: Tally = { outcome: null };
    finish(state, res, state.dispatch.methodNotAllowed(tally));
    state.timer.endAtOnce(tally, beganAt);
  } catch (err) {
    state.onFault(err);
    finish(state, res, FAULT);
  }
}

function handleForm(state: ServerState, res: HttpResponse, req: HttpRequest): void {
  const beganAt = performance.now();
  const tally: Tally = { outcome: null };
  // Tries are limited by address, so it is this connection's own.
  const request = copyFormRequest(req, state.senders.exactSenderOf(res), state.proxies);
  const preferences = readPreferences(req);
  const announcedBytes = Number(req.getHeader('content-length') || 0);
  const exchange = openExchange(res, false);
  const reply = readBody(exchange, announcedBytes)
    .then((result) =>
      typeof result === 'string' ? state.dispatch.form({ ...request, body: result, tally }) : result,
    )
    .then((answer) => negotiate(answer, preferences));
  settle(state, exchange, reply, { tally, beganAt });
}

function openExchange(res: HttpResponse, isHead: boolean): Exchange {
  const exchange: Exchange = { res, isHead, isAborted: false, onAbort: null };
  res.onAborted(() => {
    exchange.isAborted = true;
    exchange.onAbort?.();
  });
  return exchange;
}

function settle(
  state: ServerState,
  exchange: Exchange,
  reply: Promise<Reply>,
  { tally, beganAt }: { readonly tally: Tally; readonly beganAt: number },
): void {
  state.waiting += 1;
  void reply
    .catch((err: unknown) => {
      state.onFault(err);
      return FAULT;
    })
    .then((settled) => {
      state.waiting -= 1;
      if (!exchange.isAborted) {
        exchange.res.cork(() => {
          finish(state, exchange.res, settled, exchange.isHead);
        });
      }
      state.timer.endWaiting(tally, beganAt);
    });
}

function finish(state: ServerState, res: HttpResponse, reply: Reply, isHead = false): void {
  state.write(res, reply, { isHead, closesConnection: state.isClosing });
}

/**
 * Closes the listen socket at a moment when nobody waits in its queue, for the system resets those who do, though they
 * are connected and may have sent their request. Who connects between the look and the closing is reset all the same,
 * and so is who is half connected then; only net.ipv4.tcp_migrate_req hands those on to the other workers (ADR 20).
 * Whoever is answered from now on is told that the connection ends.
 */
async function stopListening(state: ServerState): Promise<void> {
  state.isClosing = true;
  const { socket } = state;
  if (socket === null) return;
  state.socket = null;
  await untilQueueIsEmpty(state.port);
  us_listen_socket_close(socket);
}

async function quiet(state: ServerState, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  state.lastRequestAt = performance.now();
  while (state.connections > 0) {
    const time = performance.now();
    if (time >= deadline || (state.waiting === 0 && time - state.lastRequestAt >= QUIET_MS)) return;
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, QUIET_POLL_MS));

const FAULT: Reply = textReply(500, 'Something went wrong.\n');

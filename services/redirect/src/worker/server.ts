import {
  _cfg,
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import type { TrustedProxies } from '@smartlink/process/client-address';
import {
  type Answer,
  closing,
  type Head,
  type Header,
  negotiate,
  type Preferences,
  type Reply,
  textReply,
} from '../http/reply.js';
import type { Tally, VisitTimer } from '../metrics/worker-metrics.js';
import { createSenders, type Senders } from '../visit/visit-request.js';
import { type Arrival, type Dispatch, type RepeatedLines, readRepeatedLines } from './dispatch.js';
import { untilQueueIsEmpty } from './listen-queue.js';
import { BAD_FRAMING, readBody, readFraming } from './read-body.js';

// Open connections may have a request on its way when listening ends. After this long without one, none follows.
const QUIET_MS = 150;
const QUIET_POLL_MS = 10;

export type Server = ReturnType<typeof createServer>;

type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly dispatch: Dispatch;
  readonly proxies: TrustedProxies;
  readonly timer: Pick<VisitTimer, 'begin' | 'endAtOnce' | 'endWaiting'>;
  /** Headers of every answer. */
  readonly everyHeader: readonly Header[];
  readonly onFault: (err: unknown) => void;
};

/**
 * The HTTP server, and the only user of uWebSockets.js. An answer known at once is written before the handler returns:
 * then no abort can intervene, and uWebSockets.js corks by itself. For all others an exchange listens for aborts (without
 * that an abort ends the process) and writes the answer in one cork.
 */
export function createServer(options: ServerOptions) {
  // Removes the header `uWebSockets: 20` (docs/decisions.md).
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
    /** Requests not yet answered. */
    waiting: () => state.waiting,
    connections: () => state.connections,
    /** Resolves when connections are accepted. Rejects when the port is taken. */
    listen: () =>
      new Promise<void>((resolve, reject) => {
        app.listen(options.host, options.port, (listening) => {
          if (listening === false) {
            reject(new Error(`REDIRECT_PORT: cannot listen on ${options.host}:${options.port}`));
            return;
          }
          state.socket = listening;
          resolve();
        });
      }),
    /**
     * Stops listening and lets visitors leave: each answer closes its connection, and the library closes idle ones after
     * 8 to 12 s. Resolves when no connection is left or after `deadlineMs`; `close` must follow.
     */
    async drain({ deadlineMs }: { deadlineMs: number }) {
      const deadline = performance.now() + deadlineMs;
      await stopListening(state);
      while (state.connections > 0 && performance.now() < deadline) await pause();
    },
    /** Stops listening, waits up to `deadlineMs` for requests under way, and closes the remaining connections. */
    async close({ deadlineMs }: { deadlineMs: number }) {
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

/** A request with a pending answer. */
type Exchange = {
  readonly res: HttpResponse;
  readonly isHead: boolean;
  isAborted: boolean;
  /** A response takes one abort handler; this is called by it. */
  onAbort: (() => void) | null;
};

function handlePage(state: ServerState, res: HttpResponse, req: HttpRequest, isHead: boolean): void {
  if (state.isClosing) state.lastRequestAt = performance.now();
  const beganAt = state.timer.begin();
  const sender = state.senders.senderOf(res);
  // An empty first line of a length hides a second one from `getHeader`. That matters behind an edge, which may see it.
  const needsLines =
    sender.isProxy || req.getHeader('content-length') !== '' || req.getHeader('transfer-encoding') !== '';
  const lines = needsLines ? readRepeatedLines(req) : null;
  const arrival: Arrival = { req, isHead, sender, lines, outcome: null };
  let reply: Reply | Promise<Reply>;
  try {
    const answer = state.dispatch.page(arrival);
    reply = inPreferredForm(answer, req);
    // A body of a GET, which some edges see and others do not, must not be taken for the next request.
    if (lines !== null && mayHaveBody(lines)) reply = Promise.resolve(reply).then(closing);
  } catch (err) {
    state.onFault(err);
    reply = FAULT;
  }
  if (reply instanceof Promise) {
    // An untimed request lacks the few µs before its wait.
    const timing = { tally: arrival, beganAt: beganAt || performance.now() };
    writeWhenReady(state, openExchange(res, isHead), reply, timing);
    return;
  }
  finish(state, res, reply, isHead);
  if (beganAt !== 0) state.timer.endAtOnce(arrival, beganAt);
}

function mayHaveBody(lines: RepeatedLines): boolean {
  const framing = readFraming(lines);
  return framing === null || framing.isChunked || framing.announcedBytes > 0;
}

/**
 * Chooses the encoding, or 304. It comes last: the visit counts like any other, and a plain redirect reads no further
 * headers.
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
    if (req.getMethod() === 'post' && handlePost(state, res, req)) return;
    const beganAt = performance.now();
    const tally: Tally = { outcome: null };
    const reply = Promise.resolve(closing(state.dispatch.methodNotAllowed(req.getUrl(), tally)));
    writeWhenReady(state, openExchange(res, false), reply, { tally, beganAt });
  } catch (err) {
    state.onFault(err);
    finish(state, res, FAULT);
  }
}

/** False if the path takes no POST; then nothing was done. */
function handlePost(state: ServerState, res: HttpResponse, req: HttpRequest): boolean {
  const beganAt = performance.now();
  // Tries are limited by address, so this must be the connection's own.
  const sender = state.senders.exactSenderOf(res);
  const lines = readRepeatedLines(req);
  const arrival: Arrival = { req, isHead: false, sender, lines, outcome: null };
  const answerBody = state.dispatch.post(arrival);
  if (answerBody === null) return false;
  const preferences = readPreferences(req);
  const framing = readFraming(lines);
  const exchange = openExchange(res, false);
  const answer: Promise<Answer> =
    framing === null
      ? Promise.resolve(BAD_FRAMING)
      : readBody(exchange, framing.announcedBytes).then((result) =>
          typeof result === 'string' ? answerBody(result) : result,
        );
  const reply = answer.then((made) => negotiate(made, preferences));
  const timing = { tally: arrival, beganAt };
  writeWhenReady(state, exchange, framing?.isChunked ? reply.then(closing) : reply, timing);
  return true;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function openExchange(res: HttpResponse, isHead: boolean): Exchange {
  const exchange: Exchange = { res, isHead, isAborted: false, onAbort: null };
  res.onAborted(() => {
    exchange.isAborted = true;
    exchange.onAbort?.();
  });
  return exchange;
}

function writeWhenReady(
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
    .then(async (settled) => {
      // What follows in the same packet may be a smuggled request: until the answer is written, uWebSockets.js closes the
      // connection instead of answering it.
      if (settled.closesConnection === true) await nextTurn();
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
 * Closes the listen socket when its queue is empty, since the system resets queued connections, though they may have sent
 * their request. Connections made between the check and the close, or half open then, are still reset; only
 * net.ipv4.tcp_migrate_req passes them on to other workers (docs/decisions.md). Later answers close their connections.
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

type ReplyTarget = {
  writeStatus(status: Uint8Array): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body: Uint8Array | undefined, closeConnection: boolean): unknown;
  endWithoutBody(): unknown;
  /** Writes what the connection takes; the rest must be offered again once it is writable. */
  tryEnd(rest: Uint8Array, wholeBytes: number): [tookAll: boolean, isDone: boolean];
  onWritable(handler: (writtenBytes: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  getWriteOffset(): number;
  close(): unknown;
};

// Holds every redirect and most pages. A connection may hold a few hundred unread: as many as requests fit its buffer.
const AT_ONCE_BYTES_MAX = 16 * 1024;

type WriteReply = (
  target: ReplyTarget,
  reply: Reply,
  how: { readonly isHead: boolean; readonly closesConnection: boolean },
) => void;

/**
 * Writes answers. Never throws, since nothing may cross the native frame of `cork`: if an answer cannot be written, its
 * connection is closed, so that half of it is not taken for the whole.
 */
export function createReplyWriter(
  everyHeader: readonly Header[],
  onFault: (err: unknown) => void,
): WriteReply {
  const headBytes = createHeadBytes(everyHeader);
  return (target, reply, { isHead, closesConnection }) => {
    try {
      const closes = closesConnection || reply.closesConnection === true;
      target.writeStatus(headBytes(reply.head));
      if (reply.location !== undefined) target.writeHeader('Location', reply.location);
      for (const [name, value] of reply.headers) target.writeHeader(name, value);
      const { lengthOnly, body } = reply;
      // A HEAD with a body must close the connection; the price is a length of 0.
      if (isHead && reply.closesConnection === true) target.end(undefined, true);
      else if (lengthOnly !== undefined) endWithoutBody(target, lengthOnly, closes);
      else if (isHead) endWithoutBody(target, body.length, closes);
      else if (body.length > AT_ONCE_BYTES_MAX && !closes) endAsItIsRead(target, body);
      else target.end(body.length === 0 ? undefined : body, closes);
    } catch (err) {
      onFault(err);
      closeBroken(target, onFault);
    }
  };
}

/**
 * Writes a large body as the visitor reads it. Written whole, uWebSockets.js would copy it for a visitor who does not
 * read, once per request: six thousand in a few packets made a process hold gigabytes. A further request on a connection
 * whose answer is not done closes it.
 */
function endAsItIsRead(target: ReplyTarget, body: Buffer): void {
  const startBytes = target.getWriteOffset();
  const [, isDone] = target.tryEnd(body, body.length);
  if (isDone) return;
  target.onAborted(() => undefined);
  target.onWritable((writtenBytes) => {
    const [tookAll] = target.tryEnd(body.subarray(writtenBytes - startBytes), body.length);
    return tookAll;
  });
}

function closeBroken(target: ReplyTarget, onFault: (err: unknown) => void): void {
  try {
    target.close();
  } catch (err) {
    onFault(err);
  }
}

/** Heads as bytes: uWebSockets.js writes a status as it is, headers included, and bytes faster than a string. */
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
 * Ends an answer that has a length and no body. `res.endWithoutBody(length)` would wait for a body and close the
 * connection unanswered at the next request (tried with two HEADs), so the length is our own header. It closes no
 * connection unless the length is 0, and without one writes 2^63 (raw socket): after `Connection: close` the client must
 * close it, or `app.close()` does within two seconds. A 204 (no length) that closes has a length of 0 instead.
 */
function endWithoutBody(target: ReplyTarget, lengthBytes: number | null, closesConnection: boolean): void {
  if (lengthBytes === null && closesConnection) {
    target.end(undefined, true);
    return;
  }
  if (lengthBytes !== null) target.writeHeader('Content-Length', String(lengthBytes));
  if (closesConnection) target.writeHeader('Connection', 'close');
  target.endWithoutBody();
}

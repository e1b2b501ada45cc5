import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { Client, buildConnector } from 'undici';
import type { Dispatcher } from 'undici';
import type { PermitsAddress } from './public-address.js';
import { parseRetryAfter } from './retry-schedule.js';

/** An attempt takes no longer: name, connection, TLS, request and the head of the answer together. */
export const ATTEMPT_MS_MAX = 10_000;
// The outcome is in the head. The body is read so far, and for so long, that a receiver with a usual one sees no reset.
const BODY_BYTES_MAX = 4 * 1024;
const BODY_MS_MAX = 1_000;
const HEAD_BYTES_MAX = 16 * 1024;

export type OutgoingMessage = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Answer = { readonly status: number; readonly retryAfterMs: number | null };

export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What is told of an attempt that got no answer; its message is for the webhook's owner. */
export class NoAnswerError extends Error {}

/**
 * Returns what sends one message over a connection of its own and resolves to the answer, whatever its status: redirects
 * are not followed. Rejects with NoAnswerError when there is none within `limitMs`, ATTEMPT_MS_MAX by default, or when others
 * tell `abort` to. Connections are made to permitted addresses only; the addresses that were looked at are those that are
 * connected to, so a name cannot change what it stands for in between.
 */
export function createMessageSender(deps: {
  permitsAddress: PermitsAddress;
  resolve: ResolveName;
  now: () => number;
  limitMs?: number;
}) {
  const { limitMs = ATTEMPT_MS_MAX } = deps;
  const connectOptions = { lookup: permittedLookup(deps), timeout: limitMs, autoSelectFamily: true };
  return async (message: OutgoingMessage, abort: AbortController): Promise<Answer> => {
    const url = new URL(message.url);
    const connect = buildConnector(connectOptions);
    let socket: Socket | undefined;
    const client = new Client(url.origin, {
      pipelining: 0,
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: limitMs,
      connect: (options, callback) => {
        if (isIP(options.hostname) !== 0 && !deps.permitsAddress(options.hostname)) {
          callback(new NoAnswerError(NOT_PERMITTED), null);
          return;
        }
        // It returns what is being connected, which its types do not say.
        socket = (connect as unknown as (...args: unknown[]) => Socket)(options, callback);
      },
    });
    let timer = setTimeout(() => {
      abort.abort(new NoAnswerError(`No answer within ${limitMs / 1_000} s`));
    }, limitMs);
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers: message.headers,
        body: message.body,
        signal: abort.signal,
      });
      clearTimeout(timer);
      timer = setTimeout(() => {
        abort.abort();
      }, BODY_MS_MAX);
      await readSome(answer.body);
      return { status: answer.statusCode, retryAfterMs: retryAfterOf(answer, deps.now()) };
    } catch (err) {
      throw abort.signal.reason instanceof NoAnswerError ? abort.signal.reason : toNoAnswer(err);
    } finally {
      clearTimeout(timer);
      void client.destroy().catch(() => undefined);
      // Of a connection that is still being made the client knows nothing.
      socket?.destroy();
    }
  };
}

export type SendMessage = ReturnType<typeof createMessageSender>;

const NOT_PERMITTED = 'The address is not on the public Internet';

/** Returns the look-up of a connection: the name's addresses that are permitted, and an error when there are none. */
function permittedLookup(deps: { permitsAddress: PermitsAddress; resolve: ResolveName }): LookupFunction {
  return (hostname, options, callback) => {
    deps.resolve(hostname).then(
      (found) => {
        const permitted = found.filter(({ address }) => deps.permitsAddress(address));
        const [first] = permitted;
        if (first === undefined) {
          callback(new NoAnswerError(found.length > 0 ? NOT_PERMITTED : NO_SUCH_NAME), []);
        } else if (options.all === true) callback(null, permitted);
        else callback(null, first.address, first.family);
      },
      () => {
        callback(new NoAnswerError(NO_SUCH_NAME), []);
      },
    );
  };
}

const NO_SUCH_NAME = 'The host name cannot be resolved';

async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes >= BODY_BYTES_MAX) return;
    }
  } catch {
    // It broke off, or took too long: the head has said what there is to know.
  }
}

function retryAfterOf({ headers }: Dispatcher.ResponseData, nowMs: number): number | null {
  const value = headers['retry-after'];
  return parseRetryAfter(typeof value === 'string' ? value : null, nowMs);
}

const NO_HTTP = 'The answer is not valid HTTP';

// What owners are told of the errors that receivers bring about; others are told by their code.
const TOLD: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection could not be made in time',
  EPIPE: 'The connection was closed before there was an answer',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time',
  UND_ERR_HEADERS_OVERFLOW: 'The head of the answer is larger than 16 KiB',
  // What undici takes for impossible in an answer, as status 000.
  ERR_ASSERTION: NO_HTTP,
  UND_ERR_SOCKET: 'The connection was closed before there was an answer',
};

function toNoAnswer(err: unknown): NoAnswerError {
  if (err instanceof NoAnswerError) return err;
  if (err instanceof Error && err.name === 'HTTPParserError') return new NoAnswerError(NO_HTTP);
  const code = err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : '';
  const told = TOLD[code] ?? `The connection failed${/^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : ''}`;
  return new NoAnswerError(told, { cause: err });
}

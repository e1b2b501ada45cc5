import { createHmac, randomBytes } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { Resolver, lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { failureCode } from '@smartlink/process/database';
import { relink } from '@smartlink/smartlink/model';
import type { ClaimedDelivery } from './delivery-queries.js';
import type { PermitsAddress } from './target-address.js';

/** Time limit of an attempt: name, connection, TLS, request and response head together. */
export const ATTEMPT_MS_MAX = 10_000;
// The outcome is in the head. Reading this much of the body spares a usual receiver a connection reset.
const BODY_BYTES_MAX = 4 * 1024;
const BODY_MS_MAX = 1_000;
const HEAD_BYTES_MAX = 16 * 1024;

const USER_AGENT = 'Smartlink-Webhooks/1';
// Standard Webhooks, Signature scheme: HMAC-SHA256, secrets of 24 to 64 random bytes in Base64 after this prefix.
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

type OutgoingMessage = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The message of a delivery. Its body is the same at every attempt; the headers are new. */
export function toMessage(
  delivery: Pick<ClaimedDelivery, 'id' | 'eventType' | 'occurredAt' | 'data' | 'url' | 'secrets'>,
  publicBaseUrl: string,
  nowMs: number,
): OutgoingMessage {
  const { id, eventType, occurredAt, data, url, secrets } = delivery;
  const body = JSON.stringify({
    type: eventType,
    timestamp: occurredAt.toISOString(),
    data: toMessageData(data, publicBaseUrl),
  });
  const timestamp = String(Math.floor(nowMs / 1_000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    // Standard Webhooks: the signed parts are joined by full stops, and each secret adds a signature.
    'webhook-signature': secrets.map((secret) => sign(`${id}.${timestamp}.${body}`, secret)).join(' '),
  };
  return { url, headers, body };
}

type DeliveryData = ClaimedDelivery['data'];

/** The `data` of a message: that of the delivery, with the address of its smartlink. */
export function toMessageData(data: DeliveryData, publicBaseUrl: string): DeliveryData {
  const { smartlinkUrl, domain } = data;
  if (typeof smartlinkUrl !== 'string') return data;
  return { ...data, relink: relink(publicBaseUrl, smartlinkUrl, typeof domain === 'string' ? domain : null) };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

export type Answer = { readonly status: number; readonly retryAfterMs: number | null };

/** An attempt without an answer; the message is for the webhook's owner. */
export class NoAnswerError extends Error {}

/**
 * Sends one message over a new connection and resolves to the answer, whatever its status; redirects are not followed.
 * Rejects with NoAnswerError after `limitMs`, ATTEMPT_MS_MAX by default, or when `abort` is aborted. It connects only to
 * permitted addresses, and to the very addresses that were checked, so a name cannot change in between.
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
    // Loaded by the first message: most processes send none.
    const { buildConnector, Client } = await import('undici');
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
        // The connector returns the socket, which its types omit.
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
      // The client does not know of a connection that is still being made.
      socket?.destroy();
    }
  };
}

export type SendMessage = ReturnType<typeof createMessageSender>;

async function readSome(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes >= BODY_BYTES_MAX) return;
    }
  } catch {
    // A broken or slow body does not change the outcome, which was in the head.
  }
}

function retryAfterOf({ headers }: Dispatcher.ResponseData, nowMs: number): number | null {
  const value = headers['retry-after'];
  return parseRetryAfter(typeof value === 'string' ? value : null, nowMs);
}

/** The delay of a Retry-After header in ms (RFC 9110, 10.2.3); null when it cannot be read. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const atMs = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Resolves names by the system's DNS servers, IPv4 before IPv6. The system's own lookup would occupy one of the few libuv
 * threads until it ends, so slow names would delay every other connection. With `alsoLocal`, names unknown to DNS are
 * looked up there nevertheless (hosts files, containers). Rejects when the name is not found.
 */
export function createNameResolver(alsoLocal: boolean): ResolveName {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found: LookupAddress[] = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    if (found.length > 0 || !alsoLocal) return found;
    return lookup(hostname, { all: true });
  };
}

function toAddresses(settled: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}

/** Filters a name's addresses by permission; an error when none is left. */
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

const NOT_PERMITTED = 'The address is not on the public Internet';
const NO_SUCH_NAME = 'The host name cannot be resolved';
const NO_HTTP = 'The answer is not valid HTTP';
const CLOSED_EARLY = 'The connection was closed before there was an answer';
const UNREACHABLE = 'The host cannot be reached';
const CONNECT_TIMEOUT = 'The connection could not be made in time';

// Texts for owners; other errors are shown by their code.
const FAILURE_TEXTS: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: CONNECT_TIMEOUT,
  EPIPE: CLOSED_EARLY,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  UND_ERR_HEADERS_OVERFLOW: 'The head of the answer is larger than 16 KiB',
  // undici asserts what it considers impossible in an answer, such as status 000.
  ERR_ASSERTION: NO_HTTP,
  UND_ERR_SOCKET: CLOSED_EARLY,
};

function toNoAnswer(err: unknown): NoAnswerError {
  if (err instanceof NoAnswerError) return err;
  if (err instanceof Error && err.name === 'HTTPParserError') return new NoAnswerError(NO_HTTP);
  const code = failureCode(err);
  const text =
    FAILURE_TEXTS[code] ?? `The connection failed${/^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : ''}`;
  return new NoAnswerError(text, { cause: err });
}

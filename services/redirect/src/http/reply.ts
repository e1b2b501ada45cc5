import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Page } from '@smartlink/pages/site';

declare const checked: unique symbol;

/** A checked header value; only `headerValue` makes one. */
type HeaderValue = string & { readonly [checked]: true };

export type Header = readonly [name: string, value: HeaderValue];

/**
 * The status line and headers common to all answers of one kind, encoded once: the server writes them in one piece,
 * where each separate header costs 0.1 µs.
 */
export type Head = {
  /** Status line without the version, `302 Found`. */
  readonly status: string;
  readonly headers: readonly Header[];
};

/** One whole answer; for HEAD its body is left out. */
export type Reply = {
  readonly head: Head;
  /** The target, the one header that differs between redirects. */
  readonly location?: HeaderValue;
  /** The answer's other headers. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** Closes the connection, because the rest of the request is not read. */
  readonly closesConnection?: boolean;
  /** For a visitor with a cached copy: then `notModified` is the answer. */
  readonly validator?: { readonly etag: string; readonly notModified: Reply };
  /** Sends this as the length, without a body, as for HEAD; null sends no length either, as for 204 (RFC 9110, 8.6). */
  readonly lengthOnly?: number | null;
};

/** One answer in several encodings. Differs from a Reply by having no head. */
type EncodedReply = {
  readonly head?: undefined;
  readonly brotli: Reply;
  readonly gzip: Reply;
  /** For clients that accept neither, mostly bots. */
  readonly identity: () => Reply | Promise<Reply>;
  /** Validator of the identity form, so that a 304 needs no inflating; null if it is not cached. */
  readonly identityValidator: Reply['validator'] | null;
};

export type Answer = Reply | EncodedReply;

// uWebSockets.js writes values unchanged, so a line break would start a header or body of the visitor's choice. Our
// headers need only visible ASCII and spaces.
const UNSAFE = /[^\x20-\x7e]/;

/** Throws unless `text` is printable ASCII; it is never a visitor's text. */
export function headerValue(text: string): HeaderValue {
  if (UNSAFE.test(text)) throw new Error('A header value holds a character that no header may');
  return text as HeaderValue;
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  204: '204 No Content',
  301: '301 Moved Permanently',
  302: '302 Found',
  303: '303 See Other',
  304: '304 Not Modified',
  307: '307 Temporary Redirect',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  410: '410 Gone',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  421: '421 Misdirected Request',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

/** Throws for a code that is not in the table. */
export function createHead(code: number, headers: readonly Header[]): Head {
  const status = STATUS_LINES[code];
  if (status === undefined) throw new Error(`No status line for ${code}`);
  return { status, headers };
}

/** The heads of all status codes with the same headers, each made once. */
export function createHeads(headers: readonly Header[]): (code: number) => Head {
  const heads = new Map<number, Head>();
  return (code) => {
    const known = heads.get(code) ?? createHead(code, headers);
    heads.set(code, known);
    return known;
  };
}

const EMPTY = Buffer.alloc(0);

/** Owners and targets want to see the referring site; paths stay private. */
export const REFERRER_POLICY: Header = ['Referrer-Policy', headerValue('strict-origin-when-cross-origin')];
const NO_STORE: Header = ['Cache-Control', headerValue('private, no-store')];
export const NO_INDEX: Header = ['X-Robots-Tag', headerValue('noindex')];
export const NO_SNIFF: Header = ['X-Content-Type-Options', headerValue('nosniff')];

const uncachedHead = createHeads([NO_STORE, REFERRER_POLICY, NO_INDEX]);

/** The head of redirects that a browser may keep for `cacheSeconds`; no shared cache may. */
export function redirectHead(code: number, cacheSeconds = 0): Head {
  if (cacheSeconds === 0) return uncachedHead(code);
  const kept = headerValue(`private, max-age=${cacheSeconds}`);
  return createHead(code, [['Cache-Control', kept], REFERRER_POLICY, NO_INDEX]);
}

/** `extra` follows its own headers. Throws when `location` is not printable ASCII. */
export function redirectReply(to: number | Head, location: string, extra: readonly Header[] = []): Reply {
  return {
    head: typeof to === 'number' ? redirectHead(to) : to,
    location: headerValue(location),
    headers: extra,
    body: EMPTY,
  };
}

const PLAIN_TEXT: Header = ['Content-Type', headerValue('text/plain; charset=utf-8')];

/** The same reply, after which the connection is closed. */
export function closing(reply: Reply): Reply {
  return { ...reply, closesConnection: true };
}

export const methodNotAllowed = (allowed = 'GET, HEAD'): Reply =>
  textReply(405, 'Method not allowed\n', [['Allow', headerValue(allowed)]]);

const textHead = createHeads([NO_STORE, NO_SNIFF, PLAIN_TEXT]);

export const noContent = (): Reply => ({
  head: createHead(204, [NO_STORE]),
  headers: [],
  body: EMPTY,
  lengthOnly: null,
});

/** A short plain text, not cached. */
export function textReply(code: number, text: string, extra: readonly Header[] = []): Reply {
  return { head: textHead(code), headers: extra, body: Buffer.from(text) };
}

// All browser features but those our script uses: copying a snippet and sharing a card, which is allowed unless switched
// off (naming it makes Chromium on Linux complain of an unknown feature).
const SWITCHED_OFF =
  'accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid ' +
  'idle-detection magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock ' +
  'serial usb';
const PERMISSIONS = `${SWITCHED_OFF.replaceAll(' ', '=(), ')}=(), clipboard-write=(self)`;

const COMMON: readonly Header[] = [
  ['Vary', headerValue('Accept-Language, Accept-Encoding')],
  REFERRER_POLICY,
  NO_SNIFF,
  ['Content-Type', headerValue('text/html; charset=utf-8')],
  ['Cross-Origin-Opener-Policy', headerValue('same-origin')],
  ['Permissions-Policy', headerValue(PERMISSIONS)],
];

/** The head of every page. */
export const htmlHead = createHeads(COMMON);

/** The headers of a page besides `htmlHead` and Cache-Control. */
export function htmlHeaders(page: Omit<Page, 'html'>): readonly Header[] {
  const own: Header[] = [
    ['Content-Language', headerValue(page.language)],
    ['Content-Security-Policy', headerValue(page.policy)],
  ];
  return page.isIndexed ? own : [NO_INDEX, ...own];
}

/** A page for one visitor, neither cached nor compressed. */
export function pageReply(code: number, page: Page, extra: readonly Header[] = []): Reply {
  return {
    head: htmlHead(code),
    headers: [NO_STORE, ...htmlHeaders(page), ...extra],
    body: Buffer.from(page.html),
  };
}

const inflateBehind = promisify(gunzip);
// Takes 50 µs, synchronously: uWebSockets.js closes a connection on which a second request arrives during a pending
// answer. Most pages are this small.
const INFLATE_AT_ONCE_BYTES_MAX = 16 * 1024;

/**
 * A body in the encodings that visitors accept. `plain` is set if it is small or often wanted; otherwise it is inflated
 * on demand.
 */
export type EncodedBody = { readonly brotli: Buffer; readonly gzip: Buffer; readonly plain?: Buffer };

/** Whether an answer may be cached, and revalidated by its tag. `hash` is of the body before encoding. */
export type Keeping = { readonly kind: 'no-store' } | { readonly kind: 'revalidate'; readonly hash: string };

export const VARY_ENCODING: Header = ['Vary', headerValue('Accept-Encoding')];
const REVALIDATE: Header = ['Cache-Control', headerValue('private, no-cache')];

type Coding = 'br' | 'gzip' | null;

/** An answer without its body: its kind's head, and its own headers without Cache-Control. */
type Labels = {
  readonly code: number;
  readonly headOf: (code: number) => Head;
  readonly headers: readonly Header[];
};

export function encodedReply(
  { code, headOf, headers }: Labels,
  body: EncodedBody,
  keeping: Keeping,
): EncodedReply {
  const head = headOf(code);
  const notModified = headOf(304);
  const headersOf = (coding: Coding): readonly Header[] => {
    const encoding: Header[] = coding === null ? [] : [['Content-Encoding', headerValue(coding)]];
    if (keeping.kind === 'no-store') return [NO_STORE, ...headers, ...encoding];
    return [REVALIDATE, ['ETag', headerValue(etagOf(keeping.hash, coding))], ...headers, ...encoding];
  };
  const make = (coding: Coding, bytes: Buffer): Reply => {
    const reply: Reply = { head, headers: headersOf(coding), body: bytes };
    if (keeping.kind === 'no-store') return reply;
    const etag = etagOf(keeping.hash, coding);
    return { ...reply, validator: validatorOf(notModified, reply.headers, etag, bytes.length) };
  };
  return {
    brotli: make('br', body.brotli),
    gzip: make('gzip', body.gzip),
    identity: identityOf(body, (plain) => make(null, plain)),
    identityValidator:
      keeping.kind === 'no-store'
        ? null
        : validatorOf(notModified, headersOf(null), etagOf(keeping.hash, null), plainLength(body)),
  };
}

/** A public file, cached for `maxAgeSeconds`; a Buffer is already as small as possible. */
export function fileAnswer(
  contentType: string,
  body: EncodedBody | Buffer,
  keeping: { readonly maxAgeSeconds: number; readonly isImmutable?: boolean },
): Answer {
  const age = `public, max-age=${keeping.maxAgeSeconds}${keeping.isImmutable === true ? ', immutable' : ''}`;
  const headers: readonly Header[] = [
    ['Cache-Control', headerValue(age)],
    ['Content-Type', headerValue(contentType)],
  ];
  const head = fileHead(200);
  if (Buffer.isBuffer(body)) return { head, headers, body };
  const make = (coding: Coding, bytes: Buffer): Reply => {
    const encoding: Header[] = coding === null ? [] : [['Content-Encoding', headerValue(coding)]];
    return { head, headers: [...headers, VARY_ENCODING, ...encoding], body: bytes };
  };
  return {
    brotli: make('br', body.brotli),
    gzip: make('gzip', body.gzip),
    identity: identityOf(body, (plain) => make(null, plain)),
    identityValidator: null,
  };
}

// A tag names one representation, so each encoding has its own (RFC 9110, 8.8.3.3).
function etagOf(hash: string, coding: Coding): string {
  return `"${hash}${coding === null ? '' : `-${coding.charAt(0)}`}"`;
}

// A 304 repeats the headers, which replace the cached ones (RFC 9111, 3.2); the only length it may name is the page's
// (RFC 9110, 8.6).
function validatorOf(head: Head, headers: readonly Header[], etag: string, lengthBytes: number) {
  const notModified: Reply = { head, headers, body: NOTHING, lengthOnly: lengthBytes };
  return { etag, notModified };
}

const fileHead = createHeads([NO_SNIFF]);

const NOTHING = Buffer.alloc(0);

// Gzip ends with the length of its content (RFC 1952, 2.3.1).
function plainLength({ plain, gzip }: Pick<EncodedBody, 'plain' | 'gzip'>): number {
  return plain?.length ?? gzip.readUInt32LE(gzip.length - 4);
}

/** The plain form; concurrent requests share one promise and its bytes. */
function identityOf(
  { plain, gzip }: EncodedBody,
  make: (plain: Buffer) => Reply,
): () => Reply | Promise<Reply> {
  if (plain !== undefined) {
    const reply = make(plain);
    return () => reply;
  }
  if (plainLength({ gzip }) <= INFLATE_AT_ONCE_BYTES_MAX) return () => make(gunzipSync(gzip));
  let underWay: Promise<Reply> | null = null;
  return () => {
    underWay ??= inflateBehind(gzip)
      .then(make)
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };
}

/** The request headers that select a form of an answer, each '' when absent. */
export type Preferences = { readonly acceptEncoding: string; readonly ifNoneMatch: string };

/**
 * The form that a visitor accepts, brotli before gzip, or its 304. A promise only for a large answer whose visitor
 * accepts neither.
 */
export function negotiate(
  answer: Answer,
  { acceptEncoding, ifNoneMatch }: Preferences,
): Reply | Promise<Reply> {
  if (answer.head !== undefined) return conditionalReply(answer, ifNoneMatch);
  if (takes(acceptEncoding, BROTLI)) return conditionalReply(answer.brotli, ifNoneMatch);
  if (takes(acceptEncoding, GZIP)) return conditionalReply(answer.gzip, ifNoneMatch);
  const { identityValidator } = answer;
  if (identityValidator && isKept(identityValidator.etag, ifNoneMatch)) return identityValidator.notModified;
  return answer.identity();
}

// A coding by name, unless its weight is 0 (RFC 9110, 12.5.3). Clients that send `*` also name what they accept.
const BROTLI = /(?:^|[,\s])br(?![\w-])(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i;
const GZIP = /(?:^|[,\s])(?:x-)?gzip(?![\w-])(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i;

// Real headers end below 64 characters.
const HEADER_LENGTH_MAX = 256;

function takes(acceptEncoding: string, coding: RegExp): boolean {
  return acceptEncoding !== '' && coding.test(acceptEncoding.slice(0, HEADER_LENGTH_MAX));
}

/** `reply`, or its 304 if If-None-Match names its tag. Weak comparison (RFC 9110, 13.1.2). */
function conditionalReply(reply: Reply, ifNoneMatch: string): Reply {
  const { validator } = reply;
  return validator !== undefined && isKept(validator.etag, ifNoneMatch) ? validator.notModified : reply;
}

function isKept(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === '') return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

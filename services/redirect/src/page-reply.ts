import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Page } from '@smartlink/pages/page';
import { NO_INDEX, NO_SNIFF, NO_STORE, REFERRER_POLICY, headerValue, statusLine } from './reply.js';
import type { Answer, EncodedReply, Header, Reply } from './reply.js';

const inflateBehind = promisify(gunzip);

const REVALIDATE: Header = ['Cache-Control', headerValue('private, no-cache')];
const CONTENT_TYPE_HTML: Header = ['Content-Type', headerValue('text/html; charset=utf-8')];
const VARY: Header = ['Vary', headerValue('Accept-Language, Accept-Encoding')];
const VARY_ENCODING: Header = ['Vary', headerValue('Accept-Encoding')];

// Nothing of a browser's but what our script asks for: copying a snippet, sharing a card.
const SWITCHED_OFF = [
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...[
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'picture-in-picture', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb'],
];
const PERMISSIONS: Header = [
  'Permissions-Policy',
  headerValue(
    [...SWITCHED_OFF.map((name) => `${name}=()`), 'clipboard-write=(self)', 'web-share=(self)'].join(', '),
  ),
];

const HTML_HEADERS: readonly Header[] = [
  VARY,
  REFERRER_POLICY,
  NO_SNIFF,
  CONTENT_TYPE_HTML,
  ['Cross-Origin-Opener-Policy', headerValue('same-origin')],
  PERMISSIONS,
];

/** Returns the headers that every page of ours has, but for how long it may be kept. */
export function htmlHeaders(page: Omit<Page, 'html'>): readonly Header[] {
  const own: Header[] = [
    ['Content-Language', headerValue(page.language)],
    ['Content-Security-Policy', headerValue(page.policy)],
  ];
  return page.isIndexed ? [...HTML_HEADERS, ...own] : [NO_INDEX, ...HTML_HEADERS, ...own];
}

/** Returns a page that nobody keeps, made for one visitor and so not compressed. */
export function pageReply(code: number, page: Page, extra: readonly Header[] = []): Reply {
  return {
    status: statusLine(code),
    headers: [NO_STORE, ...htmlHeaders(page), ...extra],
    body: Buffer.from(page.html),
  };
}

/** A body in the two encodings that visitors take. */
export type EncodedBody = { readonly brotli: Buffer; readonly gzip: Buffer };

/** How an answer may be kept: not at all, or asked for again with its tag. `hash` is of the body before encoding. */
export type Keeping = { readonly kind: 'no-store' } | { readonly kind: 'revalidate'; readonly hash: string };

/** Returns an answer in all its encodings; `headers` without Cache-Control. */
export function encodedReply(
  code: number,
  headers: readonly Header[],
  body: EncodedBody,
  keeping: Keeping,
): EncodedReply {
  const status = statusLine(code);
  const make = (bytes: Buffer, coding: 'br' | 'gzip' | null): Reply => {
    const encoding: Header[] = coding === null ? [] : [['Content-Encoding', headerValue(coding)]];
    if (keeping.kind === 'no-store')
      return { status, headers: [NO_STORE, ...headers, ...encoding], body: bytes };
    // A tag is of one representation: what is encoded in two ways has two (RFC 9110, 8.8.3.3).
    const etag = `"${keeping.hash}${coding === null ? '' : `-${coding.charAt(0)}`}"`;
    return withValidator(etag, [REVALIDATE, ['ETag', headerValue(etag)], ...headers, ...encoding], bytes);
  };
  return {
    brotli: make(body.brotli, 'br'),
    gzip: make(body.gzip, 'gzip'),
    identity: () => inflate(body.gzip, (plain) => make(plain, null)),
  };
}

/** Returns a file for whoever asks, kept for `maxAgeSeconds`; a body in two encodings, or one that is as small as it gets. */
export function fileAnswer(
  contentType: string,
  body: EncodedBody | Buffer,
  keeping: { readonly maxAgeSeconds: number; readonly isImmutable?: boolean },
): Answer {
  const age = `public, max-age=${keeping.maxAgeSeconds}${keeping.isImmutable === true ? ', immutable' : ''}`;
  const headers: readonly Header[] = [
    ['Cache-Control', headerValue(age)],
    NO_SNIFF,
    ['Content-Type', headerValue(contentType)],
  ];
  const status = statusLine(200);
  if (Buffer.isBuffer(body)) return { status, headers, body };
  const encodedHeaders = (coding: string): readonly Header[] => [
    ...headers,
    VARY_ENCODING,
    ['Content-Encoding', headerValue(coding)],
  ];
  return {
    brotli: { status, headers: encodedHeaders('br'), body: body.brotli },
    gzip: { status, headers: encodedHeaders('gzip'), body: body.gzip },
    identity: () =>
      inflate(body.gzip, (plain) => ({ status, headers: [...headers, VARY_ENCODING], body: plain })),
  };
}

function withValidator(etag: string, headers: readonly Header[], body: Buffer): Reply {
  // A 304 repeats the headers, for they take the place of those that were kept (RFC 9111, 3.2), and the only length it
  // may name is the page's (RFC 9110, 8.6).
  const notModified: Reply = { status: statusLine(304), headers, body, omitsBody: true };
  return { status: statusLine(200), headers, body, validator: { etag, notModified } };
}

// A fifth of a millisecond: at once, because uWebSockets.js closes a connection on which a second request comes while an
// answer is being waited for.
const INFLATE_AT_ONCE_BYTES_MAX = 64 * 1024;

/** Returns the reply made of what `compressed` holds, as a promise when that is large. */
function inflate(compressed: Buffer, reply: (plain: Buffer) => Reply): Reply | Promise<Reply> {
  // Gzip ends with the length of what it holds (RFC 1952, 2.3.1).
  const plainLength = compressed.readUInt32LE(compressed.length - 4);
  if (plainLength <= INFLATE_AT_ONCE_BYTES_MAX) return reply(gunzipSync(compressed));
  return inflateBehind(compressed).then(reply);
}

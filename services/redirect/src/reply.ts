import { createHash } from 'node:crypto';

declare const checked: unique symbol;

/** A header value that was checked; only `headerValue` makes one. */
export type HeaderValue = string & { readonly [checked]: true };

export type Header = readonly [name: string, value: HeaderValue];

/** One whole answer. The server writes it in one cork, and for HEAD without its body. */
export type Reply = {
  /** Status line without the version, `302 Found`. */
  readonly status: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The connection ends with this answer, for what is left of the request is not read. */
  readonly closesConnection?: boolean;
  /** What a visitor may have kept of it: then `notModified` is the answer. */
  readonly validator?: { readonly etag: string; readonly notModified: Reply };
  /** Of the body only its length is told, as to HEAD. */
  readonly omitsBody?: boolean;
};

// uWebSockets.js writes values as they are, so a line break would begin a header or a body of the visitor's choice.
// Visible ASCII and spaces are all that any header of ours needs.
const UNSAFE = /[^\x20-\x7e]/;

/** Returns `text` as a header value. Throws when it holds anything but printable ASCII: no visitor's text comes here. */
export function headerValue(text: string): HeaderValue {
  if (UNSAFE.test(text)) throw new Error('A header value holds a character that no header may');
  return text as HeaderValue;
}

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
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
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

/** Returns the status line of a code. Throws for one that is not in the table. */
export function statusLine(code: number): string {
  const line = STATUS_LINES[code];
  if (line === undefined) throw new Error(`No status line for ${code}`);
  return line;
}

const EMPTY = Buffer.alloc(0);

/** Owners want to see where their visitors came from, and targets want it too; paths stay private. */
const REFERRER_POLICY: Header = ['Referrer-Policy', headerValue('strict-origin-when-cross-origin')];
const REVALIDATE: Header = ['Cache-Control', headerValue('private, no-cache')];
const NO_STORE: Header = ['Cache-Control', headerValue('private, no-store')];
const NO_INDEX: Header = ['X-Robots-Tag', headerValue('noindex')];
const NO_SNIFF: Header = ['X-Content-Type-Options', headerValue('nosniff')];
const PLAIN_TEXT: Header = ['Content-Type', headerValue('text/plain; charset=utf-8')];

const REDIRECT_HEADERS: readonly Header[] = [NO_STORE, REFERRER_POLICY, NO_INDEX];

/** Returns a redirect; `extra` goes behind its own headers. Throws when `location` is not printable ASCII. */
export function redirectReply(code: number, location: string, extra: readonly Header[] = []): Reply {
  return {
    status: statusLine(code),
    headers: [['Location', headerValue(location)], ...REDIRECT_HEADERS, ...extra],
    body: EMPTY,
  };
}

const HTML_HEADERS: readonly Header[] = [
  REFERRER_POLICY,
  NO_INDEX,
  NO_SNIFF,
  ['Content-Type', headerValue('text/html; charset=utf-8')],
  ['Content-Language', headerValue('en')],
  ['Cross-Origin-Opener-Policy', headerValue('same-origin')],
];

export type Page = {
  readonly html: Buffer;
  /** Content-Security-Policy that lets through just what the page holds. */
  readonly policy: HeaderValue;
};

/** Returns a page that nobody keeps and no search engine lists. */
export function pageReply(code: number, page: Page, extra: readonly Header[] = []): Reply {
  return {
    status: statusLine(code),
    headers: [NO_STORE, ...HTML_HEADERS, ['Content-Security-Policy', page.policy], ...extra],
    body: page.html,
  };
}

/**
 * Returns a link's own page: kept by its visitors, who ask each time whether it still is the same. No search engine lists
 * it for now; that Landing, QRTag and QrMenu be listed is for the work on pages to decide, together with their previews.
 */
export function hostedPageReply(page: Page): Reply {
  return withValidator([...HTML_HEADERS, ['Content-Security-Policy', page.policy]], page.html);
}

/** Returns a link's own text as it is, kept like its page. */
export function hostedTextReply(text: Buffer): Reply {
  return withValidator([REFERRER_POLICY, NO_INDEX, NO_SNIFF, PLAIN_TEXT], text);
}

function withValidator(headers: readonly Header[], body: Buffer): Reply {
  // Over the headers too, for a new policy must reach those who kept the page.
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(body);
  const etag = `"${hash.digest('base64url').slice(0, ETAG_LENGTH)}"`;
  const all: readonly Header[] = [REVALIDATE, ['ETag', headerValue(etag)], ...headers];
  // A 304 repeats the headers, for they take the place of those that were kept (RFC 9111, 3.2), and the only length it
  // may name is the page's (RFC 9110, 8.6).
  const notModified: Reply = { status: statusLine(304), headers: all, body, omitsBody: true };
  return { status: statusLine(200), headers: all, body, validator: { etag, notModified } };
}

/** 128 bits in base64url. */
const ETAG_LENGTH = 22;

/**
 * Returns the answer to a visitor whose If-None-Match is `ifNoneMatch` ('' when there is none): `reply`, or its 304.
 * Tags are compared weakly (RFC 9110, 13.1.2): a proxy that compresses marks ours as weak.
 */
export function conditionalReply(reply: Reply, ifNoneMatch: string): Reply {
  if (reply.validator === undefined || ifNoneMatch === '') return reply;
  const { etag, notModified } = reply.validator;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*') ? notModified : reply;
}

/** Returns a short plain text that nobody keeps. */
export function textReply(code: number, text: string, extra: readonly Header[] = []): Reply {
  return {
    status: statusLine(code),
    headers: [NO_STORE, NO_SNIFF, PLAIN_TEXT, ...extra],
    body: Buffer.from(text),
  };
}

/** Returns a file of ours that may be kept for `maxAgeSeconds`. */
export function assetReply(contentType: string, body: Buffer, maxAgeSeconds: number): Reply {
  return {
    status: statusLine(200),
    headers: [
      ['Cache-Control', headerValue(`public, max-age=${maxAgeSeconds}`)],
      NO_SNIFF,
      ['Content-Type', headerValue(contentType)],
    ],
    body,
  };
}

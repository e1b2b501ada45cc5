import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { NO_SNIFF, NO_STORE, createHeads, headerValue } from './reply.js';
import type { Answer, EncodedReply, Head, Header, Reply } from './reply.js';

const inflateBehind = promisify(gunzip);
// Some 50 µs, at once: uWebSockets.js closes a connection on which a second request comes while an answer is being waited
// for. Most pages are that small.
const INFLATE_AT_ONCE_BYTES_MAX = 16 * 1024;

/**
 * A body in the encodings that visitors take. `plain` is there where those who take none are many, or it is small: else
 * it is inflated for them.
 */
export type EncodedBody = { readonly brotli: Buffer; readonly gzip: Buffer; readonly plain?: Buffer };

/** How an answer may be kept: not at all, or asked for again with its tag. `hash` is of the body before encoding. */
export type Keeping = { readonly kind: 'no-store' } | { readonly kind: 'revalidate'; readonly hash: string };

export const VARY_ENCODING: Header = ['Vary', headerValue('Accept-Encoding')];
const REVALIDATE: Header = ['Cache-Control', headerValue('private, no-cache')];

type Coding = 'br' | 'gzip' | null;

/** What an answer says beside its body: what all of its kind begin with, and its own headers without Cache-Control. */
export type Labels = {
  readonly code: number;
  readonly headOf: (code: number) => Head;
  readonly headers: readonly Header[];
};

/** Returns an answer in all its encodings. */
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

/** Returns a file for whoever asks, kept for `maxAgeSeconds`; a body in two encodings, or one that is as small as it gets. */
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

// A tag is of one representation: what is encoded in two ways has two (RFC 9110, 8.8.3.3).
function etagOf(hash: string, coding: Coding): string {
  return `"${hash}${coding === null ? '' : `-${coding.charAt(0)}`}"`;
}

// A 304 repeats the headers, for they take the place of those that were kept (RFC 9111, 3.2), and the only length it may
// name is the page's (RFC 9110, 8.6).
function validatorOf(head: Head, headers: readonly Header[], etag: string, lengthBytes: number) {
  const notModified: Reply = { head, headers, body: NOTHING, lengthOnly: lengthBytes };
  return { etag, notModified };
}

const fileHead = createHeads([NO_SNIFF]);

const NOTHING = Buffer.alloc(0);

// Gzip ends with the length of what it holds (RFC 1952, 2.3.1).
function plainLength({ plain, gzip }: Pick<EncodedBody, 'plain' | 'gzip'>): number {
  return plain?.length ?? gzip.readUInt32LE(gzip.length - 4);
}

/** Returns what gives the plain form; all who ask while it is inflated share one promise, and its bytes. */
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

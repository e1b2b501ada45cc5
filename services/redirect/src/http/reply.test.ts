import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  createHead,
  encodedReply,
  headerValue,
  htmlHead,
  htmlHeaders,
  negotiate,
  redirectReply,
} from './reply.js';

test.each(['a\r\nb', 'a\nb', 'a\rb', 'a\0b', '\t', '\u007f', 'ü', '\u0100', '\u2028', '\ud800'])(
  'no header takes %j',
  (text) => {
    expect(() => headerValue(text)).toThrow();
    expect(() => redirectReply(302, `https://example.org/${text}`)).toThrow();
  },
);

test('a redirect has its headers and nothing else', () => {
  const reply = redirectReply(302, 'https://example.org/');
  expect(reply).toEqual({
    head: {
      status: '302 Found',
      headers: [
        ['Cache-Control', 'private, no-store'],
        ['Referrer-Policy', 'strict-origin-when-cross-origin'],
        ['X-Robots-Tag', 'noindex'],
      ],
    },
    location: 'https://example.org/',
    headers: [],
    body: Buffer.alloc(0),
  });
  expect(redirectReply(302, 'https://example.org/other').head).toBe(reply.head);
  expect(() => createHead(418, [])).toThrow();
});

const ABOUT = { policy: "default-src 'none'", language: 'az', isIndexed: false } as const;
const labelsOf = (about: Parameters<typeof htmlHeaders>[0]) => ({
  code: 200,
  headOf: htmlHead,
  headers: htmlHeaders(about),
});
const BODY = { brotli: Buffer.from('brotli'), gzip: gzipSync('plain') };
const PAGE = encodedReply(labelsOf(ABOUT), BODY, { kind: 'revalidate', hash: 'hash' });

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=1.0, gzip;q=0.8', 'br'],
  ['BR', 'br'],
  ['gzip, deflate', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip', 'gzip'],
  ['br;q=0.001', 'br'],
  ['gzip;q=0', undefined],
  ['', undefined],
  ['identity', undefined],
  ['zstd, brotli, gzipped', undefined],
  ['br-next', undefined],
])('Accept-Encoding %j is answered in %s', async (acceptEncoding, coding) => {
  const reply = await negotiate(PAGE, { acceptEncoding, ifNoneMatch: '' });
  const headers = Object.fromEntries(reply.headers);
  expect(headers['Content-Encoding']).toBe(coding);
  expect(headers['ETag']).toBe(`"hash${coding === undefined ? '' : `-${coding[0]}`}"`);
  if (coding === undefined) expect(reply.body.toString()).toBe('plain');
});

test('a page is cached and revalidated, with all required headers', async () => {
  const { head, headers } = await negotiate(PAGE, { acceptEncoding: 'br', ifNoneMatch: '' });
  expect(head.status).toBe('200 OK');
  expect(Object.fromEntries([...head.headers, ...headers])).toEqual({
    'Cache-Control': 'private, no-cache',
    ETag: '"hash-b"',
    'X-Robots-Tag': 'noindex',
    Vary: 'Accept-Language, Accept-Encoding',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'text/html; charset=utf-8',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': expect.stringMatching(/camera=\(\).*clipboard-write=\(self\)/) as string,
    'Content-Language': 'az',
    'Content-Security-Policy': "default-src 'none'",
    'Content-Encoding': 'br',
  });
  expect(htmlHeaders({ ...ABOUT, isIndexed: true }).map(([name]) => name)).not.toContain('X-Robots-Tag');
});

test.each<[ifNoneMatch: string, status: string]>([
  ['', '200 OK'],
  ['"other"', '200 OK'],
  ['"hash-b"', '304 Not Modified'],
  ['W/"hash-b"', '304 Not Modified'],
  ['"other", "hash-b"', '304 Not Modified'],
  ['"other" ,W/"hash-b","more"', '304 Not Modified'],
  ['*', '304 Not Modified'],
  ['"hash-g"', '200 OK'],
  ['"hash"', '200 OK'],
  ['"hash-b"-b', '200 OK'],
  [',,,', '200 OK'],
])('If-None-Match %j of who takes brotli is answered %s', async (ifNoneMatch, status) => {
  const whole = await negotiate(PAGE, { acceptEncoding: 'br', ifNoneMatch: '' });
  const answer = await negotiate(PAGE, { acceptEncoding: 'br', ifNoneMatch });
  expect(answer.head.status).toBe(status);
  expect([answer.head.headers, answer.headers]).toEqual([whole.head.headers, whole.headers]);
  expect(answer.lengthOnly).toBe(status === '304 Not Modified' ? whole.body.length : undefined);
});

test('a reply without an ETag is never a 304', () => {
  const redirect = redirectReply(302, 'https://example.org/');
  expect(negotiate(redirect, { acceptEncoding: 'br', ifNoneMatch: '*' })).toBe(redirect);
});

const TAKES_NONE = { acceptEncoding: '', ifNoneMatch: '' };

test('small files are answered at once also without an encoding, large ones are decompressed once for concurrent requests', async () => {
  expect(negotiate(PAGE, TAKES_NONE)).not.toBeInstanceOf(Promise);
  const gzip = gzipSync('x'.repeat(100_000));
  const large = encodedReply(
    { code: 200, headOf: htmlHead, headers: [] },
    { ...BODY, gzip },
    { kind: 'revalidate', hash: 'hash' },
  );
  const [first, second] = [negotiate(large, TAKES_NONE), negotiate(large, TAKES_NONE)];
  expect(first).toBeInstanceOf(Promise);
  expect((await first).body.length).toBe(100_000);
  expect(await second).toBe(await first);
  expect(await negotiate(large, TAKES_NONE)).not.toBe(await first);
});

test('nothing is inflated to say that it is the same, or where the plain form is there', async () => {
  const broken = Buffer.concat([Buffer.from('no gzip'), Buffer.from(Uint32Array.of(100_000).buffer)]);
  const large = encodedReply(
    { code: 200, headOf: htmlHead, headers: [] },
    { ...BODY, gzip: broken },
    { kind: 'revalidate', hash: 'hash' },
  );
  const kept = await negotiate(large, { acceptEncoding: '', ifNoneMatch: '"hash"' });
  expect([kept.head.status, kept.lengthOnly]).toEqual(['304 Not Modified', 100_000]);
  const plain = Buffer.from('plain');
  const ready = encodedReply(
    { code: 404, headOf: htmlHead, headers: [] },
    { ...BODY, gzip: broken, plain },
    { kind: 'no-store' },
  );
  expect((await negotiate(ready, TAKES_NONE)).body).toBe(plain);
});

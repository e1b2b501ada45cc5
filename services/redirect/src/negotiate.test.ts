import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { negotiate } from './negotiate.js';
import { encodedReply, htmlHeaders } from './page-reply.js';
import { redirectReply } from './reply.js';

const ABOUT = { policy: "default-src 'none'", language: 'az', isIndexed: false } as const;
const BODY = { brotli: Buffer.from('brotli'), gzip: gzipSync('plain') };
const PAGE = encodedReply(200, htmlHeaders(ABOUT), BODY, { kind: 'revalidate', hash: 'hash' });

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

test('a page is kept and asked for again, and says all that it must', async () => {
  const { headers, status } = await negotiate(PAGE, { acceptEncoding: 'br', ifNoneMatch: '' });
  expect(status).toBe('200 OK');
  expect(Object.fromEntries(headers)).toEqual({
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
  expect(answer.status).toBe(status);
  expect(answer.headers).toEqual(whole.headers);
  expect(answer.omitsBody ?? false).toBe(status === '304 Not Modified');
});

test('what has no tag is never a 304', () => {
  const redirect = redirectReply(302, 'https://example.org/');
  expect(negotiate(redirect, { acceptEncoding: 'br', ifNoneMatch: '*' })).toBe(redirect);
});

test('small files come at once also to those who take no encoding, large ones do not hold others up', async () => {
  const large = gzipSync('x'.repeat(64 * 1024 + 1));
  const wants = { acceptEncoding: '', ifNoneMatch: '' };
  expect(negotiate(PAGE, wants)).not.toBeInstanceOf(Promise);
  const later = negotiate(encodedReply(200, [], { ...BODY, gzip: large }, { kind: 'no-store' }), wants);
  expect(later).toBeInstanceOf(Promise);
  expect((await later).body.length).toBe(64 * 1024 + 1);
});

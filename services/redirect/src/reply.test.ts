import { expect, test } from 'vitest';
import {
  conditionalReply,
  headerValue,
  hostedPageReply,
  hostedTextReply,
  redirectReply,
  statusLine,
} from './reply.js';

test.each(['a\r\nb', 'a\nb', 'a\rb', 'a\0b', '\t', '\u007f', 'ü', '\u0100', '\u2028', '\ud800'])(
  'no header takes %j',
  (text) => {
    expect(() => headerValue(text)).toThrow();
    expect(() => redirectReply(302, `https://example.org/${text}`)).toThrow();
  },
);

test('a redirect has its headers and nothing else', () => {
  expect(redirectReply(302, 'https://example.org/')).toEqual({
    status: '302 Found',
    headers: [
      ['Location', 'https://example.org/'],
      ['Cache-Control', 'private, no-store'],
      ['Referrer-Policy', 'strict-origin-when-cross-origin'],
      ['X-Robots-Tag', 'noindex'],
    ],
    body: Buffer.alloc(0),
  });
  expect(() => statusLine(418)).toThrow();
});

const page = (text: string, policy = "default-src 'none'") =>
  hostedPageReply({ html: Buffer.from(text), policy: headerValue(policy) });
const etagOf = (text: string, policy?: string) => page(text, policy).validator?.etag ?? '';

test('a hosted page is kept and asked for again, and its tag moves with its bytes and its policy', () => {
  expect(Object.fromEntries(page('a').headers)).toEqual({
    'Cache-Control': 'private, no-cache',
    ETag: etagOf('a'),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': 'en',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'",
  });
  expect(etagOf('a')).toMatch(/^"[\w-]{22}"$/);
  expect(etagOf('a')).toBe(etagOf('a'));
  expect(new Set([etagOf('a'), etagOf('b'), etagOf('a', "default-src 'self'")]).size).toBe(3);
  const text = hostedTextReply(Buffer.from('a'));
  expect(Object.fromEntries(text.headers)).toMatchObject({
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'text/plain; charset=utf-8',
  });
  expect(text.validator?.etag).not.toBe(etagOf('a'));
});

test.each<[ifNoneMatch: string, status: string]>([
  ['', '200 OK'],
  ['"other"', '200 OK'],
  ['ETAG', '304 Not Modified'],
  ['W/ETAG', '304 Not Modified'],
  ['"other", ETAG', '304 Not Modified'],
  ['"other" ,W/ETAG,"more"', '304 Not Modified'],
  ['*', '304 Not Modified'],
  ['ETAG-b', '200 OK'],
  [',,,', '200 OK'],
])('If-None-Match %j is answered %s', (ifNoneMatch, status) => {
  const reply = page('a');
  const answer = conditionalReply(reply, ifNoneMatch.replace('ETAG', etagOf('a')));
  expect(answer.status).toBe(status);
  expect(answer.headers).toEqual(reply.headers);
  expect(answer.omitsBody ?? false).toBe(status === '304 Not Modified');
});

test('what has no tag is never a 304', () => {
  const redirect = redirectReply(302, 'https://example.org/');
  expect(conditionalReply(redirect, '*')).toBe(redirect);
});

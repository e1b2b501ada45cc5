import { expect, test } from 'vitest';
import { headerValue, redirectReply, statusLine } from './reply.js';

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

import { expect, test } from 'vitest';
import { createHead, headerValue, redirectReply } from './reply.js';

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

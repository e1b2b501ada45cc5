import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createOwnSite } from './own-site.js';

const HTTPS = 'https://links.example.com';
const HTTP = 'http://links.example.com';
const LOCAL = 'http://127.0.0.1:3000';

const requestWith = (headers: Record<string, string>, method = 'POST') =>
  ({ method, headers }) as unknown as FastifyRequest;

function cookieOf(baseUrl: string): string {
  let cookie = '';
  const reply = { header: (_name: string, value: string) => (cookie = value) } as unknown as FastifyReply;
  createOwnSite(baseUrl).setCookie(reply, 'token', 60);
  return cookie;
}

test('the cookie is for https alone where the service has https', () => {
  expect(cookieOf(HTTPS)).toBe(
    '__Host-smartlink_session=token; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=60',
  );
  for (const baseUrl of [HTTP, LOCAL]) {
    expect(cookieOf(baseUrl)).toBe('smartlink_session=token; Path=/; HttpOnly; SameSite=Strict; Max-Age=60');
  }
});

test('a cookie without the prefix is not read where the service has https', () => {
  const request = requestWith({ cookie: 'a=b; smartlink_session=plain;__Host-smartlink_session=safe' });
  expect(createOwnSite(HTTPS).readCookie(request)).toBe('safe');
  expect(createOwnSite(LOCAL).readCookie(request)).toBe('plain');
  expect(createOwnSite(LOCAL).readCookie(requestWith({ cookie: 'my_smartlink_session=x' }))).toBeNull();
});

describe('a write by cookie', () => {
  test.each([
    [HTTPS, { origin: HTTPS }, true],
    [HTTPS, { origin: HTTPS, 'sec-fetch-site': 'same-origin' }, true],
    [HTTPS, { 'sec-fetch-site': 'same-origin' }, true],
    [HTTPS, { origin: HTTPS, 'sec-fetch-site': 'same-site' }, false],
    [HTTPS, { origin: 'https://evil.example' }, false],
    [HTTPS, { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
    [HTTPS, { origin: 'null' }, false],
    [HTTPS, { origin: '' }, false],
    [HTTPS, {}, false],
    // The host is not compared where the service has https: a proxy may replace it.
    [HTTPS, { origin: LOCAL, host: '127.0.0.1:3000' }, false],
    [LOCAL, { origin: 'http://localhost:5000', host: 'localhost:5000' }, true],
    [LOCAL, { origin: 'http://[::1]:3000', host: '[::1]:3000' }, true],
    [LOCAL, { origin: 'http://localhost:5000', host: 'localhost:3000' }, false],
    // A name of another site that leads to this machine.
    [LOCAL, { origin: 'http://evil.example:3000', host: 'evil.example:3000' }, false],
    [LOCAL, { origin: 'http://evil.example', host: 'not a host' }, false],
    [HTTP, { origin: HTTP, host: 'links.example.com' }, true],
  ])('to %s with %j passes: %s', (baseUrl, headers, isAllowed) => {
    const check = () => {
      createOwnSite(baseUrl).requireOwnOrigin(requestWith(headers), { needsProof: true });
    };
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });

  test('needs an origin only where it is asked for, and a read none', () => {
    const site = createOwnSite(HTTPS);
    expect(() => {
      site.requireOwnOrigin(requestWith({}), { needsProof: false });
      site.requireOwnOrigin(requestWith({ origin: 'https://evil.example' }, 'GET'), { needsProof: true });
    }).not.toThrow();
    expect(() => {
      site.requireOwnOrigin(requestWith({ origin: 'https://evil.example' }), { needsProof: false });
    }).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});

test.each([
  [HTTPS, 'links.example.com', true],
  [HTTP, 'links.example.com', true],
  [LOCAL, '127.0.0.1:3000', true],
  [LOCAL, 'localhost:3000', true],
  [LOCAL, 'links.example.com', false],
  [LOCAL, '192.168.1.20:3000', false],
])('with %s people sign in at %s: %s', (baseUrl, host, isAllowed) => {
  const check = () => {
    createOwnSite(baseUrl).requireSafeSignIn(requestWith({ host }));
  };
  if (isAllowed) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ message: 'Sign-in needs https' }));
});

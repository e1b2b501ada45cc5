import { expect, test } from 'vitest';
import { type TestService, useSecondService, useService } from './start-service.js';

const { service: closed, user } = useService();
const open = useSecondService(closed, { CORS_ORIGINS: 'https://app.example.com, https://b.example.com' });
const authorization = () => `Bearer ${user.apiKey}`;

const preflight = (app: TestService['app'], origin: string) =>
  app.inject({
    method: 'OPTIONS',
    url: '/api/v1/smartlink',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    },
  });

test('without CORS_ORIGINS no answer allows any origin, and a preflight is 401 like all without a key', async () => {
  const res = await preflight(closed.app, 'https://app.example.com');
  expect(res.statusCode).toBe(401);
  const get = await closed.app.inject({
    url: '/api/v1/validate',
    headers: { authorization: authorization(), origin: 'https://app.example.com' },
  });
  expect(get.statusCode).toBe(200);
  for (const { headers } of [res, get]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a preflight of a listed origin is answered before authentication', async () => {
  const res = await preflight(open.app, 'https://b.example.com');
  expect(res.statusCode).toBe(204);
  expect(res.body).toBe('');
  expect(res.headers).toMatchObject({
    'access-control-allow-origin': 'https://b.example.com',
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
    vary: 'Origin',
  });
  expect(res.headers['access-control-allow-headers']).toContain('Authorization');
  expect(res.headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each(['https://evil.example', 'https://app.example.com.evil.example', 'null', 'http://app.example.com'])(
  'the origin %s is not allowed',
  async (origin) => {
    expect((await preflight(open.app, origin)).statusCode).toBe(401);
    const get = await open.app.inject({
      url: '/api/v1/validate',
      headers: { authorization: authorization(), origin },
    });
    expect(get.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

test('a listed origin may read errors too, and the headers that matter', async () => {
  const res = await open.app.inject({
    url: '/api/v1/validate',
    headers: { origin: 'https://app.example.com' },
  });
  expect(res.statusCode).toBe(401);
  expect(res.headers['access-control-allow-origin']).toBe('https://app.example.com');
  expect(res.headers['access-control-expose-headers']).toContain('X-Request-Id');
});

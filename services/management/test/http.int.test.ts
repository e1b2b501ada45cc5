import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { callRaw, listen } from './call-raw.js';
import {
  startServiceOn,
  type TestService,
  urlSmartlink,
  useSecondService,
  useService,
} from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

let port: number;

const { service, user, api } = useService();
const withCors = useSecondService(service, {
  CORS_ORIGINS: 'https://app.example.com, https://b.example.com',
  MANAGEMENT_BASE_URL: 'https://manage.example.com',
});
beforeAll(async () => {
  port = await listen(service.app);
});

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe('a path nothing answers', () => {
  test.each([
    ...['/%ff', '//api/v1/smartlink', '/api/v2/smartlink', '/api/v1', '/api/v1/%zz'],
    ...['/api/v1/%2e%2e/smartlink', '/api/v1/constructor', `/api/v1/${'a'.repeat(4_000)}`],
  ])('%s is 404 in the envelope', async (path) => {
    const answer = await callRaw(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\n\r\n`,
    );
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({
      'x-request-id': expect.stringMatching(REQUEST_ID) as string,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: 'Route not found' },
      timestamp: expect.any(String) as string,
    });
  });
});

test('HEAD equals GET without the body', async () => {
  const head = await api.call('HEAD', '/smartlink');
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
});

test('browsers keep to https, where it has an https address', async () => {
  const policyOf = async ({ app }: Pick<TestService, 'app'>) =>
    (await app.inject('/welcome')).headers['strict-transport-security'];
  expect([await policyOf(service), await policyOf(withCors)]).toEqual([undefined, 'max-age=31536000']);
});

test('every answer has an X-Request-Id of its own, and no client chooses it', async () => {
  const first = await api.get('/validate', { 'x-request-id': 'mine', 'request-id': 'mine' });
  const second = await api.get('/validate');
  expect(first.headers['x-request-id']).toMatch(REQUEST_ID);
  expect(second.headers['x-request-id']).toMatch(REQUEST_ID);
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
});

describe('a request that Node refuses is answered in the envelope:', () => {
  const cases: [string, number, string][] = [
    ['no Host', 400, 'GET /api/v1/validate HTTP/1.1\r\n\r\n'],
    ['a bad version', 400, 'GET /api/v1/validate HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a space in a header name', 400, 'GET / HTTP/1.1\r\nHost: x\r\nbad name: 1\r\n\r\n'],
    ['NUL in the key', 400, 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\0b\r\n\r\n'],
    ['20 KiB of headers', 431, `GET / HTTP/1.1\r\nHost: x\r\nX-Fill: ${'a'.repeat(20_480)}\r\n\r\n`],
    [
      'two Content-Lengths',
      400,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'Content-Length and chunked',
      400,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['garbage', 400, 'hello\r\n\r\n'],
    ...['-1', '1e3', '0x10', '9'.repeat(30)].map((length): [string, number, string] => [
      `the Content-Length ${length}`,
      400,
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n{}`,
    ]),
  ];
  test.each(cases)('%s is %i', async (_name, status, request) => {
    const answer = await callRaw(port, request);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(answer.body?.success).toBe(false);
    expect(answer.headers['connection']).toBe('close');
  });

  test('the connection is closed at once after a request without Host', async () => {
    const startedAt = performance.now();
    const text = await sendRaw(port, 'GET /api/v1/validate HTTP/1.1\r\n\r\n', { until: () => false });
    expect(text.split('HTTP/1.1 400').length).toBe(2);
    // Sooner than the time for which an idle connection is kept, and than the deadline of sendRaw.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('12 KiB of headers and an unknown Expect are taken', async () => {
    const answer = await callRaw(
      port,
      `GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\nExpect: a-miracle\r\nX-Fill: ${'a'.repeat(12_288)}\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });
});

describe('a body', () => {
  const MIB = 1024 * 1024;
  const body = JSON.stringify(urlSmartlink());
  const head = (...lines: string[]) =>
    [
      'POST /api/v1/smartlink HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${user.apiKey}`,
      'Content-Type: application/json',
      ...lines,
      '\r\n',
    ].join('\r\n');

  test('of more than a mebibyte in chunks is 413', async () => {
    const chunk = `${(MIB + 1).toString(16)}\r\n${' '.repeat(MIB + 1)}\r\n0\r\n\r\n`;
    const answer = await callRaw(port, `${head('Transfer-Encoding: chunked')}${chunk}`);
    expect([answer.status, answer.body?.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('in a compressed encoding is 415, whatever its size', async () => {
    // 64 MiB of white space.
    const bomb = gzipSync(Buffer.alloc(64 * MIB, 0x20));
    const send = async (...lines: string[]) => {
      const bytes = [Buffer.from(head(...lines, `Content-Length: ${bomb.length}`)), bomb];
      return (await callRaw(port, Buffer.concat(bytes))).status;
    };
    for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip']) {
      expect(await send(`Content-Encoding: ${encoding}`)).toBe(415);
    }
    expect(await send()).toBe(400);
  });

  test('of more bytes than its Content-Length is refused', async () => {
    expect((await callRaw(port, `${head('Content-Length: 10')}${body}`)).status).toBe(400);
  });

  test('cut off by the client stores nothing and logs no error', async () => {
    const from = service.logLines.length;
    const before = await storedRows(service.app);
    const arrived = once(service.app.server, 'request');
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`${head(`Content-Length: ${body.length + 5}`)}${body}`);
    await arrived;
    socket.destroy();
    await until(
      () => service.logLines.slice(from).some((line) => line.includes('client disconnected')),
      'the service has noticed',
    );
    expect(service.logLines.slice(from).filter((line) => !line.startsWith('{"level":"info"'))).toEqual([]);
    expect(await storedRows(service.app)).toBe(before);
  });
});

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
  const res = await preflight(service.app, 'https://app.example.com');
  expect(res.statusCode).toBe(401);
  const get = await service.app.inject({
    url: '/api/v1/validate',
    headers: { authorization: authorization(), origin: 'https://app.example.com' },
  });
  expect(get.statusCode).toBe(200);
  for (const { headers } of [res, get]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a preflight of a listed origin is answered before authentication', async () => {
  const res = await preflight(withCors.app, 'https://b.example.com');
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
    expect((await preflight(withCors.app, origin)).statusCode).toBe(401);
    const get = await withCors.app.inject({
      url: '/api/v1/validate',
      headers: { authorization: authorization(), origin },
    });
    expect(get.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

test('a listed origin may read errors too, and the headers that matter', async () => {
  const res = await withCors.app.inject({
    url: '/api/v1/validate',
    headers: { origin: 'https://app.example.com' },
  });
  expect(res.statusCode).toBe(401);
  expect(res.headers['access-control-allow-origin']).toBe('https://app.example.com');
  expect(res.headers['access-control-expose-headers']).toContain('X-Request-Id');
});

test.each(['publish_outbox', 'audit_entries', 'smartlinks', 'slugs'])(
  'when %s cannot be written nothing else is, and the answer tells no internals',
  async (table) => {
    await untilPublished(service.app);
    const before = await storedRows(service.app);
    await service.app.pg.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by a test'; end $$`,
    );
    await service.app.pg.query(`create trigger refuse before insert on ${table} execute function refuse()`);
    onTestFinished(async () => {
      await service.app.pg.query(`drop trigger refuse on ${table}`);
    });
    const res = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'atomic' }));
    expect(res.status).toBe(500);
    expect(res.body.error).toEqual({ code: 'INTERNAL_ERROR', message: 'Internal error' });
    expect(res.text).not.toContain('refused by a test');
    expect(await storedRows(service.app)).toBe(before);
    expect(service.logLines.some((line) => line.includes('refused by a test'))).toBe(true);
  },
);

test('a request that was under way when the service began to close is answered in the envelope', async () => {
  const { app } = await startServiceOn(service.databases);
  const socket = connect({ host: '127.0.0.1', port: await listen(app) });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const ended = once(socket, 'close');
  const arrived = once(app.server, 'request');
  const body = JSON.stringify(urlSmartlink());
  socket.write(
    `POST /api/v1/smartlink HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await arrived;
  const closed = app.close();
  socket.write(
    `${body.slice(5)}GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization()}\r\n\r\n`,
  );
  await closed;
  socket.end();
  await ended;
  expect(text).toMatch(/^HTTP\/1\.1 201 /);
  expect(text).not.toContain('"statusCode"');
});

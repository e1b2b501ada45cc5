import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRaw, listen } from './call-raw.js';
import { startServiceWithUser } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let port: number;
let apiKey: string;
let api: Caller;

beforeAll(async () => {
  ({
    service,
    user: { apiKey },
    api,
  } = await startServiceWithUser());
  port = await listen(service.app);
});
afterAll(() => service.close());

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe('a path nothing answers', () => {
  test.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/Smartlink',
    '/api/v1/smartlink/',
    '/api/v1//smartlink',
    '/api/v1/smartlink/x',
    '/api/v1/smartlink%00',
    '/api/v1/%zz',
    '/api/v1/%2e%2e/smartlink',
    '/api/v1/constructor',
    '/api/v1/openapi.json/',
    '/api/v1/openapi.json/x',
    `/api/v1/${'a'.repeat(4_000)}`,
    '/',
    '/API/v1/smartlink',
    '//api/v1/smartlink',
    '/api/v2/smartlink',
    '/%ff',
  ])('%s is 404 in the envelope', async (path) => {
    const answer = await callRaw(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    );
    expect(answer.status).toBe(404);
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: 'Route not found' },
      timestamp: expect.any(String) as string,
    });
  });
});

describe('a method the path does not take', () => {
  test.each([
    ['PUT', '/smartlink', 'DELETE, GET, HEAD, PATCH, POST'],
    ['OPTIONS', '/smartlink', 'DELETE, GET, HEAD, PATCH, POST'],
    ['TRACE', '/smartlink', 'DELETE, GET, HEAD, PATCH, POST'],
    ['PROPFIND', '/smartlink?id=1', 'DELETE, GET, HEAD, PATCH, POST'],
    ['POST', '/validate', 'GET, HEAD'],
    ['DELETE', '/%76alidate', 'GET, HEAD'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const answer = await callRaw(
      port,
      `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    );
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow, 'x-request-id': expect.stringMatching(REQUEST_ID) });
    expect(answer.body?.error).toEqual({ code: 'METHOD_NOT_ALLOWED', message: 'Method not allowed' });
  });

  test('a method HTTP does not have is 400 in the envelope', async () => {
    const answer = await callRaw(port, 'FOO /api/v1/smartlink HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(answer.body?.error?.code).toBe('VALIDATION_FAILED');
  });
});

test('HEAD equals GET without the body', async () => {
  const head = await api.call('HEAD', '/smartlink');
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
});

test('every answer has an X-Request-Id of its own, and no client chooses it', async () => {
  const first = await api.get('/validate', { 'x-request-id': 'mine', 'request-id': 'mine' });
  const second = await api.get('/validate');
  expect(first.headers['x-request-id']).toMatch(REQUEST_ID);
  expect(second.headers['x-request-id']).toMatch(REQUEST_ID);
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
});

describe('what Node itself would answer is in the envelope too', () => {
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
  ];
  test.each(cases)('%s is %i', async (_name, status, request) => {
    const answer = await callRaw(port, request);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(answer.body?.success).toBe(false);
  });

  test('12 KiB of headers and an Expect nobody knows are taken', async () => {
    const answer = await callRaw(
      port,
      `GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nExpect: a-miracle\r\nX-Fill: ${'a'.repeat(12_288)}\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });
});

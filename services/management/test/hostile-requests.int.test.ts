import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { callRaw, listen } from './call-raw.js';
import { recordRoutes } from './recorded-routes.js';
import { addKey, caller, startService, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';
import { liftRateLimit, storedRows, untilPublished } from './stored-rows.js';

// Bad keys, methods, paths and headers, on every route there is.

let service: TestService;
let routes: readonly string[];
let port: number;
let apiKey: string;
let userId: string;
let before: string;
let tried = 0;

beforeAll(async () => {
  ({ started: service, routes } = await recordRoutes(startService));
  await liftRateLimit(service.app);
  ({ apiKey, userId } = await service.createUser());
  port = await listen(service.app);
  const { status } = await caller(service.app, apiKey).post('/smartlink', urlSmartlink());
  expect(status).toBe(201);
  await untilPublished(service.app);
  before = await storedRows(service.app);
});
afterEach(async () => {
  expect(await storedRows(service.app)).toBe(before);
});
afterAll(async () => {
  process.stdout.write(`Bad requests: ${tried} on ${routes.length} routes\n`);
  await service.close();
});

const PUBLIC_ROUTES = ['GET /docs', 'GET /openapi.json', 'HEAD /docs', 'HEAD /openapi.json'];
const guardedRoutes = () => routes.filter((route) => !PUBLIC_ROUTES.includes(route));
const takesBody = (route: string) => !/^(?:GET|HEAD) /.test(route);

/** Sends a request to a route; `lines` are its headers. A body brings its length along. */
async function send(route: string, lines: readonly string[], body = '') {
  const [method, path] = route.split(' ');
  tried += 1;
  const head = [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    ...lines,
    ...(body === '' || lines.some((line) => line.startsWith('Transfer-'))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return callRaw(port, `${head.join('\r\n')}\r\n\r\n${body}`);
}

const other = (char: string | undefined) => (char === 'A' ? 'B' : 'A');
const good = () => `Authorization: Bearer ${apiKey}`;

describe('a key that is missing or malformed', () => {
  const KEYS: readonly (readonly [string, (key: string) => readonly string[]])[] = [
    ['none', () => []],
    ['an empty one', () => ['Authorization:']],
    ['the scheme alone', () => ['Authorization: Bearer']],
    ['no scheme', (key) => [`Authorization: ${key}`]],
    ['another scheme', (key) => [`Authorization: Token ${key}`]],
    ['two headers', (key) => [`Authorization: Bearer ${key}`, `authorization: Bearer ${key}`]],
    ['two keys', (key) => [`Authorization: Bearer ${key}, Bearer ${key}`]],
    ['a space in it', (key) => [`Authorization: Bearer ${key.slice(0, 20)} ${key.slice(20)}`]],
    ['another prefix', (key) => [`Authorization: Bearer ${key.replace('live', 'test')}`]],
    ['upper case', (key) => [`Authorization: Bearer ${key.toUpperCase()}`]],
    ['a wrong checksum', (key) => [`Authorization: Bearer ${key.slice(0, -1)}${other(key.at(-1))}`]],
    [
      'one letter changed',
      (key) => [`Authorization: Bearer ${key.slice(0, 12)}${other(key[12])}${key.slice(13)}`],
    ],
    ['10 KB', () => [`Authorization: Bearer slk_live_${'A'.repeat(10_000)}`]],
    [
      'another header',
      (key) => [`Proxy-Authorization: Bearer ${key}`, `X-Api-Key: ${key}`, `Cookie: key=${key}`],
    ],
  ];

  test.each(KEYS)('(%s) is 401 on every route, and asks the database nothing', async (_name, lines) => {
    const spies = [vi.spyOn(service.app.pg, 'query'), vi.spyOn(service.app.pg, 'connect')];
    // The relay looks into the outbox by itself, four times a second.
    const asked = () =>
      spies
        .flatMap((spy) => spy.mock.calls.map(([text]) => String(text)))
        .filter((text) => text.includes('api_keys') || text.includes('smartlinks'));
    for (const route of guardedRoutes()) {
      const answer = await send(
        route,
        [...lines(apiKey), 'Content-Type: application/json'],
        takesBody(route) ? '{}' : '',
      );
      expect([route, answer.status, answer.headers['www-authenticate']]).toEqual([route, 401, 'Bearer']);
      if (!route.startsWith('HEAD'))
        expect(answer.body?.error).toEqual({ code: 'UNAUTHORIZED', message: 'Invalid API key format' });
    }
    expect(asked()).toEqual([]);
    for (const spy of spies) spy.mockRestore();
  });

  test('a key in the query is none, and a revoked one is refused, on every route', async () => {
    const revoked = await addKey(service.app, userId);
    await service.app.pg.query('update api_keys set revoked_at = now() where display_prefix = $1', [
      revoked.slice(0, 17),
    ]);
    for (const route of guardedRoutes()) {
      const query = `${route}?key=${apiKey}&authorization=Bearer%20${apiKey}&access_token=${apiKey}`;
      expect([route, (await send(query, [])).status]).toEqual([route, 401]);
      const answer = await send(route, [`Authorization: Bearer ${revoked}`]);
      expect([route, answer.status]).toEqual([route, 401]);
      if (!route.startsWith('HEAD')) expect(answer.body?.error?.message).toBe('Invalid API key');
    }
  });

  test('only the reference is for everybody', async () => {
    for (const route of routes) {
      // The reference's page is no JSON, which callRaw cannot read.
      const { status } = await send(route, []).catch(() => ({ status: 200 }));
      expect([route, status === 200]).toEqual([route, PUBLIC_ROUTES.includes(route)]);
    }
  });
});

const paths = () => [...new Set(routes.map((route) => route.split(' ')[1]!))];

test('a method that a path does not take is 405 and tells those that it takes', async () => {
  for (const path of paths()) {
    const taken = routes.filter((route) => route.endsWith(` ${path}`)).map((route) => route.split(' ')[0]!);
    for (const method of [
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'LOCK',
    ].filter((known) => !taken.includes(known))) {
      const answer = await send(`${method} ${path}`, [good()]);
      expect([method, path, answer.status, answer.headers['allow']]).toEqual([
        method,
        path,
        405,
        taken.toSorted().join(', '),
      ]);
      expect(answer.body?.error?.code).toBe('METHOD_NOT_ALLOWED');
    }
    for (const method of ['FOO', 'get', 'G\u0000T', 'PATCHX'])
      expect([method, (await send(`${method} ${path}`, [good()])).status]).toEqual([method, 400]);
  }
});

test('a path that is written in another way leads nowhere', async () => {
  for (const path of paths()) {
    for (const written of [
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}%00`,
      `${path}%2f`,
      `${path}%20`,
      `${path};x=1`,
      `${path}/..${path}`,
      `/.${path}`,
      `/%2e%2e/v1${path}`,
      path.replace('/', '/%252f'),
      path.replace('/', '\\'),
    ]) {
      const answer = await send(`GET ${written}`, [good()]);
      expect([written, answer.status, answer.body?.error]).toEqual([
        written,
        404,
        { code: 'NOT_FOUND', message: 'Route not found' },
      ]);
    }
  }
});

describe('a body in an unusual dress is read all the same', () => {
  const BODY = JSON.stringify({
    id: randomUUID(),
    smartlinkId: randomUUID(),
    webhookId: randomUUID(),
    deliveryId: randomUUID(),
    status: 'Paused',
    configuration: 5,
    operations: 5,
    url: 5,
  });
  test.each([
    ['a space and a tab around the type', ['Content-Type:  \tapplication/json\t '], BODY],
    ['an upper-case type', ['CONTENT-TYPE: APPLICATION/JSON'], BODY],
    ['a charset', ['Content-Type: application/json;charset="UTF-8"'], BODY],
    ['Expect', ['Content-Type: application/json', 'Expect: 100-continue'], BODY],
    ['identity', ['Content-Type: application/json', 'Content-Encoding: identity'], BODY],
    [
      'chunks with an extension and a trailer',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked', 'Trailer: Authorization'],
      `${BODY.length.toString(16)};x=1\r\n${BODY}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    ],
  ])('%s', async (_name, lines, body) => {
    for (const route of routes.filter(takesBody)) {
      const answer = await send(route, [good(), ...lines], body);
      // Each route finds its own fault in it: it has been read.
      const found =
        answer.body?.error?.code === 'NOT_FOUND'
          ? answer.body.error.message
          : JSON.stringify(answer.body?.error?.details);
      const fault = /^(Smartlink|Webhook|Delivery) not found$|"(configuration|operations|url)"/;
      expect([route, found]).toEqual([route, expect.stringMatching(fault)]);
    }
  });
});

test('a body of a GET is not looked at', async () => {
  for (const route of routes.filter((known) => known.startsWith('GET ') && !PUBLIC_ROUTES.includes(known))) {
    const plain = await send(route, [good()]);
    const answer = await send(route, [good(), 'Content-Type: application/json'], '{"id":"x"}');
    expect([route, answer.status]).toEqual([route, plain.status]);
  }
});

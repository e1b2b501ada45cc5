import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { callRaw, listen } from './call-raw.js';
import { addKey, createPerson, revokeKey, signIn, urlSmartlink, useService } from './start-service.js';
import { isForPersons, routesOf, storedRows, untilPublished } from './stored-state.js';

// Bad keys, methods, paths and headers, on every route there is.

const { service, user, api } = useService();
let routes: readonly string[];
let port: number;
let ownerToken: string;
let before: string;

beforeAll(async () => {
  routes = routesOf(service.app);
  port = await listen(service.app);
  expect((await api.post('/smartlink', urlSmartlink())).status).toBe(201);
  await untilPublished(service.app);
  const owner = await createPerson(service.app, { roles: { [user.userId]: 'Owner' }, isOperator: true });
  ownerToken = (await signIn(service.app, owner, user.userId)).token;
  before = await storedRows(service.app);
});
afterEach(async () => {
  expect(await storedRows(service.app)).toBe(before);
});

// An ordinary run tries every third route, and others with the next fault.
const EVERY = trialSize(3, 1);
const PUBLIC_ROUTES = ['GET /openapi.json', 'HEAD /openapi.json'];
const guardedRoutes = () => routes.filter((route) => !PUBLIC_ROUTES.includes(route));
// Files: imports.int.test.ts and media.int.test.ts.
const takesBody = (route: string) => !/^(?:GET|HEAD) |^POST \/(?:imports|media)$/.test(route);

/** Sends a request to a route; `lines` are its headers. A body brings its length along. */
async function send(route: string, lines: readonly string[], body: string | Buffer = '') {
  const [method, path] = route.split(' ');
  const head = [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    ...lines,
    ...(body === '' || lines.some((line) => line.startsWith('Transfer-'))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return callRaw(
    port,
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]),
  );
}

const other = (char: string | undefined) => (char === 'A' ? 'B' : 'A');
const good = () => `Authorization: Bearer ${user.apiKey}`;
/** The headers of a caller that the route takes: the key, or the session of an Owner who operates. */
const goodFor = (route: string): readonly string[] =>
  isForPersons(service.app, route)
    ? [`Cookie: smartlink_session=${ownerToken}`, 'Origin: http://127.0.0.1:3000']
    : [good()];

/** Headers that hold no good key, made of one. */
const badKeys = (key: string): readonly (readonly string[])[] => [
  ...[[], [`Authorization: ${key}`], [`Proxy-Authorization: Bearer ${key}`, `Cookie: key=${key}`]],
  [`Authorization: Bearer ${key}`, `authorization: Bearer ${key}`],
  ...[
    ...['', 'Bearer', `Bearer${key}`, `Token ${key}`, `Bearer "${key}"`, `Bearer ${key}, Bearer ${key}`],
    ...[key.slice(0, -1), `${key}A`, `${key.slice(0, 20)} ${key.slice(20)}`, key.replace('live', 'test')],
    ...[key.toUpperCase(), `${key.slice(0, -1)}${other(key.at(-1))}`, `slk_live_${'A'.repeat(10_000)}`],
    `${key.slice(0, 12)}${other(key[12])}${key.slice(13)}`,
  ].map((value) => [`Authorization: ${/^(?:slk_|SLK_)/.test(value) ? 'Bearer ' : ''}${value}`]),
];

describe('a key', () => {
  test('missing or malformed is 401 without a query to the database', async () => {
    const spies = [vi.spyOn(service.app.pg, 'query'), vi.spyOn(service.app.pg, 'connect')];
    // The relay looks into the outbox by itself, four times a second.
    const asked = () =>
      spies
        .flatMap((spy) => spy.mock.calls.map(([text]) => String(text)))
        .filter((text) => text.includes('api_keys') || text.includes('smartlinks'));
    for (const [index, lines] of badKeys(user.apiKey).entries()) {
      for (const route of guardedRoutes().filter((_, i) => (i + index) % EVERY === 0)) {
        const type = 'Content-Type: application/json';
        const answer = await send(route, [...lines, type], takesBody(route) ? '{}' : '');
        const found = [answer.status, answer.headers['www-authenticate'], answer.body?.error];
        const error = { code: 'UNAUTHORIZED', message: 'Invalid API key format' };
        const expected = [401, 'Bearer', route.startsWith('HEAD') ? undefined : error];
        expect([route, lines, ...found]).toEqual([route, lines, ...expected]);
      }
    }
    expect(asked()).toEqual([]);
    for (const spy of spies) spy.mockRestore();
  });

  test('in the query, or revoked, is refused on every route', async () => {
    const revoked = await addKey(service.app, user.userId);
    await revokeKey(service.app, revoked);
    for (const route of guardedRoutes()) {
      const query = `${route}?key=${user.apiKey}&authorization=Bearer%20${user.apiKey}&access_token=${user.apiKey}`;
      expect([route, (await send(query, [])).status]).toEqual([route, 401]);
      const answer = await send(route, [`Authorization: Bearer ${revoked}`]);
      expect([route, answer.status]).toEqual([route, 401]);
      if (!route.startsWith('HEAD')) expect(answer.body?.error?.message).toBe('Invalid API key');
    }
  });

  test('is needed by all routes but the reference', async () => {
    for (const route of routes) {
      const { status } = await send(route, []);
      expect([route, status === 200]).toEqual([route, PUBLIC_ROUTES.includes(route)]);
    }
  });
});

const paths = () => [...new Set(routes.map((route) => route.split(' ')[1]!))];

test('an unsupported method is 405 and lists the supported ones', async () => {
  for (const path of paths()) {
    const taken = routes.filter((route) => route.endsWith(` ${path}`)).map((route) => route.split(' ')[0]!);
    const methods = 'GET POST PUT PATCH DELETE OPTIONS TRACE PROPFIND SEARCH LOCK'.split(' ');
    for (const method of methods.filter((known) => !taken.includes(known))) {
      const answer = await send(`${method} ${path}`, [good()]);
      const allowed = taken.toSorted().join(', ');
      const found = [method, path, answer.status, answer.headers['allow']];
      expect(found).toEqual([method, path, 405, allowed]);
      expect(answer.body?.error?.code).toBe('METHOD_NOT_ALLOWED');
    }
    for (const method of ['FOO', 'get', 'G\u0000T', 'PATCHX'])
      expect([method, (await send(`${method} ${path}`, [good()])).body?.error?.code]).toEqual([
        method,
        'VALIDATION_FAILED',
      ]);
  }
});

test('a path that is written in another way leads nowhere', async () => {
  for (const path of paths()) {
    for (const written of [
      ...[`${path}/`, `/${path}`, path.toUpperCase(), `${path}%00`, `${path}%2f`, `${path};x=1`],
      ...[`${path}/..${path}`, `/.${path}`, `/%2e%2e/v1${path}`, path.replace('/', '/%252f')],
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
    keyId: randomUUID(),
    personId: randomUUID(),
    tagId: randomUUID(),
    fromId: randomUUID(),
    intoId: randomUUID(),
    folderId: randomUUID(),
    templateId: randomUUID(),
    mediaId: randomUUID(),
    domainId: randomUUID(),
    host: 5,
    patch: {},
    status: 'Paused',
    configuration: 5,
    operations: 5,
    url: 5,
    name: 5,
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
      const answer = await send(route, [...goodFor(route), ...lines], body);
      // Each route finds its own fault in it: it has been read.
      const found =
        answer.body?.error?.code === 'NOT_FOUND'
          ? answer.body.error.message
          : JSON.stringify(answer.body?.error?.details);
      const fault = /^[A-Z][A-Za-z ]+ not found$|"(configuration|operations|url|name|email|role|host)"/;
      expect([route, found]).toEqual([route, expect.stringMatching(fault)]);
    }
  });
});

// Other faults of a body: requests.test.ts.
test.each([
  ['null', 'Must be an object'],
  ['[]', 'Must be an object'],
  ['{"id":"x"', 'Must be valid JSON'],
  ['{"id":[{"\\u005f_proto__":{}}]}', 'Must not have the key __proto__'],
])('the body %s is refused on every route', async (body, message) => {
  for (const route of routes.filter(takesBody)) {
    const answer = await send(route, [...goodFor(route), 'Content-Type: application/json'], body);
    const found = [answer.status, answer.body?.error?.details];
    expect([route, ...found]).toEqual([route, 400, [{ path: '', message }]]);
  }
});

test.each([
  ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/json; charset=utf-16', 'application/json; charset=', 'application/problem+json'],
  ...['application/jsonx', 'application/json, text/plain', ';;;', '/'],
])('a body of the media type %s is 415', async (type) => {
  for (const route of routes.filter(takesBody).filter((_, i) => (i + type.length) % EVERY === 0)) {
    const answer = await send(
      route,
      [...goodFor(route), ...(type === '' ? [] : [`Content-Type: ${type}`])],
      '{}',
    );
    expect([route, answer.status, answer.body?.error?.code]).toEqual([route, 415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});

test('a missing body is 400 on every route', async () => {
  for (const route of routes.filter(takesBody)) {
    for (const lines of [
      ['Content-Type: application/json', 'Content-Length: 0'],
      ['Content-Length: 0'],
      [],
    ]) {
      const answer = await send(route, [...goodFor(route), ...lines]);
      expect([route, answer.status, answer.body?.error?.code]).toEqual([route, 400, 'VALIDATION_FAILED']);
    }
  }
});

test('a body of a GET is not looked at', async () => {
  for (const route of routes.filter((known) => known.startsWith('GET ') && !PUBLIC_ROUTES.includes(known))) {
    const plain = await send(route, goodFor(route));
    const answer = await send(route, [...goodFor(route), 'Content-Type: application/json'], '{"id":"x"}');
    expect([route, answer.status]).toEqual([route, plain.status]);
  }
});

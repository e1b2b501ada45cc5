import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { bulkOfOne } from './bulk-calls.js';
import { createTenantWebhook, type RouteCalls, WEBHOOK_CALLS, WEBHOOK_ENV } from './hostile-webhooks.js';
import { type IdInput, malformed, misspelt } from './id-inputs.js';
import { addEvents, caller, type Caller, type TestUser, urlSmartlink, useService } from './start-service.js';
import { routesOf, storedRows, untilPublished } from './stored-state.js';

// Reliability goal S1: two users, all endpoints, all ways to give an id.

type Tenant = TestUser & {
  readonly api: Caller;
  readonly ids: Readonly<Record<'live' | 'paused' | 'deleted' | 'renamed' | 'webhook' | 'delivery', string>>;
  readonly slugs: readonly string[];
  /** What no answer to another user may hold. */
  readonly secrets: RegExp;
};

// An ordinary run gives a call the other tenant's ids, and of all other inputs every third, another third to the next.
const EVERY = process.env['SMARTLINK_TEST_SIZE'] === 'full' ? 1 : 3;
const TENANT_IDS = 6;

const { service } = useService({ env: WEBHOOK_ENV });
let routes: readonly string[];
let tenants: readonly [Tenant, Tenant];

beforeAll(async () => {
  routes = routesOf(service.app);
  tenants = [await createTenant('Alder'), await createTenant('Birch')];
});

async function createTenant(word: string): Promise<Tenant> {
  const user = await service.createUser();
  const api = caller(service.app, user.apiKey);
  const ids: Record<string, string> = {};
  for (const name of ['live', 'paused', 'deleted', 'renamed']) {
    const created = await api.post(
      '/smartlink',
      urlSmartlink(
        { smartlinkName: `Secret${word}`, smartlinkUrl: `${word}${name}` },
        {
          url: `https://secret-${word.toLowerCase()}.example.net/`,
          protected: true,
          password: 'open sesame',
        },
        { openGraph: { title: `Secret${word}` } },
      ),
    );
    ids[name] = String(created.body.data.id);
  }
  await api.post('/smartlink/status', { id: ids['paused'], status: 'Paused' });
  await api.delete('/smartlink', { smartlinkId: ids['deleted'] });
  await api.patch('/smartlink', { id: ids['renamed'], configuration: { smartlinkUrl: `${word}second` } });
  await addEvents(
    service.app,
    Object.values(ids).map((id) =>
      makeEventRow(user.userId, id, { country: 'AZ', browser: `Secret${word}` }),
    ),
  );
  Object.assign(ids, await createTenantWebhook(service, api, word.toLowerCase()));
  return {
    ...user,
    api,
    ids: ids as Tenant['ids'],
    slugs: [`${word}live`, `${word}paused`, `${word}deleted`, `${word}renamed`, `${word}second`],
    secrets: new RegExp([`secret-?${word}`, user.userId, user.email, ...Object.values(ids)].join('|'), 'i'),
  };
}

type Call = RouteCalls['calls'][number];

const byQuery =
  (method: 'GET' | 'HEAD', path: string, rest = ''): Call =>
  (api, { query }) =>
    api.call(method, `${path}?${query ?? ''}${rest}`);
const patch =
  (rest: object, headers = {}): Call =>
  (api, { json }) =>
    api.patch('/smartlink', { id: json, ...rest }, headers);

/** How an id can be given to each route: by what, and the calls. */
const CALLS: Readonly<Record<string, RouteCalls>> = {
  ...WEBHOOK_CALLS,
  'GET /smartlink': { by: 'query', calls: [byQuery('GET', '/smartlink')] },
  'HEAD /smartlink': { by: 'query', calls: [byQuery('HEAD', '/smartlink')] },
  'GET /smartlink/analytics': {
    by: 'query',
    calls: ['', '&from=2026-01-01&interval=hour', '&format=csv'].map((rest) =>
      byQuery('GET', '/smartlink/analytics', rest),
    ),
  },
  'HEAD /smartlink/analytics': { by: 'query', calls: [byQuery('HEAD', '/smartlink/analytics')] },
  'GET /smartlink/qr': {
    by: 'query',
    calls: [byQuery('GET', '/smartlink/qr'), byQuery('GET', '/smartlink/qr', '&format=png')],
  },
  'HEAD /smartlink/qr': { by: 'query', calls: [byQuery('HEAD', '/smartlink/qr')] },
  'GET /smartlink/resolve': {
    by: 'query',
    calls: ['', '&userAgent=WhatsApp%2F2', '&userAgent=iPhone&country=az'].map((rest) =>
      byQuery('GET', '/smartlink/resolve', rest),
    ),
  },
  'HEAD /smartlink/resolve': { by: 'query', calls: [byQuery('HEAD', '/smartlink/resolve')] },
  'PATCH /smartlink': {
    by: 'json',
    calls: [
      patch({ configuration: { smartlinkName: 'Mine' } }),
      patch({}),
      patch({ shortener: { url: 'x' } }),
      patch({ shortener: { password: 'another one' } }),
      patch({}, { 'if-match': '"1"' }),
    ],
  },
  'POST /smartlink/status': {
    by: 'json',
    calls: ['Paused', 'Active'].map(
      (status): Call =>
        (api, { json }) =>
          api.post('/smartlink/status', { id: json, status }),
    ),
  },
  'POST /smartlink/bulk': {
    by: 'json',
    calls: [
      (api, { json }) => bulkOfOne(api, { patch: { id: json, configuration: { smartlinkName: 'Mine' } } }),
      (api, { json }) => bulkOfOne(api, { patch: { id: json, shortener: {} }, ifMatch: '"1"' }),
      (api, { json }) => bulkOfOne(api, { delete: { smartlinkId: json } }),
    ],
  },
  'DELETE /smartlink': {
    by: 'json',
    calls: [(api, { json }) => api.delete('/smartlink', { smartlinkId: json })],
  },
  // These take no id; one that is given all the same changes nothing.
  'POST /smartlink': {
    by: 'nothing',
    calls: [(api, { json }) => api.post('/smartlink', { ...urlSmartlink(), id: json, userId: json })],
  },
  ...Object.fromEntries(
    ['/validate', '/analytics/summary', '/openapi.json'].flatMap((path) =>
      (['GET', 'HEAD'] as const).map((method) => [
        `${method} ${path}`,
        { by: 'nothing', calls: [byQuery(method, path)] },
      ]),
    ),
  ),
};

test('every route has its calls here', () => {
  expect(routes.filter((route) => !Object.hasOwn(CALLS, route))).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

const unknownId = (): IdInput => {
  const id = randomUUID();
  return { name: 'unknown', query: `id=${id}`, json: id };
};

const canSend = (by: 'query' | 'json' | 'nothing', { query, json }: IdInput) =>
  by === 'query' ? query !== null : query === null || json !== undefined;

/** Everything that is not the tenant's own, by whether it is answered as an unknown id is. */
function foreignInputs(own: Tenant, foreign: Tenant) {
  const asText = (id: string): IdInput => ({ name: id, query: `id=${encodeURIComponent(id)}`, json: id });
  const unknown = [
    ...Object.values(foreign.ids).map(asText),
    ...foreign.slugs.map(asText),
    ...own.slugs.map(asText),
    ...[foreign.userId, foreign.email, own.userId].map(asText),
    ...misspelt(foreign.ids.live),
    ...misspelt(own.ids.live),
  ];
  return { unknown, malformed: [...malformed(foreign.ids.live), ...malformed(own.ids.live)] };
}

test('an id that is not one of the caller’s own says nothing, wherever it is given', async () => {
  await untilPublished(service.app);
  const { app } = service;
  const before = await storedRows(app);
  const inputCounts = new Set<number>();
  const leaks: string[] = [];
  let calls = 0;
  let round = 0;
  for (const [own, foreign] of [tenants, [tenants[1], tenants[0]] as const]) {
    const inputs = foreignInputs(own, foreign);
    inputCounts.add(inputs.unknown.length + inputs.malformed.length);
    for (const route of routes.filter((known) => CALLS[known]!.by !== 'nothing')) {
      for (const call of CALLS[route]!.calls) {
        const unknown = comparable(await call(own.api, unknownId()));
        round += 1;
        for (const [index, input] of [...inputs.unknown, ...inputs.malformed].entries()) {
          // The first are the other tenant's own ids.
          const isTried = index < TENANT_IDS || (index + round) % EVERY === 0;
          if (!isTried || !canSend(CALLS[route]!.by, input)) continue;
          calls += 1;
          const res = await call(own.api, input);
          const isFault = res.status === 400 && inputs.malformed.includes(input);
          if (foreign.secrets.test(res.text + JSON.stringify(res.headers)))
            leaks.push(`${route} ${input.name}: told`);
          if (!isFault && JSON.stringify(comparable(res)) !== JSON.stringify(unknown))
            leaks.push(`${route} ${input.name}: ${res.status}, not as an unknown id`);
        }
      }
    }
  }
  process.stdout.write(
    `S1: 2 users × ${routes.length} routes × ${[...inputCounts].join()} ids = ${calls} calls, ${leaks.length} leaks\n`,
  );
  expect(leaks).toEqual([]);
  expect(await storedRows(app)).toBe(before);
}, 300_000);

test('routes that take no id answer with the caller’s own and nothing else, whatever id is given', async () => {
  for (const [own, foreign] of [tenants, [tenants[1], tenants[0]] as const]) {
    const inputs = foreignInputs(own, foreign);
    for (const route of routes.filter((known) => CALLS[known]!.by === 'nothing')) {
      for (const input of [...inputs.unknown.slice(0, 5), ...inputs.malformed.slice(-8)]) {
        const res = await CALLS[route]!.calls[0]!(own.api, input);
        expect([route, input.name, Math.floor(res.status / 100)]).toEqual([route, input.name, 2]);
        expect(res.text).not.toMatch(foreign.secrets);
      }
    }
    for (const path of ['/smartlink', '/smartlink?status=all', '/smartlink?q=secret', '/analytics/summary']) {
      const { text } = await own.api.get(path);
      expect(text).toMatch(own.secrets);
      expect(text).not.toMatch(foreign.secrets);
    }
  }
}, 300_000);

test('another’s cursor pages through the caller’s own list', async () => {
  const [own, foreign] = tenants;
  const cursor = String((await foreign.api.get('/smartlink?status=all&limit=1')).headers['x-next-cursor']);
  const { status, text } = await own.api.get(`/smartlink?status=all&cursor=${encodeURIComponent(cursor)}`);
  expect(status).toBe(200);
  expect(text).not.toMatch(foreign.secrets);
});

test('another’s slug is taken, and the answer does not say whether it is live, paused, deleted or an alias', async () => {
  const [own, foreign] = tenants;
  const erased = await service.createUser();
  await caller(service.app, erased.apiKey).post('/smartlink', urlSmartlink({ smartlinkUrl: 'Orphaned' }));
  await service.app.pg.query('delete from users where id = $1', [erased.userId]);
  for (const call of [
    (smartlinkUrl: string) => own.api.post('/smartlink', urlSmartlink({ smartlinkUrl })),
    (smartlinkUrl: string) =>
      own.api.patch('/smartlink', { id: own.ids.live, configuration: { smartlinkUrl } }),
  ]) {
    const answers = new Set<string>();
    for (const slug of [...foreign.slugs, foreign.slugs[0]!.toUpperCase(), 'orphaned']) {
      const res = await call(slug);
      expect(res.status).toBe(409);
      answers.add(JSON.stringify(comparable(res)));
    }
    expect(answers.size).toBe(1);
  }
});

test('of the same calls each finds the caller’s own', async () => {
  for (const { api, ids } of tenants) {
    for (const route of routes.filter(
      (known) => CALLS[known]!.by !== 'nothing' && !known.startsWith('DELETE '),
    )) {
      const id = ids[CALLS[route]!.own ?? 'live'];
      const own: IdInput = { name: 'own', query: `id=${id}`, json: id };
      expect([route, (await CALLS[route]!.calls[0]!(api, own)).status]).toEqual([route, 200]);
    }
    const deleted: IdInput = { name: 'deleted', query: `id=${ids.deleted}`, json: ids.deleted };
    for (const route of ['GET /smartlink', 'GET /smartlink/analytics'])
      expect((await CALLS[route]!.calls[0]!(api, deleted)).status).toBe(200);
    for (const route of ['PATCH /smartlink', 'POST /smartlink/status', 'DELETE /smartlink'])
      expect((await CALLS[route]!.calls[0]!(api, deleted)).status).toBe(404);
    expect((await api.delete('/smartlink', { smartlinkId: ids.live })).status).toBe(200);
    expect((await api.delete('/webhooks', { webhookId: ids.webhook })).status).toBe(200);
  }
});

/** All of an answer but the time, the request's id, and the limit's count, which moves with every call. */
function comparable({ status, headers, text }: { status: number; headers: object; text: string }) {
  const {
    date: _date,
    'x-request-id': _id,
    'ratelimit-remaining': _count,
    'ratelimit-reset': _reset,
    ...rest
  } = headers as Record<string, unknown>;
  return [status, rest, text.replace(/"timestamp":"[^"]+"/, '')];
}

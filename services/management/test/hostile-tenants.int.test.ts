import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { bulkOfOne } from './bulk-calls.js';
import { uploadTo } from './import-calls.js';
import { uploadPicture } from './pictures.js';
import { caller, type Caller, forgetUsage, urlSmartlink, useService } from './start-service.js';
import { isForPersons, routesOf, storedRows, untilPublished } from './stored-state.js';
import { createTenant, HOOK, type IdName, type Tenant } from './tenants.js';

// Two users, all endpoints, all ways to give an id.

// An ordinary run gives a call the other tenant's ids of its kind, and of all other inputs every eighth, the next call
// other ones; every fourth to a route that takes no id.
const EVERY = trialSize(8, 1);
const SMARTLINKS = /^(live|paused|deleted|renamed)$/;

const { service } = useService({
  // No name server listens at that port.
  env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DOMAIN_DNS_SERVERS: '127.0.0.1:9' },
});
let routes: readonly string[];
let tenants: readonly [Tenant, Tenant];
const pairs = () => [tenants, [tenants[1], tenants[0]] as const] as const;

beforeAll(async () => {
  routes = routesOf(service.app).filter((route) => !TRIED_ELSEWHERE.test(route));
  tenants = [await createTenant(service, 'Alder'), await createTenant(service, 'Birch')];
});

beforeEach(() => forgetUsage(service));

/** One way to give an id: in a query string, as it stands after the `?`, and in a JSON body. null: not there. */
type IdInput = { readonly query: string | null; readonly json: unknown };
type Call = (api: Caller, input: IdInput) => ReturnType<Caller['get']>;
/** How an id can be given to a route: by what, the calls, and which of a tenant's ids they find. */
type RouteCalls = {
  readonly by: 'query' | 'json' | 'nothing';
  readonly calls: readonly Call[];
  readonly own: IdName;
};
type Routes = Readonly<Record<string, RouteCalls>>;

/** GET and HEAD of a path, with these parameters beside the id. */
const queried = (path: string, more: readonly string[], by: RouteCalls['by'], own: RouteCalls['own']) =>
  Object.fromEntries(
    (['GET', 'HEAD'] as const).map((method) => {
      const calls = more.map(
        (rest): Call =>
          (api, { query }) =>
            api.call(method, `${path}?${query ?? ''}${rest}`),
      );
      return [`${method} ${path}`, { by, own, calls }];
    }),
  ) satisfies Routes;

/** Calls of a route whose bodies hold the id as `member`, and these other members. */
function sent(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  member: string,
  more: readonly object[] = [{}],
  own: RouteCalls['own'] = 'live',
): Routes {
  const calls = more.map(
    ({ ifMatch = '*', ...rest }: { ifMatch?: string }): Call =>
      (api, { json }) =>
        api.call(method, path, { [member]: json, ...rest }, { 'if-match': ifMatch }),
  );
  return { [`${method} ${path}`]: { by: 'json', own, calls } };
}

const byBulk =
  (operationOf: (id: unknown) => object): Call =>
  (api, { json }) =>
    bulkOfOne(api, operationOf(json));
/** A create, which takes no id; one that is given all the same changes nothing. */
const creates = (path: string, body: object): Routes => ({
  [`POST ${path}`]: {
    by: 'nothing',
    own: 'live',
    calls: [(api, { json }) => api.post(path, { ...body, id: json, userId: json })],
  },
});

const callerFor = (route: string, { api, person }: Tenant): Caller =>
  isForPersons(service.app, route) ? person : api;

const RENAMED = { configuration: { smartlinkName: 'Mine' } };
/** A create of a named object. */
const creationsOf = (path: string, more: object = {}): Routes => ({
  [`POST ${path}`]: {
    by: 'nothing',
    own: 'live',
    calls: [(api, { json }) => api.post(path, { name: randomUUID(), ...more, id: json, userId: json })],
  },
});

const otherTagOf = (api: Caller): string => tenants.find((tenant) => tenant.api === api)!.ids.otherTag;

const PATCHES = [
  RENAMED,
  {},
  { ifMatch: '"1"' },
  { shortener: { url: 'x' } },
  { shortener: { password: 'another one' } },
];
const HOOK_PATCHES = [{}, { isEnabled: false }, { isEnabled: true, url: HOOK.url, description: 'Mine' }];

// Ids choose among the caller's own smartlinks, so that foreign ones match as little as unknown ones: account-analytics.int. To
// operators no account is foreign: operators.int.
const TRIED_ELSEWHERE = / \/(?:analytics(\/breakdown|\/realtime)?$|admin\/)/;

const CALLS: Routes = {
  ...queried('/smartlink', [''], 'query', 'live'),
  ...queried('/smartlink/analytics', ['', '&from=2026-01-01&interval=hour', '&format=csv'], 'query', 'live'),
  ...queried('/smartlink/qr', ['', '&format=png'], 'query', 'live'),
  ...queried('/smartlink/resolve', ['', '&userAgent=iPhone&country=az'], 'query', 'live'),
  ...queried('/webhooks/deliveries', ['', '&status=Delivered&limit=1'], 'query', 'webhook'),
  ...queried('/tags', [''], 'nothing', 'live'),
  ...queried('/folders', [''], 'nothing', 'live'),
  ...queried('/utm-templates', [''], 'nothing', 'live'),
  ...queried('/validate', [''], 'nothing', 'live'),
  ...queried('/analytics/summary', [''], 'nothing', 'live'),
  ...queried('/openapi.json', [''], 'nothing', 'live'),
  ...queried('/webhooks', [''], 'nothing', 'live'),
  ...creates('/smartlink', urlSmartlink()),
  ...creates('/webhooks', HOOK),
  ...creationsOf('/tags'),
  ...creationsOf('/folders'),
  ...creationsOf('/utm-templates', { utm: { source: 'mail' } }),
  ...sent('PATCH', '/tags', 'id', [{}, { color: '#fff' }], 'tag'),
  ...sent('DELETE', '/tags', 'tagId', [{}], 'tag'),
  'POST /tags/merge': {
    by: 'json',
    own: 'tag',
    calls: [
      (api, { json }) => api.post('/tags/merge', { fromId: json, intoId: otherTagOf(api) }),
      (api, { json }) => api.post('/tags/merge', { fromId: otherTagOf(api), intoId: json }),
    ],
  },
  ...sent('PATCH', '/folders', 'id', [{}, { description: 'Mine' }], 'folder'),
  ...sent('DELETE', '/folders', 'folderId', [{}], 'folder'),
  ...sent('PATCH', '/utm-templates', 'id', [{}, { utm: { ref: 'mine' } }], 'template'),
  ...sent('DELETE', '/utm-templates', 'templateId', [{}], 'template'),
  ...sent('PATCH', '/smartlink', 'id', PATCHES),
  ...sent('POST', '/smartlink/status', 'id', [{ status: 'Paused' }, { status: 'Active' }]),
  ...sent('POST', '/smartlink/preview', 'id', [{ patch: {} }, { patch: RENAMED }]),
  ...sent('DELETE', '/smartlink', 'smartlinkId'),
  ...sent('PATCH', '/webhooks', 'id', HOOK_PATCHES, 'webhook'),
  ...sent('DELETE', '/webhooks', 'webhookId', [{}], 'webhook'),
  ...sent('POST', '/webhooks/rotate-secret', 'id', [{}], 'webhook'),
  ...sent('POST', '/webhooks/test', 'id', [{}], 'webhook'),
  ...sent('POST', '/webhooks/redeliver', 'deliveryId', [{}], 'delivery'),
  ...queried('/account', [''], 'nothing', 'live'),
  'PATCH /account': {
    by: 'nothing',
    own: 'live',
    calls: [(api, { json }) => api.patch('/account', { name: 'Mine', id: json, userId: json })],
  },
  ...queried('/members', [''], 'nothing', 'live'),
  ...creates('/members', { email: 'new@example.org', role: 'Viewer' }),
  ...sent('PATCH', '/members', 'personId', [{ role: 'Editor' }, { role: 'Viewer' }], 'member'),
  ...sent('DELETE', '/members', 'personId', [{}], 'member'),
  ...queried('/audit', [''], 'nothing', 'live'),
  ...queried('/keys/current', [''], 'nothing', 'live'),
  ...queried('/keys', [''], 'nothing', 'key'),
  ...creates('/keys', { name: 'Mine' }),
  ...sent('PATCH', '/keys', 'id', [{}, { name: 'Mine' }], 'key'),
  ...sent('POST', '/keys/rotate', 'id', [{}], 'key'),
  ...sent('DELETE', '/keys', 'keyId', [{}], 'key'),
  ...queried('/imports', [''], 'query', 'import'),
  ...queried('/imports/report', [''], 'query', 'import'),
  ...queried('/export', ['', '&format=csv'], 'nothing', 'live'),
  ...sent('POST', '/imports/start', 'id', [{}, { assignSlugs: true }], 'import'),
  ...queried('/media', ['', '&limit=1'], 'nothing', 'media'),
  ...sent('DELETE', '/media', 'mediaId', [{}], 'media'),
  ...queried('/domains', [''], 'nothing', 'domain'),
  'POST /domains': {
    by: 'nothing',
    own: 'domain',
    calls: [
      (api, { json }) =>
        api.post('/domains', { host: `${randomUUID()}.example.org`, id: json, userId: json }),
    ],
  },
  ...sent(
    'PATCH',
    '/domains',
    'id',
    [{}, { rootUrl: 'https://example.org/' }, { isDefault: true }],
    'domain',
  ),
  ...sent('POST', '/domains/verify', 'id', [{}], 'domain'),
  ...sent('DELETE', '/domains', 'domainId', [{}], 'domain'),
  'POST /media': { by: 'nothing', own: 'live', calls: [(api) => uploadPicture(api)] },
  'POST /imports': { by: 'nothing', own: 'live', calls: [(api) => uploadTo(api, 'url\nhttps://a.example/')] },
  'POST /smartlink/bulk': {
    by: 'json',
    own: 'live',
    calls: [
      byBulk((id) => ({ patch: { id, ...RENAMED } })),
      byBulk((id) => ({ patch: { id, shortener: {} }, ifMatch: '"1"' })),
      byBulk((id) => ({ status: { id, status: 'Paused' } })),
      byBulk((id) => ({ status: { id, status: 'Active' } })),
      byBulk((smartlinkId) => ({ delete: { smartlinkId } })),
    ],
  },
};

test('every route has its calls here', () => {
  expect(routes.filter((route) => !Object.hasOwn(CALLS, route))).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

const asText = (id: string): IdInput => ({ query: `id=${encodeURIComponent(id)}`, json: id });
const asQuery = (query: string): IdInput => ({ query, json: undefined });
const asJson = (json: unknown): IdInput => ({ query: null, json });

/** Ids that are one well-formed id, badly spelt. */
const misspelt = (id: string): readonly IdInput[] => [
  ...[id.toUpperCase(), ` ${id}`, `${id} `, `${id}\n`, `${id}\0`, `"${id}"`, `{${id}}`].map(asText),
  ...[id.replaceAll('-', ''), id.slice(0, -1), `${id}0`, `${id},${id}`, `${id}' or '1'='1`].map(asText),
  asText(id.replaceAll(/[^-]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))),
  ...[`id=${id}%00`, `id=${id}%`, `id=%ff${id}`, `id=${id};x=1`].map(asQuery),
];

/** Malformed ids; some contain `id`. */
const malformed = (id: string): readonly IdInput[] => [
  ...['x', '*', '%', '00000000-0000-0000-0000-000000000000', 'a'.repeat(10_000), '__proto__'].map(asText),
  ...['id=', 'id', `id=${id}&id=${id}`, `id[]=${id}`, `id[0]=${id}`, `id[$ne]=${id}`].map(asQuery),
  ...[undefined, '', null, true, 7, [], [id], { id }, { $ne: id }].map(asJson),
];

const canSend = (by: 'query' | 'json' | 'nothing', { query, json }: IdInput) =>
  by === 'query' ? query !== null : query === null || json !== undefined;

/** Everything that is not the tenant's own, by whether it is answered as an unknown id is. */
function foreignInputs(own: Tenant, foreign: Tenant) {
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

test('an id that is not the caller’s is answered like an unknown id, wherever it is given', async () => {
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  const leaks: string[] = [];
  let round = 0;
  for (const [own, foreign] of pairs().slice(0, trialSize(1, 2))) {
    const inputs = foreignInputs(own, foreign);
    const idNames = Object.keys(foreign.ids);
    for (const route of routes.filter((known) => CALLS[known]!.by !== 'nothing')) {
      const by = callerFor(route, own);
      const isOfKind = (name = '') => CALLS[route]!.own === (SMARTLINKS.test(name) ? 'live' : name);
      for (const call of CALLS[route]!.calls) {
        const unknown = comparable(await call(by, asText(randomUUID())));
        round += 1;
        for (const [index, input] of [...inputs.unknown, ...inputs.malformed].entries()) {
          // The first are the other tenant's own ids.
          if (!isOfKind(idNames[index]) && (index + round) % EVERY !== 0) continue;
          if (!canSend(CALLS[route]!.by, input)) continue;
          const res = await call(by, input);
          const isFault = res.status === 400 && inputs.malformed.includes(input);
          if (foreign.secrets.test(res.text + JSON.stringify(res.headers)))
            leaks.push(`${route} ${JSON.stringify(input)}: told`);
          if (!isFault && JSON.stringify(comparable(res)) !== JSON.stringify(unknown))
            leaks.push(`${route} ${JSON.stringify(input)}: ${res.status}, not as an unknown id`);
        }
      }
    }
  }
  expect(leaks).toEqual([]);
  expect(await storedRows(service.app)).toBe(before);
}, 300_000);

test('routes that take no id answer with the caller’s own and nothing else, whatever id is given', async () => {
  for (const [own, foreign] of pairs().slice(0, trialSize(1, 2))) {
    const inputs = foreignInputs(own, foreign);
    for (const [round, route] of routes.filter((known) => CALLS[known]!.by === 'nothing').entries()) {
      const tried = [...inputs.unknown.slice(0, 5), ...inputs.malformed.slice(-8)];
      for (const input of tried.filter((_, index) => (index + round) % trialSize(4, 1) === 0)) {
        const res = await CALLS[route]!.calls[0]!(callerFor(route, own), input);
        expect([route, input, Math.floor(res.status / 100)]).toEqual([route, input, 2]);
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

test('the same calls find the caller’s own', async () => {
  for (const tenant of tenants) {
    const { api, ids } = tenant;
    for (const route of routes.filter(
      (known) => CALLS[known]!.by !== 'nothing' && !known.startsWith('DELETE '),
    )) {
      const own = asText(ids[CALLS[route]!.own]);
      expect([route, (await CALLS[route]!.calls[0]!(callerFor(route, tenant), own)).status]).toEqual([
        route,
        200,
      ]);
    }
    const deleted = asText(ids.deleted);
    for (const route of ['GET /smartlink', 'GET /smartlink/analytics'])
      expect((await CALLS[route]!.calls[0]!(api, deleted)).status).toBe(200);
    for (const route of ['PATCH /smartlink', 'POST /smartlink/status', 'DELETE /smartlink'])
      expect((await CALLS[route]!.calls[0]!(api, deleted)).status).toBe(404);
    expect((await api.delete('/smartlink', { smartlinkId: ids.live })).status).toBe(200);
    expect((await api.delete('/webhooks', { webhookId: ids.webhook })).status).toBe(200);
  }
});

const OF_ONE_ANSWER = /^(date|x-request-id|ratelimit-remaining|ratelimit-reset)$/;

/** All of an answer but the time, the request's id, and the limit's count, which moves with every call. */
function comparable({ status, headers, text }: { status: number; headers: object; text: string }) {
  const others = Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.test(name));
  return [status, others, text.replace(/"timestamp":"[^"]+"/, '')];
}

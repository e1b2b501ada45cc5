import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createToken } from '@smartlink/smartlink/credentials';
import { until } from '@smartlink/test-support/until';
import { ERROR_CODES } from '../src/api-reference/document-texts.js';
import { ApiError, type ErrorCode } from '../src/errors.js';
import { type ApiReference, isForPersons, type Operation, readReference } from './api-reference-document.js';
import { failuresOfNamed, failuresOfOperators } from './documented-failures.js';
import { domainFailures, useDns } from './domain-calls.js';
import { importFailures } from './import-calls.js';
import { mediaFailures } from './pictures.js';
import { createScriptedProvider } from './recheck-fixtures.js';
import {
  addKey,
  redisOf,
  caller,
  type Caller,
  callerWith,
  createPerson,
  createSmartlink,
  sessionHeaders,
  signIn,
  urlSmartlink,
  useSecondService,
  useService,
} from './start-service.js';

const dns = await useDns();
// The same users and data, with a URL safety provider that knows one bad host.
const { service, api, user } = useService({
  rateLimits: 'kept',
  env: { TRUSTED_PROXIES: '127.0.0.1', DOMAIN_DNS_SERVERS: dns.address },
});
const provider = createScriptedProvider();
provider.unsafe.add('https://unsafe.example.net/');
const guarded = useSecondService(service, {}, provider);
let guardedApi: Caller;
let reference: ApiReference;
/** Of the user of `api`. */
let id: string;
/** An Owner of the account of `api`, and an operator. */
let owner: Caller;
let starter: Caller;
let starterId: string;

beforeAll(async () => {
  guardedApi = caller(guarded.app, user.apiKey);
  reference = await readReference(service.app);
  id = (await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'errors' }))).body.data.id as string;
  owner = await signInAsOwner(user.userId);
  starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (let i = 0; i < 3; i += 1) {
    starterId = (await starter.post('/smartlink', urlSmartlink())).body.data.id as string;
  }
});

async function signInAsOwner(userId: string): Promise<Caller> {
  const person = await createPerson(service.app, { roles: { [userId]: 'Owner' }, isOperator: true });
  return (await signIn(service.app, person, userId)).api;
}
async function asLastOwner(send: (by: Caller, personId: string) => Promise<Answer>) {
  const by = await signInAsOwner((await service.createUser()).userId);
  return send(by, (await by.get('/members')).body.data[0].personId as string);
}
const ownerOnStarter = async () => signInAsOwner((await service.createUser('Starter')).userId);

const unsafeButtons = [{ title: 'Win', link: 'https://unsafe.example.net/' }];
const landing = (landingButtons: object[]) => ({
  configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' },
  landing: {},
  landingButtons,
});

type Answer = Awaited<ReturnType<Caller['call']>>;
/** Every example of a failure in the document. */
function documentedFailures() {
  return reference.operations.flatMap((operation) =>
    Object.keys(operation.operation.responses)
      .map(Number)
      .filter((status) => status >= 400)
      .flatMap((status) =>
        Object.entries(
          reference.responseOf(operation, status)!.response.content!['application/json']!.examples,
        ).map(([name, { value }]) => ({
          operation,
          status,
          name,
          code: (value as { error: { code: ErrorCode } }).error.code,
        })),
      ),
  );
}

// No request causes these: faults of the service, and dependencies that are down, which other tests stop.
const NOT_TO_BE_HAD: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

const createWebhook = (body: object = {}) =>
  api.post('/webhooks', { url: 'https://hooks.example.org/', eventTypes: ['smartlink.unsafe'], ...body });

async function callerWithScopes(...scopes: readonly string[]): Promise<Caller> {
  const { userId, apiKey } = await service.createUser();
  await service.app.pg.query('update api_keys set scopes = $2 where user_id = $1', [userId, scopes]);
  return caller(service.app, apiKey);
}

const bulk = (operations: readonly object[], by = api, headers = {}) =>
  by.post('/smartlink/bulk', { operations }, headers);

/** What brings about the failures that one operation has, by the names of their examples. */
const REQUESTS: Record<string, Record<string, () => Promise<Answer>>> = {
  updateAccount: { noName: () => owner.patch('/account', {}) },
  createInvitation: {
    faults: () => owner.post('/members', { email: 'ann', role: 'Boss' }),
    tooMany: async () => {
      const { userId } = await service.createUser();
      const by = await signInAsOwner(userId);
      await service.app.pg.query(
        `insert into one_time_links (token_sha256, purpose, email, user_id, role, expires_at)
         select sha256(n::text::bytea), 'invite', n || '@example.org', $1, 'Viewer', now() + interval '1 hour'
         from generate_series(1, 199) as n`,
        [userId],
      );
      return by.post('/members', { email: 'new@example.org', role: 'Viewer' });
    },
    member: async () => {
      const { data } = (await owner.get('/members')).body as { data: { email: string }[] };
      return owner.post('/members', { email: data[0]!.email.toUpperCase(), role: 'Viewer' });
    },
  },
  updateMember: {
    lastOwner: () => asLastOwner((by, personId) => by.patch('/members', { personId, role: 'Editor' })),
  },
  removeMember: {
    lastOwner: () => asLastOwner((by, personId) => by.delete('/members', { personId })),
  },
  listChanges: { day: () => owner.get('/audit?from=2026-02-30') },
  ...domainFailures({ service, dns, api: () => api, guardedApi: () => guardedApi, starter: () => starter }),
  ...mediaFailures({ service, api: () => api }),
  ...importFailures({ service, api: () => api, owner: () => owner, signInAsOwner }),
  listKeys: { cursor: () => owner.get('/keys?cursor=x') },
  createKey: {
    faults: () =>
      owner.post('/keys', {
        name: 'x',
        scopes: [],
        expiresAt: '2026-01-01T00:00:00Z',
        allowedNetworks: ['10.0.0.0/33'],
      }),
    scope: () => owner.post('/keys', { name: 'x', scopes: ['links'] }),
    tooMany: async () => {
      const { userId } = await service.createUser();
      for (let i = 1; i < 50; i += 1) await addKey(service.app, userId);
      return (await signInAsOwner(userId)).post('/keys', { name: 'x' });
    },
    planRestricted: async () => (await ownerOnStarter()).post('/keys', { name: 'x', scopes: ['links:read'] }),
  },
  updateKey: {
    planRestricted: async () =>
      (await ownerOnStarter()).patch('/keys', { id: randomUUID(), scopes: ['links:read'] }),
  },
  rotateKey: {
    expired: async () => {
      const { userId } = await service.createUser();
      await service.app.pg.query('update api_keys set expires_at = now() where user_id = $1', [userId]);
      const by = await signInAsOwner(userId);
      return by.post('/keys/rotate', { id: (await by.get('/keys')).body.data[0].id });
    },
    grace: () => owner.post('/keys/rotate', { id: 'x', graceSeconds: 604_801 }),
  },
  readCurrentKey: {
    session: () => owner.get('/keys/current'),
  },
  ...failuresOfOperators(() => ({ app: service.app, owner, email: user.email, userId: user.userId, id })),
  createSmartlink: {
    faults: () => {
      const body = urlSmartlink({ smartlinkUrl: 'not-latin' }, {}, { openGraph: { imageUrl: 'x' } });
      return api.post('/smartlink', body);
    },
    notJson: () => api.post('/smartlink', '{'),
    domain: () => api.post('/smartlink', urlSmartlink({ domain: 'no-such.example.org' })),
    folder: () => api.post('/smartlink', urlSmartlink({}, {}, { folderId: randomUUID() })),
    externalIdTaken: async () => {
      const body = urlSmartlink({}, {}, { externalId: 'taken' });
      await api.post('/smartlink', body);
      return api.post('/smartlink', body);
    },
    reserved: () => api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Dashboard' })),
    subscriptionLimitReached: () => starter.post('/smartlink', urlSmartlink()),
    smartlinkUrlTaken: () => api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Errors' })),
    idempotencyKeyReused: async () => {
      const key = { 'idempotency-key': randomUUID() };
      await api.post('/smartlink', urlSmartlink(), key);
      return api.post('/smartlink', urlSmartlink({ smartlinkName: 'Another' }), key);
    },
    unsafeUrl: () => guardedApi.post('/smartlink', urlSmartlink({}, { url: 'https://unsafe.example.net/' })),
  },
  readSmartlinks: {
    parameters: () => api.get('/smartlink?limit=0&status=Gone'),
    emptyId: () => api.get('/smartlink?id='),
  },
  previewSmartlink: { neither: () => owner.post('/smartlink/preview', {}) },
  updateSmartlink: {
    faults: () => api.patch('/smartlink', { id, configuration: { smartlinkName: null } }),
    smartlinkUrlTaken: async () => {
      const { id: other } = await createSmartlink(api);
      const patch = { id: other, configuration: { smartlinkUrl: 'errors' } };
      return api.patch('/smartlink', patch);
    },
    preconditionFailed: () => api.patch('/smartlink', { id }, { 'if-match': '"0"' }),
    tags: () => api.patch('/smartlink', { id, tags: [], addTags: ['Spring'] }),
    externalIdTaken: async () => {
      await createSmartlink(api, urlSmartlink({}, {}, { externalId: 'in use' }));
      return api.patch('/smartlink', { id, externalId: 'in use' });
    },
    unsafeUrl: async () => {
      const page = (await createSmartlink(api, landing([]))).id;
      return guardedApi.patch('/smartlink', { id: page, landingButtons: unsafeButtons });
    },
  },
  ...failuresOfNamed(
    () => ({ app: service.app, api, newUser: service.createUser }),
    'Tag',
    '/tags',
    'tags',
    1_000,
  ),
  ...failuresOfNamed(
    () => ({ app: service.app, api, newUser: service.createUser }),
    'Folder',
    '/folders',
    'folders',
    500,
  ),
  ...failuresOfNamed(
    () => ({ app: service.app, api, newUser: service.createUser }),
    'UtmTemplate',
    '/utm-templates',
    'utm_templates',
    500,
    { utm: { source: 'mail' } },
  ),
  mergeTags: {
    same: () => api.post('/tags/merge', { fromId: id, intoId: id }),
  },
  setSmartlinkStatus: {
    status: () => api.post('/smartlink/status', { id, status: 'Deleted' }),
    unsafeUrl: async () => {
      const page = (await createSmartlink(api, landing(unsafeButtons))).id;
      await api.post('/smartlink/status', { id: page, status: 'Paused' });
      return guardedApi.post('/smartlink/status', { id: page, status: 'Active' });
    },
  },
  bulkSmartlinks: {
    operation: () => bulk([{ create: urlSmartlink() }, { create: {}, delete: {} }]),
    empty: () => bulk([]),
    tooMany: () => bulk(Array.from({ length: 101 }, () => ({ create: {} }))),
    notCreate: async () => bulk([{ delete: { smartlinkId: id } }], await callerWithScopes('links:create')),
    planRestricted: () => bulk([{ delete: { smartlinkId: starterId } }], starter),
    idempotencyKeyReused: async () => {
      const key = { 'idempotency-key': randomUUID() };
      await bulk([{ create: urlSmartlink() }], api, key);
      return bulk([{ create: {} }], api, key);
    },
  },
  readAnalytics: {
    range: () => api.get(`/smartlink/analytics?id=${id}&from=2026-03-02&to=2026-03-01`),
    parameters: () => api.get(`/smartlink/analytics?id=${id}&from=2026-02-30&tz=Nowhere`),
    planRestricted: () => starter.get(`/smartlink/analytics?id=${starterId}&interval=hour`),
  },
  readAccountAnalytics: {
    compare: () => api.get('/analytics?compare=previous'),
    planRestricted: () => starter.get('/analytics?format=csv'),
  },
  readBreakdown: {
    by: () => api.get('/analytics/breakdown'),
    button: () => api.get('/analytics/breakdown?by=button'),
    planRestricted: () => starter.get('/analytics/breakdown?by=hourOfWeek'),
  },
  readRealtime: {
    country: () => api.get('/analytics/realtime?country='),
    planRestricted: () => starter.get('/analytics/realtime'),
  },
  readReference: { methodNotAllowed: () => api.call('PUT', '/openapi.json') },
  drawQrCode: {
    parameters: () => api.get(`/smartlink/qr?id=${id}&format=gif&size=1`),
    contrast: () => api.get(`/smartlink/qr?id=${id}&color=%23fff`),
  },
  resolveVisit: {
    country: () => api.get(`/smartlink/resolve?id=${id}&country=XK`),
  },
  createWebhook: {
    faults: () => createWebhook({ url: 'http://192.168.1.1/', eventTypes: [] }),
    tooMany: async () => {
      let answer = await createWebhook();
      for (let i = 0; i < 20 && answer.status === 201; i += 1) answer = await createWebhook();
      await service.app.pg.query('delete from webhooks');
      return answer;
    },
  },
  updateWebhook: {
    url: async () => {
      const created = await createWebhook();
      return api.patch('/webhooks', { id: created.body.data.id, url: 'http://localhost/' });
    },
  },
  testWebhook: {
    disabled: async () => {
      const { data } = (await createWebhook()).body;
      await api.patch('/webhooks', { id: data.id, isEnabled: false });
      return api.post('/webhooks/test', { id: data.id });
    },
  },
  listWebhookDeliveries: {
    parameters: () => api.get('/webhooks/deliveries?status=Gone'),
  },
};

let clients = 0;
/** Headers of a client of its own: one may send 60 unknown keys a minute. */
function fromElsewhere() {
  clients += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(clients / 250)}.${(clients % 250) + 1}` };
}

/** What brings about those that many operations have. */
const USUAL_REQUESTS: Record<string, (operation: Operation) => Promise<Answer>> = {
  malformedKey: (operation) => callWith(caller(service.app, 'nonsense'), operation),
  unknownKey: async (operation) => {
    const { apiKey, userId } = await service.createUser();
    await service.app.pg.query('delete from api_keys where user_id = $1', [userId]);
    return callWith(caller(service.app, apiKey), operation, undefined, fromElsewhere());
  },
  endedSession: (operation) =>
    callWith(callerWith(service.app, { ...sessionHeaders(createToken()), ...fromElsewhere() }), operation),
  confirmationRequired: async (operation) => {
    const person = await createPerson(service.app, { roles: { [user.userId]: 'Owner' }, isOperator: true });
    const { api: byPerson } = await signIn(service.app, person, user.userId);
    const confirmedLongAgo = `update sessions set confirmed_at = now() - interval '1 hour' where person_id = $1`;
    await service.app.pg.query(confirmedLongAgo, [person.personId]);
    const ids = { id: randomUUID(), keyId: randomUUID(), personId: randomUUID(), accountId: randomUUID() };
    return callWith(
      byPerson,
      operation,
      JSON.stringify({ ...ids, name: 'x', email: 'new@example.org', role: 'Viewer' }),
    );
  },
  forbidden: async (operation) => callWith(await callerWithScopes(), operation),
  rateLimited: async (operation) => {
    const { apiKey, userId } = await service.createUser('Starter');
    await redisOf(service.app).hset(`${service.databases.redisKeyPrefix}usage:${userId}`, { requests: 60 });
    // While Redis takes longer than 100 ms nothing is counted.
    return until(async () => {
      const answer = await callWith(caller(service.app, apiKey), operation);
      return answer.status === 429 && answer;
    }, 'the limit holds');
  },
  payloadTooLarge: (operation) => callWith(callerOf(operation), operation, `"${'a'.repeat(1024 * 1024)}"`),
  missingId: (operation) =>
    callWith(callerOf(operation), operation, operation.method === 'GET' ? undefined : '{}'),
  notFound: (operation) => {
    const unknown = randomUUID();
    if (operation.method === 'GET')
      return callWith(callerOf(operation), { ...operation, path: `${operation.path}?id=${unknown}` });
    const names =
      'id smartlinkId webhookId deliveryId keyId personId tagId folderId fromId templateId mediaId domainId'.split(
        ' ',
      );
    const ids = Object.fromEntries(names.map((name) => [name, unknown]));
    const rest = { intoId: randomUUID(), status: 'Paused', role: 'Viewer', name: 'Unknown', patch: {} };
    return callWith(callerOf(operation), operation, JSON.stringify({ ...ids, ...rest }));
  },
  unsupportedMediaType: (operation) =>
    callWith(callerOf(operation), operation, '{}', { 'content-type': 'text/plain' }),
};

const callerOf = (operation: Operation): Caller => (isForPersons(operation) ? owner : api);

function callWith(by: Caller, { method, path }: Operation, body?: string, headers = {}): Promise<Answer> {
  return by.call(method, path.replace('/api/v1', ''), body, headers);
}

test('every example of a failure is what a request gets: status, error and headers, by the documented schema', async () => {
  const failures = documentedFailures().filter(({ code }) => !NOT_TO_BE_HAD.has(code));
  expect(failures.length).toBeGreaterThan(50);
  const produced = new Set<ErrorCode>();
  for (const { operation, status, name, code } of failures) {
    const { operationId } = operation.operation;
    const request = REQUESTS[operationId]?.[name] ?? (() => USUAL_REQUESTS[name]?.(operation));
    const answer = await request();
    expect([operationId, name, answer?.status]).toEqual([operationId, name, status]);
    const { response } = reference.responseOf(operation, status)!;
    const example = response.content!['application/json']!.examples[name]!.value as { error: object };
    expect([operationId, name, answer!.body.error]).toEqual([operationId, name, example.error]);
    expect(reference.faultsOfAnswer(operation, status, answer!.body)).toEqual([]);
    const always = reference.headersOf(response, 'always');
    expect(Object.keys(answer!.headers)).toEqual(expect.arrayContaining(always));
    produced.add(code);
  }
  // And no code that can be had is without an example; GONE is of sign-in, which the document does not describe.
  const missing = ERROR_CODES.filter(
    (code) => code !== 'GONE' && !produced.has(code) && !NOT_TO_BE_HAD.has(code),
  );
  expect(missing).toEqual([]);
}, 180_000);

test('the failures that no request brings about are documented with their code, message and status', () => {
  const failures = documentedFailures().filter(({ code }) => NOT_TO_BE_HAD.has(code));
  expect(new Set(failures.map(({ code }) => code))).toEqual(NOT_TO_BE_HAD);
  for (const { operation, status, name, code } of failures) {
    const { content } = reference.responseOf(operation, status)!.response;
    const { error } = content!['application/json']!.examples[name]!.value as { error: object };
    const { message, status: usual } = new ApiError(code);
    expect([status, error]).toEqual([usual, expect.objectContaining({ code, message })]);
  }
});

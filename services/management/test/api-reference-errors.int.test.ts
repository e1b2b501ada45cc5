import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { ERROR_CODES } from '../src/api-reference/failures.js';
import { ApiError } from '../src/errors.js';
import type { ErrorCode } from '../src/errors.js';
import type { UrlSafety } from '../src/url-safety/url-safety.js';
import { readReference } from './api-reference-document.js';
import type { ApiReference, Operation } from './api-reference-document.js';
import { caller, startServiceOn, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';
import { webhookFailures } from './webhook-failures.js';

let service: TestService;
let api: Caller;
let reference: ApiReference;
/** Of the user of `api`. */
let id: string;
let starter: Caller;
let starterId: string;
/** Of the same user and data, with a URL safety provider that knows one bad host. */
let guarded: TestService['app'];
let guardedApi: Caller;

beforeAll(async () => {
  let user: TestUser;
  ({ service, api, user } = await startServiceWithUser());
  ({ app: guarded } = await startServiceOn(service.databases, {}, UNSAFE_HOST));
  guardedApi = caller(guarded, user.apiKey);
  reference = await readReference(service.app);
  id = (await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'errors' }))).body.data.id as string;
  starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (let i = 0; i < 3; i += 1) {
    starterId = (await starter.post('/smartlink', urlSmartlink())).body.data.id as string;
  }
});
afterAll(async () => {
  await guarded.close();
  await service.close();
});

const UNSAFE_HOST: UrlSafety = {
  check: (urls) =>
    Promise.resolve({
      unsafe: urls.filter(({ url }) => url.includes('unsafe.example.net')),
      isChecked: true,
    }),
};
const unsafeButtons = [{ title: 'Win', link: 'https://unsafe.example.net/' }];
const landing = (landingButtons: object[]) => ({
  configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' },
  landing: {},
  landingButtons,
});

type Answer = Awaited<ReturnType<Caller['call']>>;
type Documented = {
  readonly operation: Operation;
  readonly status: number;
  readonly name: string;
  readonly code: ErrorCode;
};

/** Every example of a failure in the document. */
function documentedFailures(): Documented[] {
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

// What no request can bring about: faults of ours, and dependencies that are away, which other tests stop.
const NOT_TO_BE_HAD: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

const withoutAddress = () => urlSmartlink();

const bulk = (operations: readonly object[], by = api, headers = {}) =>
  by.post('/smartlink/bulk', { operations }, headers);

/** What brings about the failures that one operation has, by the names of their examples. */
const REQUESTS: Record<string, Record<string, () => Promise<Answer>>> = {
  ...webhookFailures(() => api),
  createSmartlink: {
    faults: () =>
      api.post(
        '/smartlink',
        urlSmartlink({ smartlinkUrl: 'not-latin' }, {}, { openGraph: { imageUrl: 'x' } }),
      ),
    notJson: () => api.post('/smartlink', '{'),
    reserved: () => api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Dashboard' })),
    subscriptionLimitReached: () => starter.post('/smartlink', withoutAddress()),
    smartlinkUrlTaken: () => api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'Errors' })),
    idempotencyKeyReused: async () => {
      const key = { 'idempotency-key': randomUUID() };
      await api.post('/smartlink', withoutAddress(), key);
      return api.post('/smartlink', urlSmartlink({ smartlinkName: 'Another' }), key);
    },
    unsafeUrl: () => guardedApi.post('/smartlink', urlSmartlink({}, { url: 'https://unsafe.example.net/' })),
  },
  readSmartlinks: {
    parameters: () => api.get('/smartlink?limit=0&status=Gone'),
    emptyId: () => api.get('/smartlink?id='),
    notFound: () => api.get(`/smartlink?id=${randomUUID()}`),
  },
  updateSmartlink: {
    faults: () => api.patch('/smartlink', { id, configuration: { smartlinkName: null } }),
    missingId: () => api.patch('/smartlink', {}),
    notFound: () => api.patch('/smartlink', { id: randomUUID() }),
    smartlinkUrlTaken: async () => {
      const other = await api.post('/smartlink', withoutAddress());
      const patch = { id: other.body.data.id as string, configuration: { smartlinkUrl: 'errors' } };
      return api.patch('/smartlink', patch);
    },
    preconditionFailed: () => api.patch('/smartlink', { id }, { 'if-match': '"0"' }),
    unsafeUrl: async () => {
      const page = (await api.post('/smartlink', landing([]))).body.data.id as string;
      return guardedApi.patch('/smartlink', { id: page, landingButtons: unsafeButtons });
    },
  },
  setSmartlinkStatus: {
    status: () => api.post('/smartlink/status', { id, status: 'Deleted' }),
    notFound: () => api.post('/smartlink/status', { id: randomUUID(), status: 'Paused' }),
    unsafeUrl: async () => {
      const page = (await api.post('/smartlink', landing(unsafeButtons))).body.data.id as string;
      await api.post('/smartlink/status', { id: page, status: 'Paused' });
      return guardedApi.post('/smartlink/status', { id: page, status: 'Active' });
    },
  },
  deleteSmartlink: {
    missingId: () => api.delete('/smartlink', { id }),
    notFound: () => api.delete('/smartlink', { smartlinkId: randomUUID() }),
  },
  bulkSmartlinks: {
    operation: () => bulk([{ create: urlSmartlink() }, { create: {}, delete: {} }]),
    empty: () => bulk([]),
    tooMany: () => bulk(Array.from({ length: 101 }, () => ({ create: {} }))),
    planRestricted: () => bulk([{ delete: { smartlinkId: starterId } }], starter),
    idempotencyKeyReused: async () => {
      const key = { 'idempotency-key': randomUUID() };
      await bulk([{ create: withoutAddress() }], api, key);
      return bulk([{ create: {} }], api, key);
    },
  },
  readAnalytics: {
    range: () => api.get(`/smartlink/analytics?id=${id}&from=2026-03-02&to=2026-03-01`),
    parameters: () => api.get(`/smartlink/analytics?id=${id}&from=2026-02-30&tz=Nowhere`),
    planRestricted: () => starter.get(`/smartlink/analytics?id=${starterId}&interval=hour`),
    notFound: () => api.get(`/smartlink/analytics?id=${randomUUID()}`),
  },
  readReference: {
    methodNotAllowed: () => api.call('PUT', '/openapi.json'),
  },
  drawQrCode: {
    parameters: () => api.get(`/smartlink/qr?id=${id}&format=gif&size=1`),
    contrast: () => api.get(`/smartlink/qr?id=${id}&color=%23fff`),
    notFound: () => api.get(`/smartlink/qr?id=${randomUUID()}`),
  },
  resolveVisit: {
    country: () => api.get(`/smartlink/resolve?id=${id}&country=XK`),
    missingId: () => api.get('/smartlink/resolve'),
    notFound: () => api.get(`/smartlink/resolve?id=${randomUUID()}`),
  },
};

/** What brings about those that every operation has. */
const USUAL_REQUESTS: Record<string, (operation: Operation) => Promise<Answer>> = {
  malformedKey: (operation) => callWith(caller(service.app, 'nonsense'), operation),
  unknownKey: async (operation) => {
    const { apiKey, userId } = await service.createUser();
    await service.app.pg.query('delete from api_keys where user_id = $1', [userId]);
    return callWith(caller(service.app, apiKey), operation);
  },
  rateLimited: async (operation) => {
    const { apiKey, userId } = await service.createUser('Starter');
    await service.app.redis.set(`${service.databases.redisKeyPrefix}rate:${userId}`, 60, 'PX', 60_000);
    // While Redis takes longer than 100 ms nothing is counted.
    return until(async () => {
      const answer = await callWith(caller(service.app, apiKey), operation);
      return answer.status === 429 && answer;
    }, 'the limit holds');
  },
  payloadTooLarge: (operation) => callWith(api, operation, `"${'a'.repeat(1024 * 1024)}"`),
  unsupportedMediaType: (operation) => callWith(api, operation, '{}', { 'content-type': 'text/plain' }),
};

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
  // And no code that can be had is without an example.
  const missing = ERROR_CODES.filter((code) => !produced.has(code) && !NOT_TO_BE_HAD.has(code));
  expect(missing).toEqual([]);
});

test('a method that a path does not take is answered as the document has it', async () => {
  const answer = await api.call('PUT', '/smartlink');
  const response = reference.document.components.responses['MethodNotAllowed']!;
  const [example] = Object.values(response.content!['application/json']!.examples);
  expect(answer.status).toBe(405);
  expect(answer.body.error).toEqual((example!.value as { error: object }).error);
  expect(
    reference.faultsAt(
      '#/components/responses/MethodNotAllowed/content/application~1json/schema',
      answer.body,
    ),
  ).toEqual([]);
  expect(Object.keys(answer.headers)).toEqual(
    expect.arrayContaining(reference.headersOf(response, 'always')),
  );
});

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

test('every operation that needs a key documents a missing key, too many requests and faults of ours', () => {
  for (const { operation } of reference.operations) {
    const statuses = Object.keys(operation.responses);
    if (operation.security?.length === 0) expect(statuses).toEqual(['200', '304', '405']);
    else expect(statuses).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
  }
});

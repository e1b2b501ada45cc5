import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

// management-api.md, Response envelope and Errors: what every answer has, and nothing beside it.

let service: TestService;
let api: Caller;
let starter: Caller;
let id: string;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  starter = caller(service.app, (await service.createUser('Starter')).apiKey);
  for (let i = 0; i < 3; i += 1) await starter.post('/smartlink', urlSmartlink());
  id = (await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'taken' }))).body.data.id as string;
});
afterAll(() => service.close());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
type Answer = Awaited<ReturnType<Caller['get']>>;

function expectCommon({ headers, body }: Answer): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(body.timestamp).toMatch(TIME);
}

describe('a success', () => {
  const isObject = (data: unknown) => typeof data === 'object' && data !== null && !Array.isArray(data);
  const cases: [string, number, (data: unknown) => boolean, () => Promise<Answer>][] = [
    ['validate', 200, (data) => data === null, () => api.get('/validate')],
    ['list', 200, Array.isArray, () => api.get('/smartlink')],
    ['fetch', 200, isObject, () => api.get(`/smartlink?id=${id}`)],
    ['create', 201, isObject, () => api.post('/smartlink', urlSmartlink())],
    ['patch', 200, isObject, () => api.patch('/smartlink', { id })],
    ['status', 200, isObject, () => api.post('/smartlink/status', { id, status: 'Active' })],
    ['analytics', 200, isObject, () => api.get(`/smartlink/analytics?id=${id}`)],
    ['resolve', 200, isObject, () => api.get(`/smartlink/resolve?id=${id}`)],
    ['summary', 200, isObject, () => api.get('/analytics/summary')],
    [
      'delete',
      200,
      (data) => data === null,
      async () => {
        const { body } = await api.post('/smartlink', urlSmartlink());
        return api.delete('/smartlink', { smartlinkId: body.data.id });
      },
    ],
  ];

  test.each(cases)(
    'of %s is %i with success, message, data and timestamp',
    async (_name, status, fits, call) => {
      const answer = await call();
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.body as object).sort()).toEqual(['data', 'message', 'success', 'timestamp']);
      expect(answer.body.success).toBe(true);
      expect(answer.body.message).toMatch(/^[A-Z][A-Za-z ]+$/);
      expect(fits(answer.body.data)).toBe(true);
      expectCommon(answer);
    },
  );
});

describe('a failure', () => {
  const cases: [number, string, string, boolean, () => Promise<Answer>][] = [
    [400, 'VALIDATION_FAILED', 'Request validation failed', true, () => api.post('/smartlink', {})],
    [400, 'VALIDATION_FAILED', 'Request validation failed', true, () => api.post('/smartlink', '{')],
    [400, 'VALIDATION_FAILED', 'Request validation failed', true, () => api.get('/smartlink?limit=0')],
    [401, 'UNAUTHORIZED', 'Invalid API key format', false, () => caller(service.app, 'x').get('/validate')],
    [
      403,
      'SUBSCRIPTION_LIMIT_REACHED',
      'Subscription limit reached',
      false,
      () => starter.post('/smartlink', urlSmartlink()),
    ],
    [
      403,
      'PLAN_RESTRICTED',
      'Your plan does not include this',
      false,
      async () => {
        const [own] = (await starter.get('/smartlink')).body.data as { id: string }[];
        return starter.get(`/smartlink/analytics?id=${own!.id}&interval=hour`);
      },
    ],
    [404, 'NOT_FOUND', 'Smartlink not found', false, () => api.get('/smartlink?id=x')],
    [404, 'NOT_FOUND', 'Smartlink not found', false, () => api.delete('/smartlink', { smartlinkId: 'x' })],
    [404, 'NOT_FOUND', 'Route not found', false, () => api.get('/nothing')],
    [405, 'METHOD_NOT_ALLOWED', 'Method not allowed', false, () => api.call('PUT', '/smartlink')],
    [
      409,
      'SMARTLINK_URL_TAKEN',
      'Smartlink URL is already taken',
      true,
      () => api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'TAKEN' })),
    ],
    [
      412,
      'PRECONDITION_FAILED',
      'The smartlink has changed since it was read',
      false,
      () => api.patch('/smartlink', { id }, { 'if-match': '"0"' }),
    ],
    [
      413,
      'PAYLOAD_TOO_LARGE',
      'Request body is too large',
      false,
      () => api.post('/smartlink', ' '.repeat(1024 * 1024 + 1)),
    ],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Type must be application/json',
      false,
      () => api.post('/smartlink', 'x', { 'content-type': 'text/plain' }),
    ],
  ];

  test.each(cases)('of %i %s says "%s" and nothing more', async (status, code, message, hasDetails, call) => {
    const answer = await call();
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      status,
      code,
      message,
    ]);
    expect(Object.keys(answer.body as object).sort()).toEqual(['error', 'success', 'timestamp']);
    expect(answer.body.success).toBe(false);
    const members = Object.keys(answer.body.error as object).sort();
    expect(members).toEqual(hasDetails ? ['code', 'details', 'message'] : ['code', 'message']);
    for (const detail of (answer.body.error.details ?? []) as object[]) {
      expect(detail).toEqual({ path: expect.any(String) as string, message: expect.any(String) as string });
    }
    expectCommon(answer);
  });
});

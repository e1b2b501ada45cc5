import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, caller, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';

// Reliability goal S1: two users, all endpoints, all places for an id.

let service: TestService;
let owner: TestUser;
let ownerApi: Caller;
let strangerApi: Caller;
let activeId: string;
let deletedId: string;

beforeAll(async () => {
  ({ service, user: owner, api: ownerApi } = await startServiceWithUser());
  strangerApi = caller(service.app, (await service.createUser()).apiKey);
  const secret = urlSmartlink(
    { smartlinkName: 'TopSecretName' },
    { url: 'https://topsecret.example.net/', protected: true, password: 'TopSecretPassword' },
    { openGraph: { title: 'TopSecretTitle' } },
  );
  activeId = (await ownerApi.post('/smartlink', secret)).body.data.id as string;
  deletedId = (await ownerApi.post('/smartlink', secret)).body.data.id as string;
  await ownerApi.delete('/smartlink', { smartlinkId: deletedId });
  await addEvents(
    service.app,
    [activeId, deletedId].map((id) => makeEventRow(owner.userId, id, { country: 'AZ' })),
  );
});
afterAll(() => service.close());

type Call = (api: Caller, id: string) => ReturnType<Caller['get']>;

const CALLS: [string, Call][] = [
  ['fetch', (api, id) => api.get(`/smartlink?id=${id}`)],
  ['analytics', (api, id) => api.get(`/smartlink/analytics?id=${id}`)],
  [
    'analytics with a range',
    (api, id) => api.get(`/smartlink/analytics?id=${id}&from=2026-01-01&interval=hour`),
  ],
  ['analytics as CSV', (api, id) => api.get(`/smartlink/analytics?id=${id}&format=csv`)],
  ['patch', (api, id) => api.patch('/smartlink', { id, configuration: { smartlinkName: 'Mine' } })],
  ['patch that changes nothing', (api, id) => api.patch('/smartlink', { id })],
  ['patch with faults', (api, id) => api.patch('/smartlink', { id, shortener: { url: 'x' } })],
  ['patch with If-Match', (api, id) => api.patch('/smartlink', { id }, { 'if-match': '"1"' })],
  ['delete', (api, id) => api.delete('/smartlink', { smartlinkId: id })],
];

test.each(CALLS)(
  '%s: a foreign id, live or deleted, is answered as an unknown one, byte for byte',
  async (_name, call) => {
    const unknown = await call(strangerApi, randomUUID());
    expect(unknown.status).toBe(404);
    for (const id of [activeId, deletedId, activeId.toUpperCase(), `${activeId} `, 'x']) {
      const foreign = await call(strangerApi, encodeURIComponent(id));
      expect([foreign.status, comparable(foreign)]).toEqual([404, comparable(unknown)]);
    }
  },
);

/** All of an answer but the time, the request's id, and the limit's count, which moves with every call. */
function comparable({ headers, text }: { headers: object; text: string }) {
  const {
    date: _date,
    'x-request-id': _id,
    'ratelimit-remaining': _count,
    'ratelimit-reset': _reset,
    ...rest
  } = headers as Record<string, unknown>;
  return { headers: rest, text: text.replace(/"timestamp":"[^"]+"/, '') };
}

test('list and summary hold nothing of anybody else', async () => {
  for (const path of ['/smartlink', '/smartlink?status=all', '/smartlink?q=secret', '/analytics/summary']) {
    const { status, text } = await strangerApi.get(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(/TopSecret|topsecret/);
    expect(text).not.toContain(owner.userId);
    expect(text).not.toContain(activeId);
  }
});

test('nothing the stranger tried has changed anything', async () => {
  const { body } = await ownerApi.get(`/smartlink?id=${activeId}`);
  expect(body.data).toMatchObject({
    status: 'Active',
    userId: owner.userId,
    configuration: { smartlinkName: 'TopSecretName' },
    shortener: { url: 'https://topsecret.example.net/', protected: true },
  });
});

test('an answer never holds a password, and no log line holds a password, a key or a destination', async () => {
  for (const path of ['/smartlink?status=all', `/smartlink?id=${activeId}`, '/analytics/summary']) {
    expect((await ownerApi.get(path)).text).not.toMatch(/TopSecretPassword|argon2|password/i);
  }
  const log = service.logLines.join('');
  expect(log).not.toMatch(/TopSecret|topsecret|argon2/);
  expect(log).not.toContain(owner.apiKey.slice(0, 20));
});

test('members that only the service sets are ignored on create', async () => {
  const { body } = await ownerApi.post('/smartlink', {
    ...urlSmartlink(),
    id: 'x',
    userId: 'x',
    status: 'Deleted',
    type: 'App',
    relink: 'x',
    version: 9,
    createdAt: '2000-01-01T00:00:00.000Z',
    updatedAt: '2000-01-01T00:00:00.000Z',
    analytics: { totalClicks: 9 },
  });
  expect(body.data).toMatchObject({ status: 'Active', type: 'Url', userId: owner.userId });
  expect(body.data.analytics.totalClicks).toBe(0);
  expect(body.data.createdAt > '2026').toBe(true);
});

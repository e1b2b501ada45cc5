import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createJob,
  createScriptedProvider,
  readChecks,
  readRecords,
  reasonAt,
  setDue,
} from './recheck-fixtures.js';
import { smartlink } from './smartlink-bodies.js';
import { caller, startService, startServiceOn, urlSmartlink } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';

// Owners who would keep an unsafe link live, or hold up the checks of others.

// A turn of the job begins when a test says so.
const NO_TIMER = { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' };
const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';

const provider = createScriptedProvider();
const { unsafe, refused, questions, outcomes } = provider;
let service: TestService;
let user: TestUser;
let api: Caller;
let rechecks: ReturnType<typeof createJob>;

beforeAll(async () => {
  service = await startService(NO_TIMER, provider);
  user = await service.createUser();
  api = caller(service.app, user.apiKey);
  rechecks = createJob(service, provider);
});
beforeEach(async () => {
  provider.reset();
  await service.app.pg.query(`update smartlinks set urls_check_due_at = now() + interval '1 day'`);
});
afterAll(() => service.close());

async function create(body: object): Promise<string> {
  const res = await api.post('/smartlink', body);
  expect(res.status).toBe(201);
  return res.body.data.id as string;
}
const createUrl = (url: string) => create(urlSmartlink({}, { url }));
const fetchOne = async (id: string) => api.get(`/smartlink?id=${id}`);
const setStatus = (id: string, status: string) => api.post('/smartlink/status', { id, status });
const rowOf = (id: string) => readChecks(service.app.pg, id);
async function makeDue(...ids: string[]): Promise<void> {
  await setDue(service.app.pg, ids);
  provider.forget();
}

/** Makes it due, and judges it. */
async function recheck(...ids: string[]): Promise<boolean> {
  await makeDue(...ids);
  return rechecks.runOnce();
}

test('a link that is renamed and moved about while it is judged is paused for the unsafe URL that stays', async () => {
  const id = await create(smartlink('App', {}, { appStoreLink: GOOD, fallBackLink: BAD }));
  unsafe.add(BAD);
  await makeDue(id);
  // Somebody else's rule: a URL that was there before is not shown to the provider again.
  provider.meanwhile = () =>
    api.patch('/smartlink', {
      id,
      configuration: { smartlinkName: 'Other', appStoreLink: BAD, fallBackLink: GOOD },
    });
  await rechecks.runOnce();
  const { data } = (await fetchOne(id)).body;
  expect([data.configuration.smartlinkName, data.status, data.pauseReason]).toEqual([
    'Other',
    'Paused',
    reasonAt('configuration.appStoreLink'),
  ]);
  expect((await readRecords(service.app.pg, id)).audited).toHaveLength(1);
  expect(outcomes).toEqual({ safe: 0, unsafe: 1, unchecked: 0, left: 0 });
});

test('a link paused by its owner while it is judged is left to them', async () => {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await makeDue(id);
  provider.meanwhile = () => setStatus(id, 'Paused');
  await rechecks.runOnce();
  const { data } = (await fetchOne(id)).body;
  expect([data.status, data.pauseReason, outcomes.left]).toEqual(['Paused', undefined, 1]);
});

test.each(['down', 'down and fail-closed'] as const)(
  'a link paused as unsafe does not go on while the provider is %s, and does when it judges it safe',
  async (state) => {
    const id = await createUrl(BAD);
    unsafe.add(BAD);
    await recheck(id);
    unsafe.clear();
    provider.state = state;
    const refusal = await setStatus(id, 'Active');
    expect([refusal.status, refusal.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await fetchOne(id)).body.data).toMatchObject({
      status: 'Paused',
      pauseReason: reasonAt('shortener.url'),
    });
    provider.state = 'up';
    expect((await setStatus(id, 'Active')).status).toBe(200);
    const row = await rowOf(id);
    expect([row.urls_checked_at === null, Math.round(row.due_in_seconds / 3_600)]).toEqual([false, 24]);
  },
);

test('a link paused by its owner goes on while the provider is down, and is judged at once when it is back', async () => {
  const id = await createUrl(GOOD);
  await setStatus(id, 'Paused');
  provider.state = 'down';
  expect((await setStatus(id, 'Active')).status).toBe(200);
  const row = await rowOf(id);
  expect([row.urls_checked_at, row.due_in_seconds <= 30]).toEqual([null, true]);
});

test('where the provider was taken away a link paused as unsafe may go on', async () => {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await recheck(id);
  const without = await startServiceOn(service.databases, NO_TIMER);
  try {
    const res = await caller(without.app, user.apiKey).post('/smartlink/status', { id, status: 'Active' });
    expect([res.status, res.body.data.status]).toEqual([200, 'Active']);
  } finally {
    await without.app.close();
  }
});

test.each(['up', 'up and fail-closed'] as const)(
  'a URL that the provider (%s) cannot judge puts off its own link alone, and the others are judged',
  async (state) => {
    const [good, odd, bad] = [await createUrl(GOOD), await createUrl(`${GOOD}odd`), await createUrl(BAD)];
    refused.add(`${GOOD}odd`);
    provider.state = state;
    unsafe.add(BAD);
    expect(await recheck(good, odd, bad)).toBe(true);
    expect(questions.map((urls) => urls.length)).toEqual([3, 1, 1, 1]);
    expect(outcomes).toEqual({ safe: 1, unsafe: 1, unchecked: 1, left: 0 });
    expect((await fetchOne(bad)).body.data.status).toBe('Paused');
    const { url_check_failures: failures, due_in_seconds: due } = await rowOf(odd);
    expect([failures, due > 10]).toEqual([1, true]);
  },
);

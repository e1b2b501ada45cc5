import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { takeDue } from '../src/smartlinks/rechecks/queries.js';
import {
  addDueLinks,
  addWebhook,
  countStatements,
  createJob,
  createScriptedProvider,
  readChecks,
  readRecords,
  reasonAt,
  setDue,
} from './recheck-fixtures.js';
import { item, menu, smartlink } from './smartlink-bodies.js';
import {
  caller,
  createSmartlink,
  startServiceOn,
  type TestService,
  urlSmartlink,
  useService,
} from './start-service.js';

// A turn of the job begins when a test says so.
const NO_TIMER = { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' };
const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';

const provider = createScriptedProvider();
const { unsafe, refused, questions, outcomes } = provider;
let rechecks: ReturnType<typeof createJob>;

const { service, user, api } = useService({ env: NO_TIMER, urlSafety: provider });
beforeAll(() => {
  rechecks = createJob(service, provider);
});
beforeEach(async () => {
  provider.reset();
  await service.app.pg.query(`update smartlinks set urls_check_due_at = now() + interval '1 day'`);
});

const create = async (body: object) => (await createSmartlink(api, body)).id;
const createUrl = (url: string) => create(urlSmartlink({}, { url }));
const fetchOne = async (id: string) => api.get(`/smartlink?id=${id}`);
const setStatus = (id: string, status: string) => api.post('/smartlink/status', { id, status });
const rowOf = (id: string) => readChecks(service.app.pg, id);
const addLinks = (links: number) => addDueLinks(service.app.pg, user.userId, links);
const removeLinks = (ids: readonly string[]) =>
  service.app.pg.query('delete from smartlinks where id = any($1)', [ids]);
async function makeDue(...ids: string[]): Promise<void> {
  await setDue(service.app.pg, ids);
  provider.forget();
}

async function expectPaused(id: string, path: string): Promise<void> {
  expect((await fetchOne(id)).body.data).toMatchObject({ status: 'Paused', pauseReason: reasonAt(path) });
}
/** Pauses a link with an unsafe URL, as the job does. */
async function createPaused(): Promise<string> {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await recheck(id);
  return id;
}

/** Makes it due, and judges it. */
async function recheck(...ids: string[]): Promise<boolean> {
  await makeDue(...ids);
  return rechecks.runOnce();
}

test('a later verdict pauses the link: fetch, list, audit log and webhook say why', async () => {
  await addWebhook(service.app.pg, user.userId);
  const id = await create(urlSmartlink({}, { url: GOOD }, { openGraph: { imageUrl: BAD } }));
  const before = await fetchOne(id);
  unsafe.add(BAD);
  expect(await recheck(id)).toBe(true);
  const reason = reasonAt('openGraph.imageUrl');
  const after = await fetchOne(id);
  const { updatedAt } = after.body.data;
  const paused = { status: 'Paused', pauseReason: reason, updatedAt };
  expect(after.body.data).toEqual({ ...before.body.data, ...paused });
  expect(updatedAt > before.body.data.updatedAt).toBe(true);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  const listed = await api.get('/smartlink?status=Paused');
  expect(listed.body.data[0]).toEqual(after.body.data);
  const { smartlinkUrl } = after.body.data.configuration;
  const { details } = reason;
  expect(await readRecords(service.app.pg, id)).toEqual({
    audited: [{ actor: 'url-safety', user_id: user.userId, details: { details } }],
    deliveries: [
      {
        event_type: 'smartlink.unsafe',
        data: expect.objectContaining({ smartlinkId: id, smartlinkUrl, status: 'Paused', details }),
      },
    ],
  });
  // Published by the job itself, unless that takes it too long.
  expect(provider.handedOver).toBe(1);
  const key = `${service.databases.redisKeyPrefix}link:${String(smartlinkUrl).toLowerCase()}`;
  const isPaused = async () => (await service.app.redis.get(key))?.includes('"status":"Paused"');
  await until(isPaused, 'the pause is published');
});

test('a link paused as unsafe is activated only when all its URLs are judged safe, and then has no pause reason', async () => {
  const id = await createPaused();
  const refusal = await setStatus(id, 'Active');
  expect([refusal.status, refusal.body.error.code]).toEqual([422, 'UNSAFE_URL']);
  await expectPaused(id, 'shortener.url');
  unsafe.clear();
  const { status, body } = await setStatus(id, 'Active');
  expect([status, body.data.status, body.data.pauseReason]).toEqual([200, 'Active', undefined]);
  expect((await setStatus(id, 'Paused')).body.data).not.toHaveProperty('pauseReason');
});

test('a link whose unsafe URL is patched away stays paused, without the reason; another patch leaves it', async () => {
  const id = await createPaused();
  const renamed = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Other' } });
  expect(renamed.body.data).toMatchObject({ status: 'Paused', pauseReason: reasonAt('shortener.url') });
  const { body } = await api.patch('/smartlink', { id, shortener: { url: GOOD } });
  expect([body.data.status, body.data.pauseReason]).toEqual(['Paused', undefined]);
  expect((await setStatus(id, 'Active')).status).toBe(200);
});

test('a link that is fine is due again within a day, and nothing else of it moves', async () => {
  const id = await createUrl(GOOD);
  await service.app.pg.query('update smartlinks set url_check_failures = 3 where id = $1', [id]);
  const before = await rowOf(id);
  await recheck(id);
  const after = await rowOf(id);
  expect([after.version, after.updated_at, after.url_check_failures]).toEqual([
    before.version,
    before.updated_at,
    0,
  ]);
  expect(after.urls_checked_at!.getTime()).toBeGreaterThan(before.urls_checked_at!.getTime());
  expect(after.due_in_seconds).toBeGreaterThan(19.9 * 3_600);
  expect(after.due_in_seconds).toBeLessThanOrEqual(24 * 3_600);
  expect(outcomes).toEqual({ safe: 1, unsafe: 0, unchecked: 0, left: 0 });
});

test('a link made while the provider is down is accepted, judged later, and paused if need be', async () => {
  provider.state = 'down';
  unsafe.add(BAD);
  const id = await createUrl(BAD);
  const fresh = await rowOf(id);
  expect(fresh.urls_checked_at).toBeNull();
  expect(fresh.due_in_seconds).toBeLessThanOrEqual(30);
  expect(await recheck(id)).toBe(false);
  const unchecked = await rowOf(id);
  expect([unchecked.urls_checked_at, unchecked.url_check_failures]).toEqual([null, 1]);
  expect((await fetchOne(id)).body.data.status).toBe('Active');
  provider.state = 'up';
  await recheck(id);
  await expectPaused(id, 'shortener.url');
});

test.each([
  [0, 30],
  [1, 60],
  [6, 1_920],
  [7, 3_600],
])('after %i failures in a row the next try comes in about %i s', async (failures, seconds) => {
  const id = await createUrl(GOOD);
  await service.app.pg.query('update smartlinks set url_check_failures = $2 where id = $1', [id, failures]);
  provider.state = 'down';
  await recheck(id);
  const { due_in_seconds: due, url_check_failures: next } = await rowOf(id);
  expect(due).toBeGreaterThan(seconds * 0.75 - 10);
  expect(due).toBeLessThan(seconds * 1.25);
  expect(next).toBe(Math.min(failures + 1, 7));
});

test('fail-closed a create is 503 and stores nothing, and what is stored is asked about again later', async () => {
  const id = await createUrl(GOOD);
  provider.state = 'down and fail-closed';
  const refusal = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'failclosed' }));
  expect([refusal.status, refusal.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const { rows } = await service.app.pg.query(`select from slugs where key = 'failclosed'`);
  expect(rows).toEqual([]);
  expect(await recheck(id)).toBe(false);
  expect(outcomes).toMatchObject({ unchecked: 1 });
  expect((await fetchOne(id)).body.data.status).toBe('Active');
});

test('a link whose unsafe URL was replaced during the check is checked again, and stays', async () => {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await makeDue(id);
  provider.meanwhile = () => api.patch('/smartlink', { id, shortener: { url: GOOD } });
  await rechecks.runOnce();
  // The patch asked for its own URL, in between.
  expect(questions).toEqual([[BAD], [GOOD], [GOOD]]);
  expect((await fetchOne(id)).body.data).toMatchObject({ status: 'Active', shortener: { url: GOOD } });
  expect(outcomes).toEqual({ safe: 1, unsafe: 0, unchecked: 0, left: 1 });
});

test('a verdict on the former URL of a link does not count for its new one', async () => {
  const id = await createUrl(GOOD);
  await makeDue(id);
  provider.meanwhile = async () => {
    await api.patch('/smartlink', { id, shortener: { url: BAD } });
    unsafe.add(BAD);
  };
  await rechecks.runOnce();
  await expectPaused(id, 'shortener.url');
});

test('deleted and paused links are not asked about', async () => {
  const [paused, deleted] = [await createUrl(BAD), await createUrl(BAD)];
  await setStatus(paused, 'Paused');
  await api.delete('/smartlink', { smartlinkId: deleted });
  unsafe.add(BAD);
  await recheck(paused, deleted);
  expect(questions).toEqual([]);
});

test('a link with hundreds of URLs is asked about in parts, and one unsafe at the very end is found', async () => {
  const items = Array.from({ length: 250 }, (_, i) => item({ imageLink: `${GOOD}${i}` }));
  const id = await create(menu({ categories: [{ name: 'C', items }] }));
  unsafe.add(`${GOOD}249`);
  await recheck(id);
  expect(questions.map((urls) => urls.length)).toEqual([100, 100, 50]);
  await expectPaused(id, 'qrMenu.categories.0.items.249.imageLink');
});

test('a thousand links are judged in five statements, and each once when two processes are at it', async () => {
  const ids = await addLinks(1_000);
  const before = await rowOf(ids[0]!);
  const { pool, statements } = countStatements(service.app.pg);
  await createJob(service, provider, pool).runOnce();
  // Twice those that are taken and those that are noted, and once that there are no more.
  expect(statements()).toBe(5);
  expect(questions.flat()).toHaveLength(1_000);
  const after = await rowOf(ids[0]!);
  expect([after.version, after.updated_at]).toEqual([before.version, before.updated_at]);

  await makeDue(...ids);
  provider.meanwhile = () => createJob(service, provider).runOnce();
  await rechecks.runOnce();
  expect(questions.flat().toSorted()).toEqual(ids.map((_, i) => `https://example.org/${i + 1}`).toSorted());
  await removeLinks(ids);
});

test('links taken by a killed process are taken by another after ten minutes', async () => {
  const id = await createUrl(GOOD);
  await makeDue(id);
  expect(await takeDue(service.app.pg, { limit: 10, bytes: 1_000 })).toMatchObject([{ id }]);
  await rechecks.runOnce();
  expect([questions, Math.round((await rowOf(id)).due_in_seconds / 60)]).toEqual([[], 10]);
  await recheck(id);
  expect(questions).toEqual([[GOOD]]);
});

test('a process that stops leaves what it has not judged to others, at once', async () => {
  const ids = await addLinks(150);
  const stopping = new AbortController();
  provider.meanwhile = () => {
    stopping.abort();
    return Promise.resolve();
  };
  await createJob(service, provider).runOnce(stopping.signal);
  expect(outcomes).toEqual({ safe: 100, unsafe: 0, unchecked: 0, left: 50 });
  await rechecks.runOnce();
  expect(outcomes.safe).toBe(150);
  await removeLinks(ids);
});

test('the service finds due links by itself and counts them; without a provider it does neither', async () => {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await makeDue(id);
  const metricsOf = async (app: TestService['app']) =>
    (await app.metrics.registry.metrics()).split('\n').filter((line) => line.includes('_url_'));
  expect(await metricsOf(service.app)).toContain('smartlink_url_checks_overdue 1');
  const without = await startServiceOn(service.databases, { SAFETY_RECHECK_INTERVAL_SECONDS: '1' });
  const own = await startServiceOn(service.databases, { SAFETY_RECHECK_INTERVAL_SECONDS: '1' }, provider);
  onTestFinished(async () => {
    await own.app.close();
    await without.app.close();
  });
  await until(async () => (await fetchOne(id)).body.data.status === 'Paused', 'the link is paused');
  await until(
    async () => (await metricsOf(own.app)).includes('smartlink_url_rechecks_total{outcome="unsafe"} 1'),
    'the metrics tell',
  );
  expect(await metricsOf(without.app)).toEqual([]);
});

// Owners who would keep an unsafe link live, or hold up the checks of others.

test('a link that is renamed and moved about while it is judged is paused for the unsafe URL that stays', async () => {
  const id = await create(smartlink('App', {}, { appStoreLink: GOOD, fallBackLink: BAD }));
  unsafe.add(BAD);
  await makeDue(id);
  // A patch does not submit URLs again that were there before.
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
    const id = await createPaused();
    unsafe.clear();
    provider.state = state;
    const refusal = await setStatus(id, 'Active');
    expect([refusal.status, refusal.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await expectPaused(id, 'shortener.url');
    provider.state = 'up';
    expect((await setStatus(id, 'Active')).status).toBe(200);
    const row = await rowOf(id);
    expect([row.urls_checked_at === null, Math.round(row.due_in_seconds / 3_600)]).toEqual([false, 24]);
  },
);

test('a link paused by its owner is activated while the provider is down, and is judged at once when it is back', async () => {
  const id = await createUrl(GOOD);
  await setStatus(id, 'Paused');
  provider.state = 'down';
  expect((await setStatus(id, 'Active')).status).toBe(200);
  const row = await rowOf(id);
  expect([row.urls_checked_at, row.due_in_seconds <= 30]).toEqual([null, true]);
});

test('a link paused as unsafe can be activated once no provider is configured', async () => {
  const id = await createPaused();
  const without = await startServiceOn(service.databases, NO_TIMER);
  onTestFinished(() => without.app.close());
  const res = await caller(without.app, user.apiKey).post('/smartlink/status', { id, status: 'Active' });
  expect([res.status, res.body.data.status]).toEqual([200, 'Active']);
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

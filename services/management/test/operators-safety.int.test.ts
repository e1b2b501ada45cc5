import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { createJob, createScriptedProvider, readChecks, reasonAt, setDue } from './recheck-fixtures.js';
import {
  addEvents,
  type Caller,
  createPerson,
  createSmartlink,
  faultsOf,
  PUBLIC_BASE_URL,
  signIn,
  startServiceOn,
  urlSmartlink,
  useService,
} from './start-service.js';

// What operators see of the installation: its health, and unsafe and unchecked links.

// A turn of the job begins when a test says so.
const NO_TIMER = { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' };
const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';

const provider = createScriptedProvider();
const { unsafe } = provider;
const { service, user, api } = useService({
  env: NO_TIMER,
  urlSafety: provider,
  // Other tests add visits of long ago to the shared one.
  clickhouse: 'own',
});
const pg = () => service.app.pg;
let operator: Caller;
let rechecks: ReturnType<typeof createJob>;

beforeAll(async () => {
  const person = await createPerson(service.app, { isOperator: true });
  operator = (await signIn(service.app, person, null)).api;
  rechecks = createJob(service, provider);
});
beforeEach(() => {
  provider.reset();
});

const createUrl = async (url: string) => (await createSmartlink(api, urlSmartlink({}, { url }))).id;
const fetchOne = (id: string) => api.get(`/smartlink?id=${id}`);
async function judgeDue(id: string): Promise<void> {
  await setDue(pg(), [id]);
  await rechecks.runOnce();
}
async function createPaused(): Promise<string> {
  const id = await createUrl(BAD);
  unsafe.add(BAD);
  await judgeDue(id);
  return id;
}
async function expectPaused(id: string): Promise<void> {
  const { data } = (await fetchOne(id)).body;
  expect(data).toMatchObject({ status: 'Paused', pauseReason: reasonAt('shortener.url') });
}

describe('the safety queue', () => {
  beforeEach(() => service.app.pg.query('delete from smartlinks'));

  type Queued = { smartlinkId: string; state: string; urls?: object[] };
  const listQueue = async (query = '') => (await operator.get(`/admin/safety${query}`)).body.data as Queued[];
  const judgeAgain = async (smartlinkId: string) => {
    const { status, body } = await operator.post('/admin/safety/recheck', { smartlinkId });
    return [status, body.data?.state ?? body.error.message] as const;
  };

  test('see the addresses of paused links and their unsafe URLs, and nothing else of them', async () => {
    const url = 'https://good.example.org/private';
    const { id, slug } = await createSmartlink(
      api,
      urlSmartlink({ smartlinkName: 'Private' }, { url }, { openGraph: { title: 'Private', imageUrl: BAD } }),
    );
    await createUrl(GOOD);
    expect(await listQueue()).toEqual([]);
    unsafe.add(BAD);
    await judgeDue(id);
    const res = await operator.get('/admin/safety');
    expect(res.body.data).toEqual([
      {
        smartlinkId: id,
        address: `${PUBLIC_BASE_URL}/${slug}`,
        account: { id: user.userId, email: user.email },
        state: 'unsafe',
        urls: [{ path: 'openGraph.imageUrl', url: BAD }],
      },
    ]);
    expect(res.text).not.toMatch(/private/i);
    unsafe.clear();
    await api.post('/smartlink/status', { id: await createPaused(), status: 'Paused' });
    await api.delete('/smartlink', { smartlinkId: id });
    expect(await listQueue()).toHaveLength(1);
  });

  test('see links that no provider has judged, page by page', async () => {
    provider.state = 'down';
    const ids = [];
    for (let i = 0; i < 5; i += 1) ids.push(await createUrl(GOOD));
    provider.state = 'up';
    await createUrl(GOOD);
    expect((await listQueue('?state=unchecked')).map(({ smartlinkId }) => smartlinkId)).toEqual(ids);
    for (const state of ['unsafe', 'unchecked']) {
      if (state === 'unsafe') {
        unsafe.add(BAD);
        await service.app.pg.query(
          `update smartlinks set status = 'Paused', pause_reason = '{"code":"UNSAFE_URL","details":[]}' where id = any($1)`,
          [ids],
        );
      } else await service.app.pg.query(`update smartlinks set status = 'Active', pause_reason = null`);
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await operator.get(`/admin/safety?state=${state}&limit=2${cursor}`);
        expect(page.body.data.length).toBeLessThanOrEqual(2);
        seen.push(...(page.body.data as Queued[]).map(({ smartlinkId }) => smartlinkId));
        const next = page.headers['x-next-cursor'];
        cursor = next === undefined ? '' : `&cursor=${String(next)}`;
      } while (cursor !== '' && seen.length < 100);
      expect(seen.toSorted()).toEqual(ids.toSorted());
    }
    const { headers } = await operator.get('/admin/safety?state=unchecked&limit=2');
    const other = await operator.get(`/admin/safety?state=unsafe&cursor=${String(headers['x-next-cursor'])}`);
    expect([other.status, faultsOf(other)]).toEqual([400, ['cursor']]);
  });

  test('have a link judged now, which pauses or activates it', async () => {
    const id = await createUrl(BAD);
    expect(await judgeAgain(id)).toEqual([200, 'safe']);
    expect((await readChecks(service.app.pg, id)).urls_checked_at).not.toBeNull();
    unsafe.add(BAD);
    expect(await judgeAgain(id)).toEqual([200, 'unsafe']);
    await expectPaused(id);
    expect(await judgeAgain(id)).toEqual([200, 'unsafe']);
    unsafe.clear();
    provider.state = 'down';
    expect(await judgeAgain(id)).toEqual([200, 'unchecked']);
    await expectPaused(id);
    provider.state = 'up';
    expect(await judgeAgain(id)).toEqual([200, 'safe']);
    const { data } = (await fetchOne(id)).body;
    expect([data.status, 'pauseReason' in data]).toEqual(['Active', false]);
    provider.state = 'down';
    expect(await judgeAgain(id)).toEqual([200, 'unchecked']);
    const { rows } = await service.app.pg.query(
      `select action from audit_entries where smartlink_id = $1 or details ->> 'smartlinkId' = $2 order by id`,
      [id, id],
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      ...['smartlink.create', 'safety.recheck', 'safety.recheck', 'smartlink.unsafe', 'safety.recheck'],
      ...['safety.recheck', 'safety.recheck', 'smartlink.activate', 'safety.recheck'],
    ]);
  });

  test('cannot have links judged that an owner paused or deleted, nor unknown ones', async () => {
    const paused = await createUrl(GOOD);
    await api.post('/smartlink/status', { id: paused, status: 'Paused' });
    const deleted = await createUrl(GOOD);
    await api.delete('/smartlink', { smartlinkId: deleted });
    for (const id of [paused, deleted, '00000000-0000-4000-8000-000000000000', 'x', '__proto__']) {
      expect(await judgeAgain(id)).toEqual([404, 'Smartlink not found']);
    }
    expect((await fetchOne(paused)).body.data.status).toBe('Paused');
  });

  test('see no unchecked links and have none judged without a provider', async () => {
    const { app } = await startServiceOn(service.databases, NO_TIMER);
    onTestFinished(() => app.close());
    const person = await createPerson(app, { isOperator: true });
    const { api: by } = await signIn(app, person, null);
    provider.state = 'down';
    const smartlinkId = await createUrl(GOOD);
    expect((await by.get('/admin/safety?state=unchecked')).body.data).toEqual([]);
    const res = await by.post('/admin/safety/recheck', { smartlinkId });
    expect([res.status, res.body.error.details]).toEqual([
      400,
      [{ path: '', message: 'No safety provider is configured' }],
    ]);
  });
});

describe('the health of the installation', () => {
  type Finding = { name: string; ok: boolean; reason?: string };
  const healthOf = async (by = operator) => (await by.get('/admin/health')).body.data as Finding[];

  test('names every check, and a change that waits', async () => {
    const names = ['Postgres', 'Postgres schema', 'changes to publish', 'Redis', 'ClickHouse'];
    const more = ['ClickHouse schema', 'figures by day', 'visits on their way', 'URL safety'];
    const well = await healthOf();
    expect(well.map(({ name }) => name)).toEqual([...names, ...more]);
    expect(well.filter(({ ok }) => !ok)).toEqual([]);
    const client = await pg().connect();
    onTestFinished(async () => {
      await client.query('rollback');
      client.release();
      await pg().query('delete from publish_outbox');
    });
    // The relay takes it unless it is locked first.
    await client.query('begin');
    await until(async () => {
      await pg().query(
        `insert into publish_outbox (slug_key, version, created_at) values ('waits', 1, now() - interval '75 seconds')`,
      );
      const { rows } = await client.query('select from publish_outbox for update skip locked');
      return rows.length > 0;
    }, 'a change is held back');
    const found = (await healthOf()).filter(({ ok }) => !ok);
    expect(found).toEqual([
      {
        name: 'changes to publish',
        ok: false,
        reason: expect.stringMatching(/^\d+ wait, the oldest for \d+ s$/) as string,
      },
    ]);
  });

  test('tells that visits have waited in a spool', async () => {
    const { id } = await createSmartlink(api);
    await addEvents(service.app, [makeEventRow(user.userId, id)]);
    expect(await healthOf()).toContainEqual({
      name: 'visits on their way',
      ok: false,
      reason: expect.stringMatching(/^the last visit arrived \d+ s ago; some were \d+ s old$/) as string,
    });
  });

  test('tells what does not answer, in time and without a password', async () => {
    const [redis, clickhouse] = await Promise.all([
      startBreakableProxy(service.databases.redisUrl),
      startBreakableProxy(service.databases.clickhouseUrl),
    ]);
    const second = await startServiceOn(service.databases, {
      REDIS_URL: redis.url,
      CLICKHOUSE_URL: clickhouse.url,
    });
    onTestFinished(async () => {
      await second.app.close();
      await Promise.all([redis.close(), clickhouse.close()]);
    });
    const { personId } = await createPerson(second.app, { isOperator: true });
    const { api: by } = await signIn(second.app, { personId }, null);
    await Promise.all([redis.kill(), clickhouse.kill()]);
    const startedAt = performance.now();
    const found = await healthOf(by);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(found.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      ...['Redis', 'ClickHouse', 'ClickHouse schema', 'figures by day', 'visits on their way'],
    ]);
    const { password } = new URL(service.databases.clickhouseUrl);
    expect(password).not.toBe('');
    expect(JSON.stringify(found)).not.toContain(password);
  });
});

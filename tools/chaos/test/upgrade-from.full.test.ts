import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createClosers } from '@smartlink/test-support/closers';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';
import { buttons, menuItem, smartlink } from '../../../services/management/test/smartlink-bodies.js';
import { listeningPort, startProcess } from '../../../services/management/test/start-process.js';
import {
  type Redirect,
  startRedirect,
  untilDelivered,
} from '../../../services/redirect/test/start-redirect.js';
import { buildCommit, isInHistory, OLD_COMMIT } from './old-build.js';

// An upgrade from the build before people, scopes and the second snapshot format, in the order of docs/operate.md, with
// processes of both builds beside each other.

const mainHere = (workspace: string) =>
  fileURLToPath(new URL(`../../../${workspace}/dist/main.js`, import.meta.url));

const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const EMAIL = 'ann@example.com';
const URL_LINK = { shortener: { url: 'https://example.org/plain' } };
const BODIES: Readonly<Record<string, object>> = {
  plain: smartlink('Url', URL_LINK),
  guarded: smartlink('Url', {
    shortener: { ...URL_LINK.shortener, protected: true, password: 'open sesame' },
  }),
  renamed: smartlink('Url', URL_LINK),
  paused: smartlink('Url', URL_LINK),
  gone: smartlink('Url', URL_LINK),
  app: smartlink('App', {}, { fallBackLink: 'https://example.org/app' }),
  landing: buttons('Landing'),
  qrtag: buttons('QRTag'),
  digicard: buttons('DigiCard', { preset: 'website' }),
  snippet: smartlink('TxtBin', { txtBin: { text: 'select 1;' } }),
  menu: menuItem({}),
};
const SLUGS = [...Object.keys(BODIES), 'other'];
/** The days of `visits_daily` are over: the old build has made cells of this one. */
const PAST_DAY = '2026-03-10';

const closers = createClosers();
let databases: TestDatabases;
let pool: Pool;
let old: ReturnType<typeof buildCommit>;

type Api = Awaited<ReturnType<typeof startManagement>>;

/** A management process of a build. The caller stops it. */
async function startManagement(main: string, apiKey: string) {
  const { databaseUrl, redisUrl, clickhouseUrl, redisKeyPrefix } = databases;
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    REDIS_KEY_PREFIX: redisKeyPrefix,
    MANAGEMENT_PORT: '0',
    MANAGEMENT_METRICS_PORT: '0',
    TOTALS_AGE_MAX_MS: '0',
    ROLLUP_INTERVAL_SECONDS: '1',
  };
  const management = startProcess(env, ['--wait-seconds', '5'], main);
  const stop = async () => {
    management.child.kill('SIGTERM');
    await management.ended;
  };
  closers.add(stop);
  const port = await listeningPort(management);
  const call = async (method: string, path: string, body?: object) => {
    const res = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: res.status, body: (await res.json()) as Answer };
  };
  return { call, stop };
}
type Link = { id: string; status: string; configuration: { smartlinkUrl: string } };
type Answer = { data: unknown; error?: { message: string } };

/** Runs a program of a build to its end and returns what it prints. */
function runMain(main: string, ...args: readonly string[]): string {
  const { databaseUrl, redisUrl, clickhouseUrl, redisKeyPrefix } = databases;
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    REDIS_KEY_PREFIX: redisKeyPrefix,
  };
  return execFileSync(process.execPath, [main, ...args], { env, encoding: 'utf8' });
}

async function startRedirectOf(main?: string): Promise<Redirect> {
  const redirect = await startRedirect(databases, {}, [], main);
  closers.add(() => redirect.stop());
  return redirect;
}

async function visit({ url }: Redirect, slug: string): Promise<[number, string | null]> {
  const headers = { 'user-agent': BROWSER, 'accept-language': 'en' };
  const res = await fetch(`${url}/${slug}`, { redirect: 'manual', headers });
  await res.arrayBuffer();
  return [res.status, res.headers.get('location')];
}

/** What must be the same in both builds: links, figures and events. */
async function readEverything({ call }: Api, ids: readonly string[]) {
  const { data: links } = (await call('GET', 'smartlink?status=all')).body as { data: Link[] };
  const figures: Record<string, unknown> = {};
  for (const id of ids) figures[id] = (await call('GET', `smartlink/analytics?id=${id}`)).body.data;
  const summary = (await call('GET', 'analytics/summary')).body.data;
  const clickhouse = createClient({ url: databases.clickhouseUrl });
  const query = 'select toString(event_id) as id, toString(ts) as ts, slug from events final order by id';
  const events = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json();
  await clickhouse.close();
  return { links, figures, summary, events };
}

beforeAll(async () => {
  if (!isInHistory(OLD_COMMIT)) return;
  old = buildCommit(OLD_COMMIT);
  closers.add(old.remove);
  databases = await createTestDatabases(inject('stack'));
  closers.add(databases.drop);
  pool = new Pool({ connectionString: databases.databaseUrl, max: 2 });
  closers.add(() => pool.end());
  // As the old release makes them.
  await pool.query('drop schema public cascade; create schema public');
  const clickhouse = createClient({ url: databases.clickhouseUrl });
  await clickhouse.command({ query: `drop database ${new URL(databases.clickhouseUrl).pathname.slice(1)}` });
  await clickhouse.close();
  runMain(old.mainOf('deploy/migrate'));
}, 600_000);
afterAll(closers.close);

describe.skipIf(!isInHistory(OLD_COMMIT))(`an upgrade from ${OLD_COMMIT}`, () => {
  test('keeps every link, key, event and figure, and new members wait for the last old redirect process', async () => {
    const created = runMain(old.mainOf('tools/admin'), 'users', 'create', '--account', EMAIL, '--json');
    const { apiKey, userId } = JSON.parse(created) as { apiKey: string; userId: string };
    await pool.query('update plans set requests_per_minute = 1000000');
    const oldRedirect = await startRedirectOf(old.mainOf('services/redirect'));
    const oldApi = await startManagement(old.mainOf('services/management'), apiKey);

    const ids: Record<string, string> = {};
    for (const [slug, body] of Object.entries(BODIES)) {
      const { configuration, ...rest } = body as { configuration: object };
      const sent = { ...rest, configuration: { ...configuration, smartlinkUrl: slug } };
      const { status, body: answer } = await oldApi.call('POST', 'smartlink', sent);
      expect([slug, status, answer.error]).toEqual([slug, 201, undefined]);
      ids[slug] = (answer.data as Link).id;
    }
    await oldApi.call('PATCH', 'smartlink', { id: ids['renamed'], configuration: { smartlinkUrl: 'other' } });
    await oldApi.call('POST', 'smartlink/status', { id: ids['paused'], status: 'Paused' });
    await oldApi.call('DELETE', 'smartlink', { smartlinkId: ids['gone'] });
    const answersOf = async (redirect: Redirect) => {
      const answers: [string, number, string | null][] = [];
      for (const slug of SLUGS) answers.push([slug, ...(await visit(redirect, slug))]);
      return answers;
    };
    await until(
      async () =>
        (await visit(oldRedirect, 'gone'))[0] === 410 && (await visit(oldRedirect, 'paused'))[0] === 404,
      'the changes are seen',
    );
    const oldAnswers = await answersOf(oldRedirect);
    const clickhouse = createClient({ url: databases.clickhouseUrl });
    const past = { ts: `${PAST_DAY} 12:00:00.000`, country: 'DE', referrer: 'example.com' };
    await clickhouse.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: Array.from({ length: 100 }, () => makeEventRow(userId, ids['plain']!, past)),
    });
    await untilDelivered(oldRedirect, 10);
    await until(async () => {
      const query = `select count() as cells from visits_daily final where date = '${PAST_DAY}'`;
      const rows = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ cells: string }>();
      return Number(rows[0]?.cells) > 0;
    }, 'the old build has made cells');
    const all = Object.values(ids);
    const before = await readEverything(oldApi, all);
    expect(before.events.length).toBeGreaterThan(110);

    // Migrations first: the old services go on.
    runMain(mainHere('deploy/migrate'));
    expect(await answersOf(oldRedirect)).toEqual(oldAnswers);
    const more = await oldApi.call('POST', 'smartlink', smartlink('Url', URL_LINK, { smartlinkUrl: 'more' }));
    expect(more.status).toBe(201);
    expect(await visit(oldRedirect, 'more')).toEqual([302, 'https://example.org/plain']);
    await oldApi.call('DELETE', 'smartlink', { smartlinkId: (more.body.data as Link).id });

    // Then redirect: a process of each build beside each other.
    const redirect = await startRedirectOf();
    expect(await answersOf(redirect)).toEqual(oldAnswers);

    // Then management, here while an old redirect process is left over.
    const api = await startManagement(mainHere('services/management'), apiKey);
    const createWithUtm = (slug: string) =>
      api.call('POST', 'smartlink', {
        ...smartlink('Url', URL_LINK, { smartlinkUrl: slug }),
        utm: { source: 'newsletter' },
      });
    await until(async () => {
      const { status, body } = await createWithUtm('early');
      expect(status).toBe(503);
      return body.error?.message.includes('earlier version');
    }, 'the old redirect process is heard');
    // What the old build knows is written and served meanwhile.
    const plain = { ...smartlink('Url', URL_LINK, { smartlinkUrl: 'between' }), tags: ['new'] };
    expect((await api.call('POST', 'smartlink', plain)).status).toBe(201);
    for (const each of [oldRedirect, redirect])
      expect(await visit(each, 'between')).toEqual([302, 'https://example.org/plain']);
    const { data } = (await oldApi.call('GET', 'smartlink')).body as { data: Link[] };
    expect(data.map(({ configuration }) => configuration.smartlinkUrl)).toContain('between');

    // Both builds read the same figures, whichever of the redirect processes counted.
    // Their last visits: the metrics of a process may not have those of its last second.
    await until(async () => {
      const query = `select count() as visits from events where slug = 'between'`;
      const rows = await (
        await clickhouse.query({ query, format: 'JSONEachRow' })
      ).json<{ visits: string }>();
      return Number(rows[0]?.visits) === 2;
    }, 'the visits of both are delivered');
    const byOld = await readEverything(oldApi, all);
    const byNew = await readEverything(api, all);
    expect(byNew.figures).toMatchObject(byOld.figures);
    expect(byNew.summary).toMatchObject(byOld.summary as object);
    expect(byNew.links).toMatchObject(byOld.links);
    expect(byNew.events).toEqual(byOld.events);

    await oldRedirect.stop();
    const stoppedAt = performance.now();
    expect((await createWithUtm('early')).status).toBe(503);
    await until(async () => (await createWithUtm('late')).status === 201, 'new members are accepted', 60_000);
    const waited = performance.now() - stoppedAt;
    expect(waited).toBeGreaterThan(9_000);
    console.log(
      `new members were accepted ${(waited / 1_000).toFixed(1)} s after the old redirect process ended`,
    );
    expect(await visit(redirect, 'late')).toEqual([302, 'https://example.org/plain?utm_source=newsletter']);

    // An old management process that changes such a link publishes it without; what it left is repaired once it has ended.
    const [late] = (await oldApi.call('GET', 'smartlink?q=late')).body.data as Link[];
    // By itself: a new one, which publishes what it finds in the outbox, may be later and mend it at once.
    await api.stop();
    const patch = { id: late?.id, configuration: { smartlinkName: 'Late' } };
    expect((await oldApi.call('PATCH', 'smartlink', patch)).status).toBe(200);
    await until(
      async () => (await visit(redirect, 'late'))[1] === 'https://example.org/plain',
      'the old build has published it',
    );
    await oldApi.stop();
    runMain(mainHere('tools/admin'), 'cache', 'verify', '--repair');
    await until(
      async () => (await visit(redirect, 'late'))[1] === 'https://example.org/plain?utm_source=newsletter',
      'it is whole again',
      // Without a message an entry of L1 lives 29.9 s.
      60_000,
    );
    const last = await startManagement(mainHere('services/management'), apiKey);

    // The key of before may do everything, and its account has a person as its Owner.
    const { rows } = await pool.query(
      `select api_keys.scopes, memberships.role, people.email from api_keys
       join memberships using (user_id) join people on people.id = person_id`,
    );
    expect(rows).toEqual([{ scopes: ['*'], role: 'Owner', email: EMAIL }]);
    const current = await last.call('GET', 'keys/current');
    expect([current.status, current.body.data]).toMatchObject([200, { scopes: ['*'] }]);
    for (const path of ['webhooks', 'tags', 'analytics/summary', 'smartlink?limit=1'])
      expect([path, (await last.call('GET', path)).status]).toEqual([path, 200]);
    const link = runMain(mainHere('tools/admin'), 'people', 'sign-in-link', '--email', EMAIL, '--json');
    expect(JSON.parse(link)).toMatchObject({ url: expect.stringMatching(/\/welcome#[\w-]{43}$/) as string });

    // The days computed again, and every figure as before but for the visits of this test in between.
    await until(async () => {
      const query = `select countIf(clicks > 0 and length(hours.clicks) = 0) as left from visits_daily final`;
      const rows = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ left: string }>();
      return Number(rows[0]?.left) === 0;
    }, 'cells of the old build are computed again');
    await clickhouse.close();
    const after = await readEverything(last, all);
    expect(after.events).toEqual(expect.arrayContaining(before.events));
    const withoutTotals = (links: readonly Link[]) =>
      links.filter(({ id }) => all.includes(id)).map(({ ...link }) => ({ ...link, analytics: null }));
    expect(withoutTotals(after.links)).toEqual(withoutTotals(before.links));
    const pastOf = (figures: Record<string, unknown>) =>
      (figures[ids['plain']!] as { analyticsData: { date: string }[] }).analyticsData.filter(
        ({ date }) => date === PAST_DAY,
      );
    expect(pastOf(after.figures)).toMatchObject(pastOf(before.figures));
    expect(pastOf(before.figures)).toHaveLength(1);
  }, 600_000);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { PUBLIC_BASE_URL, exportedBody, importFrame } from './import-frame.js';
import { openVisits, type Visits } from './visited.js';

const own = importFrame();
let visits: Visits;

beforeAll(() => {
  visits = openVisits(own.admin);
});
afterAll(() => visits.close());
beforeEach(() => visits.clear());

type Totals = { clicks: number; scans: number; fallbacks: number };

const itemOf = (slug: string, createdAt: string, totals: Totals) =>
  exportedBody(slug, { createdAt, updatedAt: createdAt, totals });

const newSlug = () => `t${randomUUID().slice(0, 8)}`;

/** Imports one smartlink that had visits elsewhere. */
async function importOne(createdAt: string, totals: Totals, env: Record<string, string> = {}) {
  const owner = await own.createOwner();
  const slug = newSlug();
  const file = own.write(`${slug}.json`, JSON.stringify([itemOf(slug, createdAt, totals)]));
  const args = ['import', file, '--email', owner.email];
  const run = await own.admin.runWith({ PUBLIC_BASE_URL, ...env }, ...args);
  expect(run).toMatchObject({ exitCode: 0 });
  const { rows } = await own.admin.db.query<{ id: string }>('select id from smartlinks where user_id = $1', [
    owner.id,
  ]);
  return { owner, run, userId: owner.id, smartlinkId: rows[0]?.id ?? '', slug };
}

const CREATED = '2020-02-29T12:00:00.000Z';
const TOTALS = { clicks: 30, scans: 12, fallbacks: 5 };

test('click totals count at once, at the day of creation, before and after rollups, and beside new visits', async () => {
  const link = await importOne(CREATED, TOTALS);
  const visit = (ts: string) => makeEventRow(link.userId, link.smartlinkId, { ts, slug: link.slug });
  const expected = { days: { '2020-02-29': 42 }, sum: 42, totals: TOTALS };
  expect(await visits.count(link)).toEqual(expected);
  await visits.rollUp();
  expect(await visits.count(link)).toEqual(expected);
  // A day that is rolled up, one that is reopened by a late visit, and one that is open.
  await visits.insert(visit('2026-03-10 10:00:00.000'));
  const withNew = {
    days: { '2020-02-29': 42, '2026-03-10': 1 },
    sum: 43,
    totals: { ...TOTALS, clicks: 31 },
  };
  expect(await visits.count(link)).toEqual(withNew);
  await visits.rollUp();
  expect(await visits.count(link)).toEqual(withNew);
  await visits.clickhouse.command({ query: 'optimize table visits_daily final' });
  expect(await visits.count(link)).toEqual(withNew);
});

test('moved again after a break, totals count once', async () => {
  const link = await importOne(CREATED, TOTALS);
  await own.admin.db.query(
    `insert into carried_totals (smartlink_id, user_id, date, clicks, scans, fallbacks)
     values ($1, $2, '2020-02-29', 30, 12, 5)`,
    [link.smartlinkId, link.userId],
  );
  expect((await own.run('import', '--finish')).stdout).toBe('Moved the click totals of 1 smartlink.\n');
  expect(await visits.count(link)).toMatchObject({ sum: 42, totals: TOTALS });
});

test('with ClickHouse down an import continues, the last known totals are right, and --finish moves the rest', async () => {
  await own.withClickhouseDown(async (env, restore) => {
    const link = await importOne(CREATED, TOTALS, env);
    expect(link.run.stdout).toMatch(/The click totals of 1 smartlink wait for ClickHouse: import --finish/);
    expect(link.run.stderr).toMatch(/^Click totals could not be moved: ClickHouse cannot be reached/);
    const known = async () => {
      const { rows } = await own.admin.db.query(
        `select clicks::integer as clicks, scans::integer as scans, fallbacks::integer as fallbacks
         from smartlink_totals where smartlink_id = $1`,
        [link.smartlinkId],
      );
      return rows as Totals[];
    };
    expect(await known()).toEqual([TOTALS]);
    // A list that was read in between, with ClickHouse back, found none.
    await own.admin.db.query('update smartlink_totals set clicks = 0, scans = 0, fallbacks = 0');
    expect(await own.admin.runWith(env, 'import', '--finish')).toMatchObject({ exitCode: 1 });
    await restore();
    const finished = await own.admin.runWith(env, 'import', '--finish');
    expect(finished).toMatchObject({ exitCode: 0, stdout: 'Moved the click totals of 1 smartlink.\n' });
    expect(await visits.count(link)).toMatchObject({ sum: 42, totals: TOTALS });
    expect(await known()).toEqual([TOTALS]);
    expect(await own.count('carried_totals', 'true')).toBe(0);
  });
});

test('a purge deletes imported totals, including waiting ones, and no rollup deletes later imports', async () => {
  const before = await importOne(CREATED, TOTALS);
  const waiting = await own.withClickhouseDown((env) => importOne(CREATED, TOTALS, env));
  for (const { owner } of [before, waiting]) {
    const purged = await own.admin.json<object>('events', 'purge', '--user', owner.email, '--yes');
    expect(purged).toEqual({ events: 0, rolledUpDays: 1, deleted: true });
  }
  for (const link of [before, waiting]) {
    expect(await visits.count(link)).toEqual({ days: {}, sum: 0, totals: null });
  }

  const slug = newSlug();
  const file = own.write(`${slug}.json`, JSON.stringify([itemOf(slug, CREATED, TOTALS)]));
  await own.json('import', file, '--email', before.owner.email);
  const { rows } = await own.admin.db.query<{ id: string }>('select id from smartlinks where slug = $1', [
    slug,
  ]);
  const after = { userId: before.userId, smartlinkId: rows[0]?.id ?? '' };
  // A visit of before the purge comes back, and is deleted again, with all that is cut off of the purge.
  await visits.insert(makeEventRow(before.userId, before.smartlinkId, { ts: '2026-03-10 10:00:00.000' }));
  await visits.rollUp();
  await visits.rollUp();
  expect(await visits.count(before)).toEqual({ days: {}, sum: 0, totals: null });
  expect(await visits.count(after)).toEqual({ days: { '2020-02-29': 42 }, sum: 42, totals: TOTALS });
});

test('users delete also deletes imported totals, including ones that arrive afterwards', async () => {
  const link = await importOne(CREATED, TOTALS);
  await own.admin.json('users', 'delete', link.owner.email, '--yes');
  expect(await visits.count(link)).toMatchObject({ sum: 0 });
  await visits.clickhouse.command({
    query: `insert into visits_daily (owner_id, smartlink_id, date, clicks, version)
            values ('${link.userId}', '${link.smartlinkId}', '2020-02-29', 42, toUnixTimestamp64Milli(now64(3)))`,
  });
  expect(await visits.count(link)).toMatchObject({ sum: 42 });
  await visits.rollUp();
  expect(await visits.count(link)).toMatchObject({ sum: 0 });
});

test('several thousand waiting totals are moved by two processes at once, each once, and neither ends before', async () => {
  const owner = await own.createOwner();
  const prefix = newSlug();
  await own.admin.db.query(
    `with stored as (
       insert into smartlinks (id, user_id, status, type, name, slug, content, version)
       select gen_random_uuid(), $1, 'Active', 'Url', 'n', $2 || n, '{}', nextval('smartlink_version')
       from generate_series(1, 5100) as n
       returning id, user_id, created_at
     )
     insert into carried_totals (smartlink_id, user_id, date, clicks, scans, fallbacks)
     select id, user_id, '2020-02-29', row_number() over (), 0, 0 from stored`,
    [owner.id, prefix],
  );
  const results = await Promise.all(
    [0, 1].map(async () => {
      const { stdout } = await own.run('import', '--finish', '--json');
      return JSON.parse(stdout) as { moved: number; totalsWaiting: number };
    }),
  );
  expect(results.map(({ totalsWaiting }) => totalsWaiting)).toEqual([0, 0]);
  expect(results.reduce((sum, { moved }) => sum + moved, 0)).toBe(5_100);
  const result = await visits.clickhouse.query({
    query: `select count() as smartlinks, sum(clicks) as clicks from visits_daily final where owner_id = {id:UUID}`,
    query_params: { id: owner.id },
    format: 'JSONEachRow',
  });
  expect(await result.json()).toEqual([{ smartlinks: 5_100, clicks: 13_007_550 }]);
  expect(await own.count('carried_totals', 'true')).toBe(0);
});

test('totals that another import adds are not reported as waiting for ClickHouse', async () => {
  const { smartlinkId } = await importOne(CREATED, TOTALS);
  // As the batch of another process would come, when this one has just moved all there were.
  const leaveMore = `
    insert into carried_totals (smartlink_id, user_id, date, clicks, scans, fallbacks)
    select id, user_id, '2020-02-29', 1, 0, 0 from smartlinks where id = '${smartlinkId}';
    return null;`;
  await own.withTrigger('after delete on carried_totals', leaveMore, async () => {
    const { run } = await importOne(CREATED, TOTALS);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).not.toContain('wait for ClickHouse');
    expect(await own.run('import', '--finish')).toMatchObject({
      exitCode: 0,
      stdout: 'Moved the click totals of 1 smartlink.\n',
    });
  });
  await own.admin.db.query('delete from carried_totals');
});

test('totals are moved during an import, and not only at its end', async () => {
  const owner = await own.createOwner();
  const items = Array.from({ length: 2_001 }, (_, i) => itemOf(`meanwhile${i}`, CREATED, TOTALS));
  const file = own.write('meanwhile.json', JSON.stringify(items));
  const isLast = `before insert on smartlinks for each row when (new.slug = 'meanwhile2000')`;
  await own.withTrigger(isLast, `raise exception 'not the last one';`, async () => {
    const run = await own.run('import', file, '--email', owner.email);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('2000 rows of the file are done.');
    expect(await own.count('carried_totals', 'user_id = $1', owner.id)).toBe(0);
  });
});

import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { MIGRATION_FOLDERS, migrateClickhouse } from '@smartlink/migrate/migrate';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { createRollupStateReader } from '@smartlink/visits/analytics';
import { withRollupLock } from '@smartlink/visits/rollup';
import {
  daysAgo,
  failingClient,
  LIMIT_MS,
  makeVisit,
  openRollupTrial,
  OWNER,
  type RollupTrial,
  today,
  toPress,
} from './rollup-trial.js';

// Five have one of each kind of round.
const ROUNDS = trialSize(5, 60);
// With two, statements of all kinds are among those that are cut off.
const STATEMENTS_STEP = trialSize(2, 1);

let trial: RollupTrial;

beforeAll(async () => {
  trial = await openRollupTrial();
});
afterAll(async () => {
  await trial.close();
});
beforeEach(async () => {
  await trial.clear();
});

test(
  'at every moment every answer is what was inserted: late events, repeats, rollups in between',
  { timeout: 60_000 + ROUNDS * 12_000 },
  async () => {
    const random = createRandom(20_261_121);
    const links = [randomUUID(), randomUUID(), randomUUID()];
    for (let round = 0; round < ROUNDS; round++) {
      // Today's, yesterday's, and of late ones some: many in the first round, as an old instance has.
      const spread = round === 0 ? 100 : pickSpread(random);
      const sent = Array.from({ length: round === 0 ? 400 : 40 }, () =>
        makeVisit(random, links[random(links.length)] ?? '', random(spread)),
      );
      await trial.insert(sent);
      // Also just before a rollup, which must count them once.
      if (round % 3 !== 0) await trial.insert(sent);
      await trial.expectExact(links[round % links.length] ?? '');
      if (round % 2 === 0) await trial.rollUp(round === 4 ? { stepsMax: 1 } : {});
      // What came since the last rollup must not settle: that takes longer than a turn.
      if (round % 4 === 0) await trial.letInsertsSettle();
      await trial.expectExact(links[(round + 1) % links.length] ?? '');
    }
  },
);

const pickSpread = (random: (below: number) => number) => [1, 2, 40][random(3)] ?? 1;

/** Makes the tables what a build before hours and rows by owner would have left. */
async function undoUpgrade(): Promise<void> {
  const older = `owner_id, smartlink_id, date, clicks, scans, fallbacks, visitors, countries, devices, browsers,
    operating_systems, referrers, excluded`;
  const statements = [
    `insert into visits_daily (${older}, version) select ${older}, version + 1 from visits_daily final`,
    'delete from visits_daily_by_owner where true',
    `insert into rollup_state (id, open_from, raw_from, raw_from_set_at, late_from, version)
     select id, open_from, raw_from, raw_from_set_at, late_from, version + 1 from rollup_state final`,
  ];
  for (const query of statements) await trial.clickhouse.command({ query });
}

test('cells of an older build are computed again, newest first, once; those without events are summed', async () => {
  const random = createRandom(18);
  const links = [randomUUID(), randomUUID()];
  const visitsOf = (day: number) => links.map((link) => makeVisit(random, link, day));
  await trial.insert([200, 190, 100, 20, 10].flatMap(visitsOf));
  await trial.rollUp();
  await trial.letInsertsSettle();
  await undoUpgrade();
  const firstKept = `${daysAgo(150).slice(0, 7)}-01`;
  await trial.amendState(`raw_from = toDate('${firstKept}')`);
  for (const month of new Set([200, 190].map((days) => daysAgo(days).slice(0, 7).replace('-', '')))) {
    await trial.clickhouse.command({ query: `alter table events drop partition id '${month}'` });
  }
  // An older build has deleted the visits of this row's day.
  await trial.clickhouse.command({
    query: `insert into visits_daily_by_owner (owner_id, date, clicks, version)
            select toUUID('${OWNER}'), toDate('${daysAgo(15)}'), 7, 1`,
  });
  expect((await trial.readState()).ownersFrom).toBe('2149-06-06');
  expect(await trial.rollUp({ stepsMax: 1 })).toEqual([
    { kind: 'days computed again', from: daysAgo(100), until: today(), events: 6 },
  ]);
  const state = await trial.readState();
  expect(state.ownersFrom).toBe(daysAgo(100));
  await trial.expectStored(state);
  expect(await trial.rollUp()).toEqual([
    { kind: 'days computed again', from: '1970-01-01', until: daysAgo(100), events: 0 },
  ]);
  await trial.letInsertsSettle();
  expect(await trial.rollUp()).toEqual([]);
  await trial.expectStored(await trial.readState());
  const query = `
select toString(date) as day, sum(clicks + scans) as visits, length(any(hours.clicks)) as hours
from visits_daily_by_owner final where date < {firstKept:Date} group by date`;
  const found = await trial.clickhouse.query({ query, query_params: { firstKept }, format: 'JSONEachRow' });
  const cells = await trial.clickhouse.query({
    query: `select toString(date) as day, sum(clicks + scans) as visits, 0 as hours
            from visits_daily final where date < {firstKept:Date} group by date`,
    query_params: { firstKept },
    format: 'JSONEachRow',
  });
  const byDate = (rows: readonly { day: string }[]) => rows.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  expect(byDate(await found.json())).toEqual(byDate(await cells.json()));
  // What older cells do not say is `other`.
  const { entries } = await trial.findVisits(links[0] ?? '', { to: daysAgo(180) });
  for (const { clicks, scans, languages } of entries) {
    expect(languages).toEqual(clicks + scans === 0 ? {} : { other: clicks + scans });
  }
});

test('cells of a build that does not know presses are computed again, once, as long as their events are kept', async () => {
  const links = [randomUUID(), randomUUID()];
  const press = toPress('button:0');
  const rowsOf = (ts: string) =>
    links.flatMap((link) => [{}, press].map((row) => makeEventRow(OWNER, link, { ...row, ts })));
  await trial.insert([100, 3].flatMap((days) => rowsOf(`${daysAgo(days)} 10:00:00.000`)));
  await trial.rollUp();
  await trial.letInsertsSettle();
  // As that build writes them; its states lack the column.
  await trial.clickhouse.command({
    query: `insert into visits_daily select * replace (map('bot', 1, 'press', 1) as excluded, map() as presses, version + 1 as version)
            from visits_daily final`,
  });
  await trial.amendState(`raw_from = toDate('${daysAgo(30)}')`);
  await trial.amendState('has_presses = 0');
  const presses = async () =>
    (await trial.findVisits(links[0] ?? '')).entries.map(({ clicks, excluded, presses }) => ({
      ...{ clicks, excluded, presses },
    }));
  const known = { clicks: 1, excluded: {}, presses: { 'button:0': 1 } };
  const unknown = { clicks: 1, excluded: { bot: 1 }, presses: {} };
  expect(await presses()).toEqual([unknown, unknown]);
  expect(await trial.rollUp()).toEqual([{ kind: 'late cells', cells: 2 }]);
  expect(await presses()).toEqual([unknown, known]);
  expect(await trial.rollUp()).toEqual([]);
});

test('rolled-up figures are answered from the cells, and stay when the events are gone', async () => {
  const smartlinkId = randomUUID();
  const visit = { visitor_id: '5', country: 'AZ' };
  await trial.insert([
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${daysAgo(3)} 10:00:00.000` }),
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${daysAgo(3)} 11:00:00.000`, ...toPress('contact:1') }),
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${today()} 00:00:00.000` }),
  ]);
  const steps = await trial.rollUp();
  expect(steps).toEqual([{ kind: 'days', from: daysAgo(3), to: daysAgo(3), events: 2 }]);
  await trial.letInsertsSettle();
  expect(await trial.rollUp()).toEqual([]);
  await trial.clickhouse.command({ query: 'truncate table events' });
  const { entries } = await trial.findVisits(smartlinkId);
  expect(entries).toMatchObject([{ date: daysAgo(3), clicks: 1, uniqueVisitors: 1, countries: { AZ: 1 } }]);
  expect(entries[0]?.presses).toEqual({ 'contact:1': 1 });
});

test('a visit that was sent twice counts once in its cell', async () => {
  const smartlinkId = randomUUID();
  const sent = [makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(3)} 10:00:00.000` })];
  await trial.insert(sent);
  await trial.insert(sent);
  await trial.rollUp();
  await trial.letInsertsSettle();
  const { entries, totals } = await trial.findVisits(smartlinkId);
  expect([entries, totals]).toMatchObject([[{ clicks: 1, countries: { XX: 1 } }], { clicks: 1 }]);
});

test('more late cells than a condition names are rolled up by the day, and answered before that', async () => {
  const smartlinkId = randomUUID();
  await trial.insert([makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(5)} 10:00:00.000` })]);
  await trial.rollUp();
  const query = `
insert into events (ts, event_id, owner_id, smartlink_id, source, outcome, country)
select toDateTime64({ts:String}, 3, 'UTC'), generateUUIDv4(), {owner:UUID}, generateUUIDv4(), 'click', 'target', 'XX'
from numbers(5200)`;
  const query_params = { ts: `${daysAgo(7)} 10:00:00.000`, owner: OWNER };
  await trial.clickhouse.command({ query, query_params });
  await trial.insert([
    makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(9)} 10:00:00.000`, source: 'scan' }),
  ]);
  await trial.expectExact(smartlinkId);
  expect((await trial.readState()).openFrom).toBe(daysAgo(9));
  const [first] = await trial.rollUp();
  expect(first).toEqual({ kind: 'reopened', from: daysAgo(9) });
  await trial.expectExact(smartlinkId);
  expect((await trial.findAllTotals(null)).size).toBe(5_201);
});

test('months that are no longer kept are dropped once their cells are final, and their figures stay', async () => {
  const smartlinkId = randomUUID();
  const old = `${daysAgo(500)} 10:00:00.000`;
  await trial.insert([
    makeEventRow(OWNER, smartlinkId, { ts: old, referrer_host: 'example.net' }),
    makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(300)} 10:00:00.000` }),
  ]);
  const dropped = { kind: 'dropped', month: old.slice(0, 7).replace('-', '') };
  // Running answers have a minute to learn that these cells are final.
  expect(await trial.rollUp({ keptMonths: 13 })).not.toContainEqual(dropped);
  expect(await trial.rollUp({ keptMonths: 13 })).not.toContainEqual(dropped);
  await trial.amendState('raw_from_set_at = raw_from_set_at - interval 1 minute');
  expect(await trial.rollUp({ keptMonths: 13 })).toContainEqual(dropped);
  expect((await trial.findVisits(smartlinkId, { interval: 'hour' })).entries).toHaveLength(1);
  // An event that late is not counted: the day's cell could not be computed again.
  await trial.insert([makeEventRow(OWNER, smartlinkId, { ts: old })]);
  await trial.rollUp({ keptMonths: 13 });
  const inUtc = await trial.findVisits(smartlinkId);
  expect(inUtc.entries).toMatchObject([{ clicks: 1, referrers: { 'example.net': 1 } }, { clicks: 1 }]);
  // Another zone's days need the events; the totals do not.
  const inBaku = await trial.findVisits(smartlinkId, { timeZone: 'Asia/Baku' });
  expect(inBaku.entries).toHaveLength(1);
  expect([inUtc.totals, inBaku.totals]).toMatchObject([{ clicks: 2 }, { clicks: 2 }]);
});

test('a thousand made-up referrers a day leave thirty and the rest, from cells and from events alike', async () => {
  const smartlinkId = randomUUID();
  const visits = [daysAgo(1), today()].flatMap((day) =>
    Array.from({ length: 1_000 }, (_, i) =>
      makeEventRow(OWNER, smartlinkId, {
        ts: `${day} 00:00:00.000`,
        referrer_host: i < 300 ? 'example.net' : `h${i}.example`,
      }),
    ),
  );
  await trial.insert(visits);
  const before = await trial.findVisits(smartlinkId);
  await trial.rollUp();
  await trial.letInsertsSettle();
  expect(await trial.findVisits(smartlinkId)).toEqual(before);
  const [entry] = before.entries;
  expect(Object.keys(entry?.referrers ?? {})).toHaveLength(31);
  // The last by name of those that are equal.
  expect(entry?.referrers).toMatchObject({ 'example.net': 300, 'h999.example': 1, other: 671 });
  expect(before.totals.referrers).toMatchObject({ 'example.net': 600 });
  expect(Object.values(before.totals.referrers).reduce((sum, count) => sum + count)).toBe(2_000);
});

test('interrupted after any statement, answers stay exact, and the next rollup continues', async () => {
  const random = createRandom(11);
  const smartlinkId = randomUUID();
  const visitsOf = (day: () => number) =>
    Array.from({ length: 30 }, () => makeVisit(random, smartlinkId, day()));
  await trial.insert(visitsOf(() => random(20)));
  for (let n = 1, isDone = false; !isDone; n += STATEMENTS_STEP) {
    const outcome = await trial
      .rollUp({ through: failingClient(trial.clickhouse, n) })
      .catch((err: unknown) => String(err));
    isDone = typeof outcome !== 'string';
    await trial.expectExact(smartlinkId);
    // Once all days are closed, statements for late cells are cut off too.
    if (n % 3 === 0) await trial.insert(visitsOf(() => 3).slice(0, 3));
    expect(n).toBeLessThan(40);
  }
});

test('a clock that was ahead loses nothing: days are opened again, and newer cells win over those of the future', async () => {
  const smartlinkId = randomUUID();
  await trial.insert([makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(2)} 10:00:00.000` })]);
  await trial.rollUp();
  // What a server two days ahead would have left.
  await trial.amendState('open_from = today() + 2');
  await trial.amendState('late_from = now() + interval 2 day');
  await trial.amendState('version = version + 2 * 86400 * 1000000');
  await trial.clickhouse.command({
    query: `insert into visits_daily select * replace (version + 2 * 86400 * 1000000 as version) from visits_daily final`,
  });
  await trial.insert([
    makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(2)} 11:00:00.000` }),
    makeEventRow(OWNER, smartlinkId, { ts: `${today()} 00:00:01.000` }),
  ]);
  await trial.rollUp();
  await trial.expectExact(smartlinkId);
  await trial.letInsertsSettle();
  await trial.expectExact(smartlinkId);
});

test.each([
  ['Africa/Cairo', '2026-04-24', '2026-04-23 21:59:59.999', '2026-04-23 22:00:00.000'],
  ['America/Havana', '2024-03-10', '2024-03-10 04:59:59.999', '2024-03-10 05:00:00.000'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04 02:59:59.999', '2018-11-04 03:00:00.000'],
  ['America/Havana', '2025-11-02', '2025-11-02 03:59:59.999', '2025-11-02 04:00:00.000'],
])(
  'in %s %s begins where its clocks say, also when it has no midnight or two',
  async (timeZone, day, before, first) => {
    const smartlinkId = randomUUID();
    await trial.insert([before, first].map((ts) => makeEventRow(OWNER, smartlinkId, { ts })));
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    const on = async (from: string, to: string) =>
      (await trial.findVisits(smartlinkId, { timeZone, from, to })).entries.map(({ date, clicks }) => [
        date,
        clicks,
      ]);
    expect(await on(day, day)).toEqual([[day, 1]]);
    expect(await on(dayBefore, dayBefore)).toEqual([[dayBefore, 1]]);
    expect(await on(dayBefore, day)).toEqual([
      [dayBefore, 1],
      [day, 1],
    ]);
  },
);

test('events from before late and arrival times were noted are neither late nor new, also when a migration was cut off', async () => {
  const url = new URL(inject('stack').clickhouseUrl);
  url.pathname = `/migrated_${randomUUID().slice(0, 8)}`;
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-migrations-'));
  const client = createClient({ url: url.href });
  const insert = (row: EventRow) => client.insert({ table: 'events', format: 'JSONEachRow', values: [row] });
  const row = makeEventRow(OWNER, randomUUID(), { ts: '2026-03-10 12:00:00.000' });
  try {
    const [first = '', ...later] = readdirSync(MIGRATION_FOLDERS.clickhouse).toSorted();
    for (const name of [first, ...later]) {
      cpSync(join(MIGRATION_FOLDERS.clickhouse, name), join(folder, name));
      // As a run leaves it that ends within a file.
      const [statement = ''] = readFileSync(join(folder, name), 'utf8')
        .replaceAll(/^--.*$/gm, '')
        .split(/;$/m);
      const query = statement.replaceAll(/\{on_cluster\}|\{engine_prefix\}/g, '');
      if (name !== first) await client.command({ query });
      await migrateClickhouse({ clickhouseUrl: url.href, folder });
      if (name === first) await insert(row);
    }
    await insert({ ...row, event_id: randomUUID() });
    const query = `
select toUnixTimestamp(late_at) > 0 as isLate, arrived_at > now() - interval 1 hour as isNew from events order by isLate`;
    const found = await (await client.query({ query, format: 'JSONEachRow' })).json();
    expect(found).toEqual([
      { isLate: 0, isNew: 0 },
      { isLate: 1, isNew: 1 },
    ]);
  } finally {
    await client.command({ query: `drop database if exists ${url.pathname.slice(1)} sync` });
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('only one process holds the rollup lock; another takes it once it is released', async () => {
  const { databaseUrl } = trial.databases;
  const inner = await withRollupLock(databaseUrl, async (holdsLock) => {
    expect(await holdsLock()).toBe(true);
    return withRollupLock(databaseUrl, () => Promise.resolve('both'));
  });
  expect(inner).toBeNull();
  expect(await withRollupLock(databaseUrl, () => Promise.resolve('next'))).toBe('next');
});

test('the state is queried once a second, by concurrent readers too, and again after a failure', async () => {
  let time = 0;
  let failing = true;
  let asked = 0;
  const counting = {
    query: (...args: Parameters<ClickHouseClient['query']>) => {
      asked++;
      return failing ? Promise.reject(new Error('away')) : trial.clickhouse.query(...args);
    },
  } as unknown as ClickHouseClient;
  const read = createRollupStateReader(counting, () => time);
  await expect(read(LIMIT_MS)).rejects.toThrow('away');
  failing = false;
  await Promise.all([read(LIMIT_MS), read(LIMIT_MS)]);
  time = 999;
  await read(LIMIT_MS);
  expect(asked).toBe(2);
  // Now it is asked for behind the answer, and after three seconds before it.
  time = 1_000;
  await Promise.all([read(LIMIT_MS), read(LIMIT_MS)]);
  expect(asked).toBe(3);
  time = 9_000;
  await read(LIMIT_MS);
  expect(asked).toBeGreaterThanOrEqual(3);
});

test('a wait for the state ends at its own limit and does not end the waits of others', async () => {
  let answer = (): void => undefined;
  const slow = {
    query: async (...args: Parameters<ClickHouseClient['query']>) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return trial.clickhouse.query(...args);
    },
  } as unknown as ClickHouseClient;
  const read = createRollupStateReader(slow, () => 0);
  const patient = read(LIMIT_MS);
  await expect(read(1)).rejects.toThrow('not known after 1 ms');
  answer();
  expect(await patient).toMatchObject({ lateCells: [] });
});

import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { makeEventRow } from '@smartlink/test-support/event-row';
import type { EventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { addDays } from '@smartlink/visit-analytics/calendar';
import { rollUp } from '@smartlink/visit-analytics/roll-up';
import { withRollupLock } from '@smartlink/visit-analytics/rollup-lock';
import type { RollUpStep } from '@smartlink/visit-analytics/rollup-progress';
import { createRollupStateReader, readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { findSeries } from '@smartlink/visit-analytics/series';
import type { SeriesRequest } from '@smartlink/visit-analytics/series';
import { findTotals } from '@smartlink/visit-analytics/totals';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { countVisits, sumTotals } from './counted-rows.js';

const ROUNDS = process.env['SMARTLINK_TEST_SIZE'] === 'full' ? 60 : 8;
const LIMIT_MS = 10_000;
const OWNER = randomUUID();
const TODAY = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => addDays(TODAY, -days);

let databases: TestDatabases;
let clickhouse: ClickHouseClient;
/** Everything that was ever inserted, one row each. */
let rows: Map<string, EventRow>;

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'));
  clickhouse = createClient({
    url: databases.clickhouseUrl,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
});
afterAll(async () => {
  await clickhouse.close();
  await databases.drop();
});
beforeEach(async () => {
  rows = new Map();
  for (const table of ['events', 'visits_daily', 'rollup_state']) {
    await clickhouse.command({ query: `truncate table ${table}` });
  }
});

async function insert(added: readonly EventRow[]): Promise<void> {
  for (const row of added) rows.set(row.event_id ?? '', row);
  const clickhouse_settings = { async_insert: 0, deduplicate_insert: 'disable' } as const;
  await clickhouse.insert({ table: 'events', format: 'JSONEachRow', values: added, clickhouse_settings });
}

async function rollUpNow(options: { keptMonths?: number; stopAfter?: number } = {}): Promise<RollUpStep[]> {
  const steps: RollUpStep[] = [];
  await rollUp(clickhouse, {
    keptMonths: options.keptMonths ?? 0,
    isStopped: () => steps.length >= (options.stopAfter ?? Infinity),
    report: (step) => steps.push(step),
  });
  return steps;
}

/**
 * As if longer had passed since the last insert than one may be on its way (INSERT_SECONDS_MAX): the state no longer
 * looks at what came late up to this second, and this second is waited for.
 */
async function letInsertsSettle(): Promise<void> {
  await clickhouse.command({
    query: `
insert into rollup_state (id, open_from, raw_from, late_from, version)
select 1, open_from, raw_from, now() + interval 1 second, version + 1 from rollup_state final`,
  });
  const query = 'select now() >= late_from as isOver from rollup_state final';
  await until(async () => {
    const result = await clickhouse.query({ query, format: 'JSONEachRow' });
    return (await result.json<{ isOver: number }>())[0]?.isOver === 1;
  }, 'the second is over');
}

const RANGES: readonly Omit<SeriesRequest, 'ownerId' | 'smartlinkId'>[] = [
  { interval: 'day', timeZone: 'UTC', from: null, to: null },
  { interval: 'day', timeZone: 'UTC', from: daysAgo(4), to: daysAgo(1) },
  { interval: 'week', timeZone: 'UTC', from: daysAgo(20), to: null },
  { interval: 'month', timeZone: 'UTC', from: null, to: daysAgo(2) },
  { interval: 'day', timeZone: 'Asia/Kathmandu', from: null, to: null },
  { interval: 'hour', timeZone: 'America/New_York', from: daysAgo(3), to: daysAgo(1) },
];

/** Holds every answer about a smartlink against the rows that were inserted. */
async function expectExact(smartlinkId: string): Promise<void> {
  const state = await readRollupState(clickhouse, LIMIT_MS);
  const known = [...rows.values()].filter((row) => row.smartlink_id === smartlinkId);
  for (const range of RANGES) {
    const request = { ownerId: OWNER, smartlinkId, ...range };
    const found = await findSeries(clickhouse, state, request, LIMIT_MS);
    expect(found, JSON.stringify(range)).toEqual(countVisits(known, range));
  }
  const totals = sumTotals(known);
  for (const ids of [[smartlinkId], null]) {
    const found = await findTotals(clickhouse, state, { ownerId: OWNER, ids }, LIMIT_MS);
    expect(found.get(smartlinkId) ?? { clicks: 0, scans: 0, fallbacks: 0 }).toEqual(totals);
  }
}

/** Reproducible, from the seed alone. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

function makeVisit(random: (below: number) => number, smartlinkId: string, day: number): EventRow {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const time = [random(24), random(60), random(60)].map((part) => String(part).padStart(2, '0')).join(':');
  const isExcluded = random(8) === 0;
  return makeEventRow(OWNER, smartlinkId, {
    ts: `${daysAgo(day)} ${time}.${String(random(1_000)).padStart(3, '0')}`,
    source: pick(['click', 'scan']),
    outcome: isExcluded ? 'excluded' : pick(['target', 'page', 'fallback']),
    exclusion: isExcluded ? pick(['bot', 'head']) : '',
    country: pick(['AZ', 'DE', 'XX']),
    device: pick(['mobile', 'desktop']),
    os: pick(['Android', 'iOS']),
    browser: pick(['Chrome', 'Safari', "x'; drop"]),
    referrer_host: pick(['', 'example.net', 'example.org']),
    visitor_id: String(random(6)),
  });
}

test(
  'at every moment every answer is what was inserted: late events, repeats, roll-ups in between',
  { timeout: 30_000 + ROUNDS * 3_000 },
  async () => {
    const random = createRandom(20_261_121);
    const links = [randomUUID(), randomUUID(), randomUUID()];
      for (let round = 0; round < ROUNDS; round++) {
      // Today's, yesterday's, and of late ones some: many in the first round, as an old instance has.
      const spread = round === 0 ? 60 : pickSpread(random);
      const sent = Array.from({ length: round === 0 ? 400 : 40 }, () =>
        makeVisit(random, links[random(links.length)] ?? '', random(spread)),
      );
      await insert(sent);
      if (round % 3 === 1) await insert(sent);
      await expectExact(links[round % links.length] ?? '');
      if (round % 2 === 0) await rollUpNow(round === 4 ? { stopAfter: 1 } : {});
      // What came since the last roll-up must not settle: that takes longer than a turn.
      if (round % 4 === 0) await letInsertsSettle();
      await expectExact(links[(round + 1) % links.length] ?? '');
    }
  },
);

const pickSpread = (random: (below: number) => number) => [1, 2, 40][random(3)] ?? 1;

test('what is rolled up is answered from the cells, and stays when the events are gone', async () => {
  const smartlinkId = randomUUID();
  const visit = { visitor_id: '5', country: 'AZ' };
  await insert([
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${daysAgo(3)} 10:00:00.000` }),
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${TODAY} 00:00:00.000` }),
  ]);
  const steps = await rollUpNow();
  expect(steps).toEqual([{ kind: 'days', from: daysAgo(3), to: daysAgo(3), events: 1 }]);
  await letInsertsSettle();
  expect(await rollUpNow()).toEqual([]);
  await clickhouse.command({ query: 'truncate table events' });
  const state = await readRollupState(clickhouse, LIMIT_MS);
  const whole = { interval: 'day', timeZone: 'UTC', from: null, to: null } as const;
  const { entries } = await findSeries(
    clickhouse,
    state,
    { ownerId: OWNER, smartlinkId, ...whole },
    LIMIT_MS,
  );
  expect(entries).toMatchObject([{ date: daysAgo(3), clicks: 1, uniqueVisitors: 1, countries: { AZ: 1 } }]);
});

test('more late cells than a condition names are rolled up by the day, and answered meanwhile', async () => {
  const smartlinkId = randomUUID();
  await insert([makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(5)} 10:00:00.000` })]);
  await rollUpNow();
  const query = `
insert into events (ts, event_id, owner_id, smartlink_id, source, outcome, country)
select toDateTime64({ts:String}, 3, 'UTC'), generateUUIDv4(), {owner:UUID}, generateUUIDv4(), 'click', 'target', 'XX'
from numbers(5200)`;
  await clickhouse.command({ query, query_params: { ts: `${daysAgo(7)} 10:00:00.000`, owner: OWNER } });
  await insert([makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(9)} 10:00:00.000`, source: 'scan' })]);
  await expectExact(smartlinkId);
  expect((await readRollupState(clickhouse, LIMIT_MS)).openFrom).toBe(daysAgo(9));
  const [first] = await rollUpNow();
  expect(first).toEqual({ kind: 'reopened', from: daysAgo(9) });
  await expectExact(smartlinkId);
  const state = await readRollupState(clickhouse, LIMIT_MS);
  const totals = await findTotals(clickhouse, state, { ownerId: OWNER, ids: null }, LIMIT_MS);
  expect(totals.size).toBe(5_201);
});

test('months that are no longer kept are dropped once their cells are final, and their figures stay', async () => {
  const smartlinkId = randomUUID();
  const old = `${daysAgo(500)} 10:00:00.000`;
  await insert([
    makeEventRow(OWNER, smartlinkId, { ts: old, referrer_host: 'example.net' }),
    makeEventRow(OWNER, smartlinkId, { ts: `${daysAgo(300)} 10:00:00.000` }),
  ]);
  const dropped = { kind: 'dropped', month: old.slice(0, 7).replace('-', '') };
  // Whoever answers has a turn's time to hear that these cells are final.
  expect(await rollUpNow({ keptMonths: 13 })).not.toContainEqual(dropped);
  expect(await rollUpNow({ keptMonths: 13 })).toContainEqual(dropped);
  const [left] = await (
    await clickhouse.query({ query: 'select count() as n from events', format: 'JSONEachRow' })
  ).json<{ n: number }>();
  expect(left?.n).toBe(1);
  // Whoever comes that late is not counted: the day's cell could not be computed again.
  await insert([makeEventRow(OWNER, smartlinkId, { ts: old })]);
  await rollUpNow({ keptMonths: 13 });
  const state = await readRollupState(clickhouse, LIMIT_MS);
  const whole = { ownerId: OWNER, smartlinkId, interval: 'day', from: null, to: null } as const;
  const inUtc = await findSeries(clickhouse, state, { ...whole, timeZone: 'UTC' }, LIMIT_MS);
  expect(inUtc.entries).toMatchObject([{ clicks: 1, referrers: { 'example.net': 1 } }, { clicks: 1 }]);
  // Another zone's days need the events; the totals do not.
  const inBaku = await findSeries(clickhouse, state, { ...whole, timeZone: 'Asia/Baku' }, LIMIT_MS);
  expect(inBaku.entries).toHaveLength(1);
  expect([inUtc.totals, inBaku.totals]).toMatchObject([{ clicks: 2 }, { clicks: 2 }]);
});

test('a thousand made-up referrers a day leave a hundred and the rest, from cells and from events alike', async () => {
  const smartlinkId = randomUUID();
  const visits = [daysAgo(1), TODAY].flatMap((day) =>
    Array.from({ length: 1_000 }, (_, i) =>
      makeEventRow(OWNER, smartlinkId, {
        ts: `${day} 00:00:00.000`,
        referrer_host: i < 300 ? 'example.net' : `h${i}.example`,
      }),
    ),
  );
  await insert(visits);
  const read = async () => {
    const state = await readRollupState(clickhouse, LIMIT_MS);
    const whole = { interval: 'day', timeZone: 'UTC', from: null, to: null } as const;
    return findSeries(clickhouse, state, { ownerId: OWNER, smartlinkId, ...whole }, LIMIT_MS);
  };
  const before = await read();
  await rollUpNow();
  expect(await read()).toEqual(before);
  const [entry] = before.entries;
  expect(Object.keys(entry?.referrers ?? {})).toHaveLength(101);
  expect(entry?.referrers).toMatchObject({ 'example.net': 300, 'h300.example': 1, other: 601 });
  expect(before.totals.referrers).toMatchObject({ 'example.net': 600 });
  expect(Object.values(before.totals.referrers).reduce((sum, count) => sum + count)).toBe(2_000);
});

test('one at a time: who finds another at it leaves it to them, and takes over when they are gone', async () => {
  const inner = await withRollupLock(databases.databaseUrl, () =>
    withRollupLock(databases.databaseUrl, () => Promise.resolve('both')),
  );
  expect(inner).toBeNull();
  expect(await withRollupLock(databases.databaseUrl, () => Promise.resolve('next'))).toBe('next');
});

test('a state is asked for once a second, also by many at once, and again after a failure', async () => {
  let time = 0;
  let failing = true;
  let asked = 0;
  const counting = {
    query: (...args: Parameters<ClickHouseClient['query']>) => {
      asked++;
      return failing ? Promise.reject(new Error('away')) : clickhouse.query(...args);
    },
  } as unknown as ClickHouseClient;
  const read = createRollupStateReader(counting, () => time);
  await expect(read(LIMIT_MS)).rejects.toThrow('away');
  failing = false;
  await Promise.all([read(LIMIT_MS), read(LIMIT_MS)]);
  time = 999;
  await read(LIMIT_MS);
  expect(asked).toBe(2);
  time = 1_000;
  await read(LIMIT_MS);
  expect(asked).toBe(3);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { ALL_DAYS, carryTotals, forgetVisits } from '@smartlink/visits/rollup';
import { countByLink } from './count-cells.js';
import {
  daysAgo,
  LIMIT_MS,
  makeVisit,
  openRollupTrial,
  OWNER,
  type RollupTrial,
  today,
} from './rollup-trial.js';

let trial: RollupTrial;

beforeAll(async () => {
  trial = await openRollupTrial();
});
afterAll(async () => {
  await trial.close();
});

const ofMonth = (days: number): string => `${daysAgo(days).slice(0, 7)}-01`;

test('counts by smartlink are read from sums of months, and are exact after late visits, imported totals and deletions', async () => {
  const random = createRandom(20_261_128);
  const [hot, quiet, other] = [randomUUID(), randomUUID(), randomUUID()];
  const visitsOf = (link: string, days: readonly number[]) =>
    days.flatMap((day) => Array.from({ length: 6 }, () => makeVisit(random, link, day)));
  let sent: EventRow[] = [
    ...visitsOf(hot, [150, 121, 120, 90, 70, 45, 3]),
    ...visitsOf(quiet, [150, 70, 1]),
    ...visitsOf(other, [100, 99]),
  ];
  const ranges = [
    { from: null, to: null },
    { from: daysAgo(120), to: today() },
    { from: ofMonth(130), to: daysAgo(40) },
    { from: daysAgo(70), to: daysAgo(70) },
  ];
  /** `more`: imported totals by smartlink and date. */
  const expectExact = async (
    more: readonly (readonly [link: string, date: string, clicks: number])[] = [],
  ) => {
    const state = await trial.readState();
    for (const range of ranges) {
      const expected = new Map(countByLink(sent, range)) as Map<string, Record<string, number>>;
      for (const [link, date, clicks] of more) {
        if ((range.from !== null && date < range.from) || (range.to !== null && date > range.to)) continue;
        const none = { clicks: 0, scans: 0, fallbacks: 0, visits: 0, uniqueVisitors: 0 };
        const counts = { ...none, ...expected.get(link) };
        expected.set(link, { ...counts, clicks: counts.clicks + clicks, visits: counts.visits + clicks });
      }
      expect(await trial.findByLink(range, state), JSON.stringify(range)).toEqual(expected);
    }
  };
  const countSums = async () => {
    const query = `select countIf(smartlink_id = {hot:UUID}) as hot, count() as sums from visits_monthly_counts final`;
    const found = await trial.clickhouse.query({ query, query_params: { hot }, format: 'JSONEachRow' });
    const [row] = await found.json<{ hot: string; sums: string }>();
    return { hot: Number(row?.hot), sums: Number(row?.sums) };
  };

  // Deletions wait for merges.
  await trial.clickhouse.command({ query: 'system start merges events' });
  await trial.insert(sent);
  await trial.rollUp();
  await trial.letInsertsSettle();
  expect((await trial.readState()).monthsUntil).toBe(`${today().slice(0, 7)}-01`);
  await expectExact();

  const late = [...visitsOf(hot, [70, 120]), ...visitsOf(quiet, [120]), ...visitsOf(randomUUID(), [71])];
  sent = [...sent, ...late];
  await trial.insert(late);
  await expectExact();
  await trial.rollUp();
  await trial.letInsertsSettle();
  await expectExact();

  const carried = [
    [hot, daysAgo(140), 7],
    [other, daysAgo(80), 70],
    [randomUUID(), daysAgo(119), 700],
  ] as const;
  const totals = carried.map(([smartlinkId, date, clicks]) => ({
    ...{ ownerId: OWNER, smartlinkId, date, clicks, scans: 0, fallbacks: 0 },
  }));
  await carryTotals(trial.clickhouse, totals, LIMIT_MS);
  await expectExact(carried);

  // From within a month into another one.
  const deleted = { from: daysAgo(120), until: daysAgo(69) };
  await forgetVisits(trial.clickhouse, { ownerId: OWNER, smartlinkId: hot, ...deleted });
  sent = sent.filter(({ smartlink_id, ts = '' }) => {
    const day = ts.slice(0, 10);
    return smartlink_id !== hot || day < deleted.from || day >= deleted.until;
  });
  await expectExact(carried);

  // Sums of an older build's months are computed again, and those whose cells it has deleted are gone.
  await trial.amendState(`months_until = toDate('1970-01-01')`);
  const { sums } = await countSums();
  await trial.clickhouse.command({
    query: `insert into visits_monthly_counts (owner_id, month, smartlink_id, clicks, version)
            select owner_id, toDate('2020-02-01'), smartlink_id, 9, version from visits_monthly_counts`,
  });
  await trial.rollUp();
  expect((await countSums()).sums).toBe(sums);
  await expectExact(carried);

  // Cells of whole months are not read, but for imported totals.
  const whole = { from: null, to: null };
  const before = await trial.findByLink(whole);
  await trial.clickhouse.command({
    query: `delete from visits_daily_counts where date < toStartOfMonth(today()) and visitors + fallbacks > 0`,
    clickhouse_settings: { lightweight_deletes_sync: '2' },
  });
  expect(await trial.findByLink(whole)).toEqual(before);

  await forgetVisits(trial.clickhouse, { ownerId: OWNER, smartlinkId: null, ...ALL_DAYS });
  expect(await countSums()).toEqual({ hot: 0, sums: 0 });
  expect(await trial.findByLink(whole)).toEqual(new Map());
});

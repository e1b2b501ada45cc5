import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { daysAgo, makeVisit, openRollupTrial, OWNER, type RollupTrial, today } from './rollup-trial.js';

// Five have one of each kind of round.
const ROUNDS = trialSize(5, 60);

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
      const spread = round === 0 ? 60 : pickSpread(random);
      const sent = Array.from({ length: round === 0 ? 400 : 40 }, () =>
        makeVisit(random, links[random(links.length)] ?? '', random(spread)),
      );
      await trial.insert(sent);
      if (round % 3 === 1) await trial.insert(sent);
      await trial.expectExact(links[round % links.length] ?? '');
      if (round % 2 === 0) await trial.rollUp(round === 4 ? { stepsMax: 1 } : {});
      // What came since the last rollup must not settle: that takes longer than a turn.
      if (round % 4 === 0) await trial.letInsertsSettle();
      await trial.expectExact(links[(round + 1) % links.length] ?? '');
    }
  },
);

const pickSpread = (random: (below: number) => number) => [1, 2, 40][random(3)] ?? 1;

test('what is rolled up is answered from the cells, and stays when the events are gone', async () => {
  const smartlinkId = randomUUID();
  const visit = { visitor_id: '5', country: 'AZ' };
  await trial.insert([
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${daysAgo(3)} 10:00:00.000` }),
    makeEventRow(OWNER, smartlinkId, { ...visit, ts: `${today()} 00:00:00.000` }),
  ]);
  const steps = await trial.rollUp();
  expect(steps).toEqual([{ kind: 'days', from: daysAgo(3), to: daysAgo(3), events: 1 }]);
  await trial.letInsertsSettle();
  expect(await trial.rollUp()).toEqual([]);
  await trial.clickhouse.command({ query: 'truncate table events' });
  const { entries } = await trial.findVisits(smartlinkId);
  expect(entries).toMatchObject([{ date: daysAgo(3), clicks: 1, uniqueVisitors: 1, countries: { AZ: 1 } }]);
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
  // Whoever answers has a minute to hear that these cells are final.
  expect(await trial.rollUp({ keptMonths: 13 })).not.toContainEqual(dropped);
  expect(await trial.rollUp({ keptMonths: 13 })).not.toContainEqual(dropped);
  await trial.amendState('raw_from_set_at = raw_from_set_at - interval 1 minute');
  expect(await trial.rollUp({ keptMonths: 13 })).toContainEqual(dropped);
  expect((await trial.findVisits(smartlinkId, { interval: 'hour' })).entries).toHaveLength(1);
  // Whoever comes that late is not counted: the day's cell could not be computed again.
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

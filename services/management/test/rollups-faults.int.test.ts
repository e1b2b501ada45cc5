import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { MIGRATION_FOLDERS, migrateClickhouse } from '@smartlink/migrate/migrate';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createRandom } from '@smartlink/test-support/random';
import { createRollupStateReader } from '@smartlink/visits/analytics';
import { withRollupLock } from '@smartlink/visits/rollup';
import { daysAgo, makeVisit, openRollupTrial, OWNER, type RollupTrial, today } from './rollup-trial.js';

const LIMIT_MS = 60_000;

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

/** A client whose n-th statement, and all after it, fails before it is sent, or after it was carried out. */
function failingClient(sound: ClickHouseClient, n: number, when: 'before' | 'after'): ClickHouseClient {
  let statements = 0;
  const cutOff = () => Promise.reject(new Error(`cut off at statement ${n}`));
  const through = async <T>(send: () => Promise<T>): Promise<T> => {
    statements += 1;
    if (statements > n || (statements === n && when === 'before')) return cutOff();
    const answer = await send();
    return statements === n ? cutOff() : answer;
  };
  return {
    query: (...args: Parameters<ClickHouseClient['query']>) => through(() => sound.query(...args)),
    command: (...args: Parameters<ClickHouseClient['command']>) => through(() => sound.command(...args)),
  } as unknown as ClickHouseClient;
}

test('cut off at any statement, before or after it, answers stay exact, and the next rollup goes on', async () => {
  const random = createRandom(11);
  const smartlinkId = randomUUID();
  const visitsOf = (day: () => number) =>
    Array.from({ length: 30 }, () => makeVisit(random, smartlinkId, day()));
  await trial.insert(visitsOf(() => random(20)));
  for (let n = 1, isDone = false; !isDone; n += 1) {
    for (const when of ['before', 'after'] as const) {
      const through = failingClient(trial.clickhouse, n, when);
      const outcome = await trial.rollUp({ through }).catch((err: unknown) => String(err));
      isDone = typeof outcome !== 'string';
      await trial.expectExact(smartlinkId);
    }
    // Once all days are closed, statements for late cells are cut off too.
    if (n % 3 === 0) await trial.insert(visitsOf(() => 3).slice(0, 3));
    expect(n).toBeLessThan(30);
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
      if (name !== first) await client.command({ query: statement.replaceAll('{on_cluster}', '') });
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

test('one at a time: who finds another at it leaves it to them, and takes over when they are gone', async () => {
  const { databaseUrl } = trial.databases;
  const inner = await withRollupLock(databaseUrl, async (holdsLock) => {
    expect(await holdsLock()).toBe(true);
    return withRollupLock(databaseUrl, () => Promise.resolve('both'));
  });
  expect(inner).toBeNull();
  expect(await withRollupLock(databaseUrl, () => Promise.resolve('next'))).toBe('next');
});

test('a state is asked for once a second, also by many at once, and again after a failure', async () => {
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

test('who waits for a state waits no longer than they said, and does not end the waiting of others', async () => {
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

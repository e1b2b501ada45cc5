import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { expect, inject } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import {
  addDays,
  findAccountTotals,
  findBreakdown,
  findSeries,
  findTotals,
  readRollupState,
  type RollupState,
  type Series,
  type SeriesRequest,
  type Totals,
} from '@smartlink/visits/analytics';
import { rollUp, type RollupStep } from '@smartlink/visits/rollup';
import {
  breakdownsOf,
  countByLink,
  countFigures,
  countStored,
  countVisits,
  sumTotals,
} from './count-cells.js';

export const OWNER = randomUUID();
/** Read each time: a run may pass midnight. */
export const today = (): string => new Date().toISOString().slice(0, 10);
export const daysAgo = (days: number): string => addDays(today(), -days);

export const LIMIT_MS = 60_000;

export type RollupTrial = Awaited<ReturnType<typeof openRollupTrial>>;

/** Opens tables of events and cells for one file, with functions that fill, roll up and query them. The caller closes it. */
export async function openRollupTrial() {
  const databases: TestDatabases = await createTestDatabases(inject('stack'));
  const clickhouse = createClient({
    url: databases.clickhouseUrl,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  // A merge removes repeats, and a statement without `final` would pass.
  await clickhouse.command({ query: 'system stop merges events' });
  /** Everything that was inserted, one row each. */
  const rows = new Map<string, EventRow>();

  async function insert(added: readonly EventRow[]): Promise<void> {
    for (const row of added) rows.set(row.event_id ?? '', row);
    const clickhouse_settings = { async_insert: 0, deduplicate_insert: 'disable' } as const;
    await clickhouse.insert({ table: 'events', format: 'JSONEachRow', values: added, clickhouse_settings });
  }

  const readState = (): Promise<RollupState> => readRollupState(clickhouse, LIMIT_MS);

  async function findVisits(
    smartlinkId: string,
    range: Partial<Range> = {},
    known?: RollupState,
  ): Promise<Series> {
    const whole = { interval: 'day', timeZone: 'UTC', from: null, to: null } as const;
    const request = { ownerId: OWNER, smartlinkId, ...whole, ...range };
    return findSeries(clickhouse, known ?? (await readState()), request, LIMIT_MS);
  }

  async function findAllTotals(
    ids: readonly string[] | null,
    known?: RollupState,
  ): Promise<ReadonlyMap<string, Totals>> {
    return findTotals(clickhouse, known ?? (await readState()), { ownerId: OWNER, ids }, LIMIT_MS);
  }

  /** Counts by smartlink, from sums of months, cells and events. */
  async function findByLink(
    days: Pick<Range, 'from' | 'to'>,
    known?: RollupState,
  ): Promise<ReadonlyMap<string, object>> {
    const selection = { ownerId: OWNER, smartlinks: null };
    const request = {
      selection,
      filters: {},
      by: 'smartlink',
      limit: 10_000,
      timeZone: 'UTC',
      ...days,
    } as const;
    const found = await findBreakdown(clickhouse, known ?? (await readState()), request, LIMIT_MS);
    return new Map(found.rows.map(({ value, ...counts }) => [value ?? '', counts]));
  }

  /** Compares every stored cell that may be read, of smartlinks and of the owner, with the rows that were inserted. */
  async function expectStored({ openFrom, rawFrom, ownersFrom, lateCells }: RollupState): Promise<void> {
    const late = new Set(lateCells.map(({ smartlinkId, date }) => `${smartlinkId} ${date}`));
    const lateDays = new Set(lateCells.map(({ date }) => date));
    const ofCells = new Map<string, EventRow[]>();
    const ofOwner = new Map<string, EventRow[]>();
    for (const row of rows.values()) {
      const date = row.ts?.slice(0, 10) ?? '';
      if (date >= openFrom || date < rawFrom || date < ownersFrom) continue;
      const cell = `${row.smartlink_id} ${date}`;
      if (!late.has(cell)) ofCells.set(cell, [...(ofCells.get(cell) ?? []), row]);
      if (!lateDays.has(date)) ofOwner.set(date, [...(ofOwner.get(date) ?? []), row]);
    }
    const select = async (key: string, table: string) => {
      const query = `
select ${key} as key, toString(date) as day, * except (owner_id, date, version)
from ${table} final
where date < {openFrom:Date} and date >= {rawFrom:Date} and date >= {ownersFrom:Date}`;
      const query_params = { openFrom, rawFrom, ownersFrom };
      return (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<StoredRow>();
    };
    const cells = await select(`concat(toString(smartlink_id), ' ', toString(date))`, 'visits_daily');
    const owners = await select('toString(date)', 'visits_daily_by_owner');
    const compare = (
      found: readonly StoredRow[],
      expected: ReadonlyMap<string, readonly EventRow[]>,
      skipped: (row: StoredRow) => boolean,
      more: (members: readonly EventRow[]) => object = () => ({}),
    ) => {
      const stored = found
        .filter((row) => !skipped(row))
        .map(({ smartlink_id: _id, is_carried: _carried, day: _day, ...row }) => row);
      expect(new Map(stored.map(({ key, ...row }) => [key, row]))).toEqual(
        new Map([...expected].map(([key, members]) => [key, { ...countStored(members), ...more(members) }])),
      );
    };
    compare(
      cells,
      ofCells,
      ({ key }) => late.has(key),
      (members) => ({ presses: countFigures(members, 'UTC').presses }),
    );
    compare(
      owners,
      ofOwner,
      ({ day }) => lateDays.has(day),
      (members) => ({ breakdowns: breakdownsOf(members) }),
    );
    if (late.size === 0) await expectCopiedCounts(clickhouse, openFrom);
  }

  /** Writes a newer state that differs in one member; `version` itself is one. */
  async function amendState(change: `${string} = ${string}`): Promise<void> {
    const [member = '', value = ''] = change.split(' = ');
    const changes = [`${value} as ${member}`, ...(member === 'version' ? [] : ['version + 1 as version'])];
    await clickhouse.command({
      query: `insert into rollup_state select * replace (${changes.join(', ')}) from rollup_state final`,
    });
  }

  return {
    databases,
    clickhouse,
    insert,
    findVisits,
    findAllTotals,
    findByLink,
    amendState,
    readState,
    expectStored,
    /** Rolls up with a client that may fail, at most as many steps as said. */
    async rollUp(
      options: { keptMonths?: number; stepsMax?: number; through?: ClickHouseClient } = {},
    ): Promise<readonly RollupStep[]> {
      const { keptMonths = 0, stepsMax = Infinity, through = clickhouse } = options;
      const steps: RollupStep[] = [];
      await rollUp(through, {
        keptMonths,
        mayGoOn: () => Promise.resolve(steps.length < stepsMax),
        report: (step) => steps.push(step),
      });
      return steps;
    },
    /**
     * As if longer had passed since the last insert than one may be on its way (INSERT_ASSUMED_DEAD_SECONDS): the state no longer
     * looks at what came late up to this second, and this second is waited for.
     */
    async letInsertsSettle(): Promise<void> {
      await amendState('late_from = now() + interval 1 second');
      const query = 'select now() >= late_from as isOver from rollup_state final';
      await until(async () => {
        const result = await clickhouse.query({ query, format: 'JSONEachRow' });
        return (await result.json<{ isOver: number }>())[0]?.isOver === 1;
      }, 'the second is over');
    },
    /** Holds every answer about a smartlink against the rows that were inserted. */
    async expectExact(smartlinkId: string): Promise<void> {
      const known = [...rows.values()].filter((row) => row.smartlink_id === smartlinkId);
      const state = await readState();
      for (const range of takeRanges()) {
        expect(await findVisits(smartlinkId, range, state), JSON.stringify(range)).toEqual(
          countVisits(known, range),
        );
      }
      const days = takeDays();
      const ids = new Set([...rows.values()].map((row) => row.smartlink_id));
      const byLink = [...(await findByLink(days, state))].filter(([id]) => ids.has(id));
      expect(new Map(byLink), JSON.stringify(days)).toEqual(countByLink([...rows.values()], days));
      await expectStored(state);
      for (const ids of [[smartlinkId], null]) {
        const found = (await findAllTotals(ids, state)).get(smartlinkId);
        expect(found ?? { clicks: 0, scans: 0, fallbacks: 0 }).toEqual(sumTotals(known));
      }
      const all = { clicks: 0, scans: 0, fallbacks: 0 };
      for (const { clicks, scans, fallbacks } of (await findAllTotals(null, state)).values()) {
        all.clicks += clicks;
        all.scans += scans;
        all.fallbacks += fallbacks;
      }
      expect(await findAccountTotals(clickhouse, state, OWNER, LIMIT_MS)).toEqual(all);
    },
    async clear(): Promise<void> {
      rows.clear();
      for (const table of [
        'events',
        'visits_daily',
        'visits_daily_counts',
        'visits_monthly_counts',
        'visits_daily_by_owner',
        'rollup_state',
      ]) {
        await clickhouse.command({ query: `truncate table ${table}` });
      }
    },
    async close(): Promise<void> {
      await clickhouse.close();
      await databases.drop();
    },
  };
}

type StoredRow = { readonly key: string; readonly day: string; readonly [column: string]: unknown };

type Range = Pick<SeriesRequest, 'interval' | 'timeZone' | 'from' | 'to'>;

// Ordinary runs take two of the six at a time, in turn.
const RANGES_TAKEN = trialSize(2, 6);
let rangesTaken = 0;

function takeRanges(): readonly Range[] {
  const all = ranges();
  return Array.from({ length: RANGES_TAKEN }, () => all[rangesTaken++ % all.length] as Range);
}

function takeDays(): Pick<Range, 'from' | 'to'> {
  const all = [
    { from: null, to: null },
    { from: daysAgo(95), to: daysAgo(20) },
    { from: null, to: `${daysAgo(31).slice(0, 7)}-01` },
  ];
  return all[rangesTaken % all.length] as Pick<Range, 'from' | 'to'>;
}

const ranges = (): readonly Range[] => [
  { interval: 'day', timeZone: 'UTC', from: null, to: null },
  { interval: 'day', timeZone: 'UTC', from: daysAgo(4), to: daysAgo(1) },
  { interval: 'week', timeZone: 'UTC', from: daysAgo(20), to: null },
  { interval: 'month', timeZone: 'UTC', from: null, to: daysAgo(2) },
  { interval: 'day', timeZone: 'Asia/Kathmandu', from: null, to: null },
  { interval: 'hour', timeZone: 'America/New_York', from: daysAgo(3), to: daysAgo(1) },
];

/** A random visit of the day `day` days ago. */
export function makeVisit(random: (below: number) => number, smartlinkId: string, day: number): EventRow {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const time = [random(24), random(60), random(60)].map((part) => String(part).padStart(2, '0')).join(':');
  const isExcluded = random(8) === 0;
  const isPress = random(8) === 0;
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
    language: pick(['', 'az', 'en-US']),
    utm_source: pick(['', '', 'newsletter', 'other']),
    utm_medium: pick(['', 'email']),
    utm_campaign: pick(['', 'spring', 'summer']),
    domain: pick(['', '', 'go.example.com']),
    rule: pick(['', '', 'phones']),
    variant: pick(['', 'a', 'b']),
    visitor_id: String(random(6)),
    ...(isPress ? toPress(pick(['button:0', 'button:3', 'contact:1', 'store:appStoreLink'])) : {}),
  });
}

export const toPress = (button: string) => ({ outcome: 'excluded', exclusion: 'press', button }) as const;

/** Expects the counts of the cells before `openFrom` to be in both tables. */
async function expectCopiedCounts(clickhouse: ClickHouseClient, openFrom: string): Promise<void> {
  const members = 'owner_id, smartlink_id, date, clicks, scans, fallbacks, visitors, version';
  const query = ['visits_daily', 'visits_daily_counts']
    .map(
      (table) => `
select groupBitXor(cityHash64(${members})) as hash, count() as cells from ${table} final where date < {openFrom:Date}`,
    )
    .join(' union all ');
  const asked = await clickhouse.query({ query, query_params: { openFrom }, format: 'JSONEachRow' });
  const [cells, counts] = await asked.json();
  expect(counts).toEqual(cells);
}

/** A client whose n-th statement fails after it was carried out, and all later ones before they are sent. */
export function failingClient(sound: ClickHouseClient, n: number): ClickHouseClient {
  let statements = 0;
  const cutOff = () => Promise.reject(new Error(`cut off at statement ${n}`));
  const through = async <T>(send: () => Promise<T>): Promise<T> => {
    statements += 1;
    if (statements > n) return cutOff();
    const answer = await send();
    return statements === n ? cutOff() : answer;
  };
  return {
    query: (...args: Parameters<ClickHouseClient['query']>) => through(() => sound.query(...args)),
    command: (...args: Parameters<ClickHouseClient['command']>) => through(() => sound.command(...args)),
  } as unknown as ClickHouseClient;
}

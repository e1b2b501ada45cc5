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
import type { RollupStep } from '@smartlink/visit-analytics/rollup-progress';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import type { RollupState } from '@smartlink/visit-analytics/rollup-state';
import { findSeries } from '@smartlink/visit-analytics/series';
import type { Series, SeriesRequest } from '@smartlink/visit-analytics/series';
import { findTotals } from '@smartlink/visit-analytics/totals';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { expect, inject } from 'vitest';
import { countVisits, sumTotals } from './counted-rows.js';

export const OWNER = randomUUID();
/** Asked for anew each time: a run may go on over midnight. */
export const today = (): string => new Date().toISOString().slice(0, 10);
export const daysAgo = (days: number): string => addDays(today(), -days);

const LIMIT_MS = 60_000;

export type RollupTrial = Awaited<ReturnType<typeof openRollupTrial>>;

/** Returns tables of events and cells of the file's own, and what fills them, rolls them up and asks. The caller closes it. */
export async function openRollupTrial() {
  const databases: TestDatabases = await createTestDatabases(inject('stack'));
  const clickhouse = createClient({
    url: databases.clickhouseUrl,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
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
    amendState,
    readState,
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
     * As if longer had passed since the last insert than one may be on its way (INSERT_SECONDS_MAX): the state no longer
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
      for (const range of ranges()) {
        expect(await findVisits(smartlinkId, range, state), JSON.stringify(range)).toEqual(
          countVisits(known, range),
        );
      }
      for (const ids of [[smartlinkId], null]) {
        const found = (await findAllTotals(ids, state)).get(smartlinkId);
        expect(found ?? { clicks: 0, scans: 0, fallbacks: 0 }).toEqual(sumTotals(known));
      }
    },
    async clear(): Promise<void> {
      rows.clear();
      for (const table of ['events', 'visits_daily', 'rollup_state']) {
        await clickhouse.command({ query: `truncate table ${table}` });
      }
    },
    async close(): Promise<void> {
      await clickhouse.close();
      await databases.drop();
    },
  };
}

type Range = Pick<SeriesRequest, 'interval' | 'timeZone' | 'from' | 'to'>;

const ranges = (): readonly Range[] => [
  { interval: 'day', timeZone: 'UTC', from: null, to: null },
  { interval: 'day', timeZone: 'UTC', from: daysAgo(4), to: daysAgo(1) },
  { interval: 'week', timeZone: 'UTC', from: daysAgo(20), to: null },
  { interval: 'month', timeZone: 'UTC', from: null, to: daysAgo(2) },
  { interval: 'day', timeZone: 'Asia/Kathmandu', from: null, to: null },
  { interval: 'hour', timeZone: 'America/New_York', from: daysAgo(3), to: daysAgo(1) },
];

/** Returns a visit of a day so many days ago, whatever `random` makes of it. */
export function makeVisit(random: (below: number) => number, smartlinkId: string, day: number): EventRow {
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

import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { findSeries, findTotals, readRollupState } from '@smartlink/visits/analytics';
import { rollUp } from '@smartlink/visits/rollup';
import { type Admin, useAdmin } from './run-admin.js';

const LIMIT_MS = 10_000;

export type Visited = {
  readonly userId: string;
  readonly email: string;
  readonly smartlinkId: string;
  /** In lower case; it was typed in upper case. */
  readonly slug: string;
};

const LISTED = `owner_id = {userId:UUID} and date >= {ownersFrom:Date}
  and (is_carried or date < {openFrom:Date} and date not in {late:Array(Date)})`;
const DIFFERING = `
select date, is_carried, groupArray(source) as sources
from (
  select 'owner' as source, date, is_carried, clicks, scans, fallbacks, visitors, toString(countries) as countries,
         toString(excluded) as excluded, toString(hours) as hours
  from visits_daily_by_owner final where ${LISTED}
  union all
  select 'cells', date, version < 100000000000000 as is_carried, sum(clicks), sum(scans), sum(fallbacks), sum(visitors),
         toString(sumMap(countries)), toString(sumMap(excluded)),
         toString(tuple(sumForEach(hours.clicks), sumForEach(hours.scans), sumForEach(hours.fallbacks)))
  from visits_daily final where ${LISTED} group by date, is_carried
)
group by date, is_carried, clicks, scans, fallbacks, visitors, countries, excluded, hours
having count() = 1`;

/** Visits in the ClickHouse of a test, and what is answered about them. The caller closes it. */
export function openVisits(admin: Admin) {
  const clickhouse: ClickHouseClient = createClient({
    url: admin.databases.clickhouseUrl,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const insert = async (...rows: readonly EventRow[]): Promise<void> => {
    await clickhouse.insert({ table: 'events', format: 'JSONEachRow', values: rows });
  };
  return {
    clickhouse,
    insert,
    /** A user's events, as they are inserted. */
    findEvents: async (userId: string): Promise<readonly EventRow[]> => {
      const result = await clickhouse.query({
        query: 'select * from events final where owner_id = {userId:UUID}',
        query_params: { userId },
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
      });
      return result.json<EventRow>();
    },
    rollUp: () =>
      rollUp(clickhouse, {
        keptMonths: 0,
        mayGoOn: () => Promise.resolve(true),
        report: () => undefined,
      }),
    clear: async () => {
      for (const table of [
        'events',
        'visits_daily',
        'visits_daily_counts',
        'visits_monthly_counts',
        'visits_daily_by_owner',
        'rollup_state',
        'forgotten_visits',
      ]) {
        await clickhouse.command({ query: `truncate table ${table}` });
      }
    },
    /** A user with one smartlink, which was visited on three days of two months, and by a bot on a fourth. */
    makeVisited: async (): Promise<Visited> => {
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      await admin.db.query(`insert into users (id, email, plan) values ($1, $2, 'Enterprise')`, [
        userId,
        email,
      ]);
      const smartlinkId = randomUUID();
      const slug = `s${smartlinkId.slice(0, 8)}`;
      await admin.createSmartlink({ userId, smartlinkId, slug: slug.toUpperCase() });
      const visit = (ts: string, changes: EventRow = {}) =>
        makeEventRow(userId, smartlinkId, { ts, slug, visitor_id: '18446744073709551615', ...changes });
      await insert(
        visit('2026-02-27 23:59:59.999'),
        visit('2026-03-10 00:00:00.000', { source: 'scan' }),
        visit('2026-03-10 23:59:59.999', { outcome: 'fallback' }),
        visit('2026-03-11 00:00:00.000', { outcome: 'excluded', exclusion: 'bot' }),
        visit('2026-03-12 10:00:00.000'),
      );
      return { userId, email, smartlinkId, slug };
    },
    /**
     * What the API would answer: clicks and scans by day, and the totals of the list. Fails when the rows by owner that may
     * be read are not the sums of the cells.
     */
    count: async ({ userId, smartlinkId }: Pick<Visited, 'userId' | 'smartlinkId'>) => {
      const state = await readRollupState(clickhouse, LIMIT_MS);
      const { openFrom, ownersFrom, lateCells } = state;
      const late = lateCells.map(({ date }) => date);
      const query_params = { userId, openFrom, ownersFrom, late };
      const differing = await clickhouse.query({ query: DIFFERING, query_params, format: 'JSONEachRow' });
      expect(await differing.json()).toEqual([]);
      const range = { interval: 'day', timeZone: 'UTC', from: null, to: null } as const;
      const [series, totals] = await Promise.all([
        findSeries(clickhouse, state, { ownerId: userId, smartlinkId, ...range }, LIMIT_MS),
        findTotals(clickhouse, state, { ownerId: userId, ids: [smartlinkId] }, LIMIT_MS),
      ]);
      return {
        days: Object.fromEntries(series.entries.map(({ date, clicks, scans }) => [date, clicks + scans])),
        sum: series.totals.clicks + series.totals.scans,
        totals: totals.get(smartlinkId) ?? null,
      };
    },
    close: () => clickhouse.close(),
  };
}

export type Visits = ReturnType<typeof openVisits>;

/** Gives a test file the command on databases of its own, and each of its tests tables of visits that are empty. */
export function frameWithVisits(): { readonly admin: Admin; readonly visits: Visits } {
  const frame = { admin: useAdmin() } as { admin: Admin; visits: Visits };
  beforeAll(() => {
    frame.visits = openVisits(frame.admin);
  });
  afterAll(() => frame.visits.close());
  beforeEach(() => frame.visits.clear());
  return frame;
}

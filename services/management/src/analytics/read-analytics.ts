import type { ClickHouseClient } from '@clickhouse/client';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { labelOf, labelsBetween } from '@smartlink/visit-analytics/calendar';
import { NO_FIGURES } from '@smartlink/visit-analytics/figures';
import type { Entry, Figures } from '@smartlink/visit-analytics/figures';
import type { RollupStateReader } from '@smartlink/visit-analytics/rollup-state';
import { ENTRIES_MAX, findSeries } from '@smartlink/visit-analytics/series';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import { ANALYTICS_TIMEOUT_MS, orUnavailable, startLimit } from './availability.js';
import { planRange, requireOrder } from './analytics-query.js';
import type { AnalyticsQuery, Range } from './analytics-query.js';
import { findName, saveTotals } from './queries.js';

export type SmartlinkAnalytics = {
  readonly smartlinkId: string;
  readonly smartlinkName: string;
  readonly totals: Figures;
  readonly entries: readonly Entry[];
};

/**
 * Returns the use case of one smartlink's analytics, in any status. Totals are over all time, whatever the range, so
 * that they equal those of every other answer. Rejects with ApiError; SERVICE_UNAVAILABLE when ClickHouse does not
 * answer within 5 s.
 */
export function createAnalyticsReader(deps: {
  clickhouse: ClickHouseClient;
  pg: Queryable;
  readState: RollupStateReader;
  now: () => number;
}) {
  const { clickhouse, pg, readState, now } = deps;
  return async (principal: Principal, query: AnalyticsQuery): Promise<SmartlinkAnalytics> => {
    requireOrder(query);
    const name = isSmartlinkId(query.id) ? await findName(pg, query.id, principal.userId) : null;
    if (name === null) throw new ApiError('NOT_FOUND');
    const range = planRange(query, principal.plan, now());
    const link = { ownerId: principal.userId, smartlinkId: query.id };
    const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
    const { entries, totals } = await orUnavailable(
      readState(leftMs()).then((state) => findSeries(clickhouse, state, { ...link, ...range }, leftMs())),
    );
    if (entries.length > ENTRIES_MAX) throw tooManyEntries();
    // For when ClickHouse does not answer; a failure only leaves older ones.
    saveTotals(pg, [{ id: query.id, ...totals }]).catch(() => undefined);
    return {
      smartlinkId: query.id,
      smartlinkName: name,
      totals,
      entries: query.fill === 'zero' ? fillWithZeros(entries, range) : entries,
    };
  };
}

/** Returns an entry for every interval of the range; an open end is the first entry, or the present. */
function fillWithZeros(entries: readonly Entry[], range: Range): readonly Entry[] {
  const first = range.from === null ? entries[0]?.date : firstLabel(range.from, range);
  if (first === undefined) return entries;
  const now =
    range.interval === 'hour' ? range.nowLabel : labelOf(range.nowLabel.slice(0, 10), range.interval);
  const newest = entries.at(-1)?.date ?? '';
  const last = range.to === null ? (newest > now ? newest : now) : lastLabel(range.to, range);
  const labels = labelsBetween(first, last, range.interval, ENTRIES_MAX);
  if (labels === null) throw tooManyEntries();
  const byDate = new Map(entries.map((entry) => [entry.date, entry]));
  return labels.map((date) => byDate.get(date) ?? { date, ...NO_FIGURES });
}

const tooManyEntries = () => fault('from', `The range has more than ${ENTRIES_MAX} entries`);

const firstLabel = (date: string, { interval }: Range) =>
  interval === 'hour' ? `${date}T00:00` : labelOf(date, interval);
const lastLabel = (date: string, { interval }: Range) =>
  interval === 'hour' ? `${date}T23:00` : labelOf(date, interval);

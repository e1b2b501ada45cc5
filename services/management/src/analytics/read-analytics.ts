import type { ClickHouseClient } from '@clickhouse/client';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '@smartlink/process/database';
import type { SmartlinkType } from '@smartlink/smartlink/model';
import {
  availableFrom,
  ENTRIES_MAX,
  type Entry,
  type Figures,
  findAccountTotals,
  findRecentVisits,
  findSeries,
  findSeriesOfMany,
  findTotals,
  hasFilters,
  labelOf,
  labelsBetween,
  type ManySeries,
  NO_FIGURES,
  NO_TOTALS,
  type RecentVisit,
  type RollupState,
  type RollupStateReader,
  type SeriesRequest,
  type Totals,
  type VisitCursor,
} from '@smartlink/visits/analytics';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { isSmartlinkId } from '../requests.js';
import { findTitles, type Titles } from './buttons.js';
import { type AnalyticsQuery, planRange, type Range, requireOrder, visitFiltersOf } from './queries.js';
import { saveTotals, startLimit } from './totals.js';

/** Time limit of an analytics answer, in ms; totals in lists have a far shorter one. */
export const ANALYTICS_TIMEOUT_MS = 5_000;

export type ReaderDeps = {
  readonly clickhouse: ClickHouseClient;
  readonly pg: Queryable;
  readonly readState: RollupStateReader;
  readonly now: () => number;
  /** Longer ranges are left to the thread of heavy requests; null in that thread. */
  readonly rangeDaysMax: number | null;
};

export type SmartlinkAnalytics = {
  readonly smartlinkId: string;
  readonly smartlinkName: string;
  /** Of pressed buttons. */
  readonly titles: Titles;
  readonly totals: Figures;
  readonly entries: readonly Entry[];
  /** The first day with events, where `from` is before it. */
  readonly availableFrom: string | null;
};

/**
 * The analytics of one smartlink, in any status. Totals cover all time, regardless of the range, and
 * equal the totals in all other answers; with filters of visits, all visits that are kept. Rejects with ApiError; SERVICE_UNAVAILABLE when ClickHouse does not answer within 5 s.
 * Throws TooHeavy.
 */
export function createAnalyticsReader({ clickhouse, pg, readState, now, rangeDaysMax }: ReaderDeps) {
  return async (principal: Principal, query: AnalyticsQuery): Promise<SmartlinkAnalytics> => {
    requireOrder(query);
    const name = isSmartlinkId(query.id) ? await findName(pg, query.id, principal.userId) : null;
    if (name === null) throw new ApiError('NOT_FOUND');
    const range = planRange(query, principal.plan, now());
    if (rangeDaysMax !== null && daysOf(range, now()) > rangeDaysMax) throw new TooHeavy();
    const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
    const { entries, totals, availableFrom } = await orUnavailable(
      readState(leftMs()).then((state) =>
        isPlain(query)
          ? findWhole(state, { ownerId: principal.userId, smartlinkId: query.id, ...range }, leftMs)
          : findChosen(state, { ownerId: principal.userId, query, range }, leftMs),
      ),
    );
    if (entries.length > ENTRIES_MAX) throw tooManyEntries();
    return {
      smartlinkId: query.id,
      smartlinkName: name,
      titles: await findTitles(pg, { id: query.id, userId: principal.userId }, Object.keys(totals.presses)),
      totals,
      entries: query.fill === 'zero' ? fillWithZeros(entries, range) : entries,
      availableFrom,
    };
  };

  async function findWhole(
    state: RollupState,
    request: SeriesRequest,
    leftMs: () => number,
  ): Promise<ManySeries> {
    const found = await findSeries(clickhouse, state, request, leftMs());
    // A failure only leaves older totals for the next outage.
    saveTotals(pg, [{ id: request.smartlinkId, ...found.totals }]).catch(() => undefined);
    const readsEvents = request.interval === 'hour' || request.timeZone !== 'UTC';
    return { ...found, availableFrom: readsEvents ? availableFrom(request, state) : null };
  }

  async function findChosen(
    state: RollupState,
    { ownerId, query, range }: { ownerId: string; query: AnalyticsQuery; range: Range },
    leftMs: () => number,
  ): Promise<ManySeries> {
    const request = {
      selection: { ownerId, smartlinks: { ids: [query.id], areExcluded: false } },
      filters: visitFiltersOf(query),
      countsOnly: query.fields === 'counts',
      withPresses: true,
      ...range,
    };
    const whole = { ...request, from: null, to: null, interval: 'month' } as const;
    const [found, { totals }] = await Promise.all([
      findSeriesOfMany(clickhouse, state, request, leftMs()),
      findSeriesOfMany(clickhouse, state, whole, leftMs()),
    ]);
    return { ...found, totals };
  }
}

const isPlain = (query: AnalyticsQuery): boolean =>
  query.fields === undefined && !hasFilters(visitFiltersOf(query));

// Eleven years are 4,000 entries.
const LIGHT_RANGE_DAYS_MAX = 400;

/** Null in the thread of heavy requests. */
export const lightRangeDaysMax = (app: FastifyInstance): number | null =>
  app.hasDecorator('heavyRequests') ? LIGHT_RANGE_DAYS_MAX : null;

/** 0 for an open range: most smartlinks have a short history. */
export function daysOf({ from, to }: Range, nowMs: number): number {
  return from === null ? 0 : ((to === null ? nowMs : Date.parse(to)) - Date.parse(from)) / 86_400_000;
}

/** An entry for every interval of the range. An open range starts with the first entry and ends now. */
export function fillWithZeros(entries: readonly Entry[], range: Range): readonly Entry[] {
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

export const tooManyEntries = () => fault('from', `The range has more than ${ENTRIES_MAX} entries`);

const firstLabel = (date: string, { interval }: Range) =>
  interval === 'hour' ? `${date}T00:00` : labelOf(date, interval);
const lastLabel = (date: string, { interval }: Range) =>
  interval === 'hour' ? `${date}T23:00` : labelOf(date, interval);

const LISTED_MAX = 1_000;
const RECENT_MAX = 20;

// Visits are read newest first until twenty belong to smartlinks that are not deleted. Owners who deleted their most
// visited smartlinks may get fewer.
const PAGE_ROWS = 200;
const PAGES_MAX = 10;
// A day holds twenty visits of a busy owner; others have few rows to search.
const WINDOWS_MS = [86_400_000, 30 * 86_400_000];
const NEWEST: VisitCursor = {
  timeMs: Date.UTC(2200, 0, 1),
  eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The summary of an owner's Active and Paused smartlinks. Rejects like analytics. */
export function createSummaryReader({ clickhouse, pg, readState, now }: Omit<ReaderDeps, 'rangeDaysMax'>) {
  return async ({ userId, email, plan }: Principal): Promise<object> => {
    const listed = await findNewest(pg, userId, LISTED_MAX + 1);
    const shown = listed.slice(0, LISTED_MAX);
    const kept =
      listed.length > LISTED_MAX
        ? await findKept(pg, userId)
        : { count: listed.length, ids: new Set(listed.map(({ id }) => id)), areExcluded: false };
    const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
    const read = { clickhouse, userId, leftMs };
    const [{ totals, all }, recent] = await orUnavailable(
      Promise.all([
        readState(leftMs()).then(async (state) => {
          const totals = await findTotalsOfMany(
            read,
            state,
            shown.map(({ id }) => id),
          );
          return { totals, all: await sumKept(read, state, kept, totals) };
        }),
        findRecent(clickhouse, { ownerId: userId, kept, nowMs: now(), leftMs }),
      ]),
    );
    return {
      user: { id: userId, email, subscription: plan.name },
      summary: {
        totalSmartlinks: kept.count,
        totalClicks: all.clicks,
        totalQrCodeScans: all.scans,
        totalFallbacks: all.fallbacks,
      },
      smartlinks: shown.map(({ id, name, type }) => {
        const { clicks, scans } = totals.get(id) ?? NO_TOTALS;
        return { id, name, type, clicks, qrScans: scans };
      }),
      recentActivity: recent.map(toActivity),
    };
  };
}

/** The smartlinks that are not deleted: those of `ids`, or all others, whichever are fewer. */
type Kept = { readonly count: number; readonly ids: ReadonlySet<string>; readonly areExcluded: boolean };

const isKept = ({ ids, areExcluded }: Kept, id: string): boolean => ids.has(id) !== areExcluded;

type Read = {
  readonly clickhouse: ClickHouseClient;
  readonly userId: string;
  readonly leftMs: () => number;
};

// A server takes 128 KiB in a parameter.
const PARAMETER_IDS_MAX = 2_500;

async function findTotalsOfMany(
  { clickhouse, userId, leftMs }: Read,
  state: RollupState,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Totals>> {
  const found = new Map<string, Totals>();
  for (let i = 0; i < ids.length; i += PARAMETER_IDS_MAX) {
    const some = { ownerId: userId, ids: ids.slice(i, i + PARAMETER_IDS_MAX) };
    for (const [id, totals] of await findTotals(clickhouse, state, some, leftMs())) found.set(id, totals);
  }
  return found;
}

/** The sum over smartlinks that are not deleted; `known` has the totals of some of them. */
async function sumKept(
  read: Read,
  state: RollupState,
  { ids, areExcluded }: Kept,
  known: ReadonlyMap<string, Totals>,
): Promise<Totals> {
  if (!areExcluded) {
    const others = [...ids].filter((id) => !known.has(id));
    const rest = ids.size <= LISTED_MAX ? [] : (await findTotalsOfMany(read, state, others)).values();
    return sumTotals([...[...ids].flatMap((id) => known.get(id) ?? []), ...rest]);
  }
  const [all, deleted] = await Promise.all([
    findAccountTotals(read.clickhouse, state, read.userId, read.leftMs()),
    findTotalsOfMany(read, state, [...ids]),
  ]);
  const { clicks, scans, fallbacks } = sumTotals(deleted.values());
  return { clicks: all.clicks - clicks, scans: all.scans - scans, fallbacks: all.fallbacks - fallbacks };
}

function sumTotals(totals: Iterable<Totals>): Totals {
  const sum = { clicks: 0, scans: 0, fallbacks: 0 };
  for (const { clicks, scans, fallbacks } of totals) {
    sum.clicks += clicks;
    sum.scans += scans;
    sum.fallbacks += fallbacks;
  }
  return sum;
}

async function findRecent(
  clickhouse: ClickHouseClient,
  request: { ownerId: string; kept: Kept; nowMs: number; leftMs: () => number },
): Promise<readonly RecentVisit[]> {
  const { ownerId, kept, nowMs, leftMs } = request;
  const recent: RecentVisit[] = [];
  const windows = WINDOWS_MS.map((windowMs) => nowMs - windowMs);
  let sinceMs = windows.shift() ?? 0;
  let before = NEWEST;
  for (let pages = 0; pages < PAGES_MAX && kept.count > 0; pages += 1) {
    const page = { ownerId, sinceMs, before, limit: PAGE_ROWS };
    const { visits, isAll } = await findRecentVisits(clickhouse, page, leftMs());
    recent.push(...visits.filter((visit) => isKept(kept, visit.smartlinkId)));
    before = visits.at(-1) ?? before;
    if (recent.length >= RECENT_MAX) break;
    if (!isAll) continue;
    if (sinceMs === 0) break;
    sinceMs = windows.shift() ?? 0;
  }
  return recent.slice(0, RECENT_MAX);
}

function toActivity(visit: RecentVisit): object {
  const { smartlinkId, source, outcome, timeMs, country, device } = visit;
  const action = outcome === 'fallback' ? 'fallback' : source === 'scan' ? 'qr_scan' : 'click';
  return { smartlinkId, action, timestamp: new Date(timeMs).toISOString(), country, device };
}

/** Rejects with SERVICE_UNAVAILABLE when ClickHouse fails: no figures are better than zeros. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (err) {
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: err });
  }
}

const FIND_NAME = `select name from smartlinks where id = $1 and user_id = $2`;

/** The name of an owner's smartlink in any status, or null. */
async function findName(db: Queryable, id: string, userId: string): Promise<string | null> {
  const { rows } = await db.query(FIND_NAME, [id, userId]);
  return (rows[0] as { name: string } | undefined)?.name ?? null;
}

type SummarisedLink = { readonly id: string; readonly name: string; readonly type: SmartlinkType };

const FIND_NEWEST = `
select id, name, type from smartlinks
where user_id = $1 and status in ('Active', 'Paused')
order by created_at desc, id desc
limit $2`;

async function findNewest(db: Queryable, userId: string, limit: number): Promise<readonly SummarisedLink[]> {
  const { rows } = await db.query(FIND_NEWEST, [userId, limit]);
  return rows as SummarisedLink[];
}

// From the index alone: of 100,000 smartlinks 10 ms.
const COUNT_BY_STATUS = `
select count(*) filter (where status <> 'Deleted')::integer as kept,
       count(*) filter (where status = 'Deleted')::integer as deleted
from smartlinks where user_id = $1`;

async function findKept(db: Queryable, userId: string): Promise<Kept> {
  const { rows } = await db.query(COUNT_BY_STATUS, [userId]);
  const { kept, deleted } = rows[0] as { kept: number; deleted: number };
  const areExcluded = deleted < kept;
  const statuses = areExcluded ? ['Deleted'] : ['Active', 'Paused'];
  const found = await db.query(FIND_IDS, [userId, statuses]);
  const ids = new Set((found.rows as { id: string }[]).map(({ id }) => id));
  return { count: areExcluded ? kept : ids.size, ids, areExcluded };
}

const FIND_IDS = 'select id from smartlinks where user_id = $1 and status = any($2::text[])';

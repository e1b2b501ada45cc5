import type { Queryable } from '@smartlink/process/database';
import { relink } from '@smartlink/smartlink/model';
import { DOMAIN_COLUMN } from '@smartlink/smartlink/store';
import {
  addDays,
  type BreakdownRow,
  countBySmartlink,
  countPresses,
  ENTRIES_MAX,
  type Figures,
  findBreakdown,
  findRealtime,
  findSeriesOfMany,
  type Realtime,
  type ManySeries,
  type VisitCounts,
} from '@smartlink/visits/analytics';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { TooHeavy } from '../fairness/heavy-requests.js';
import { findTitles, type Titles } from './buttons.js';
import { chooseSmartlinks } from './choose-smartlinks.js';
import {
  type AccountQuery,
  type BreakdownQuery,
  planRange,
  type RealtimeQuery,
  requireOrder,
  visitFiltersOf,
} from './queries.js';
import {
  ANALYTICS_TIMEOUT_MS,
  daysOf,
  fillWithZeros,
  orUnavailable,
  type ReaderDeps,
  tooManyEntries,
} from './read-analytics.js';
import { startLimit } from './totals.js';

export type AccountReaderDeps = ReaderDeps & { readonly publicBaseUrl: string };

export type AccountAnalytics = ManySeries & {
  /** Of pressed buttons. */
  readonly titles: Titles;
  readonly previous: { readonly from: string; readonly to: string; readonly totals: Figures } | null;
};

/** `value` is null for visits without one. */
export type BreakdownAnswerRow = VisitCounts & {
  readonly value: string | null;
  readonly uniqueVisitors?: number;
  readonly name?: string;
  readonly relink?: string;
};

export type BreakdownAnswer = {
  readonly rows: readonly BreakdownAnswerRow[];
  readonly other: VisitCounts;
  readonly total: VisitCounts;
  readonly availableFrom: string | null;
};

/** `title` is null for a button that the present version does not have. */
export type PressesAnswer = {
  readonly rows: readonly {
    readonly value: string;
    readonly title: string | null;
    readonly presses: number;
  }[];
  readonly other: { readonly presses: number };
  readonly total: { readonly presses: number };
  readonly availableFrom: string | null;
};

const ROWS_DEFAULT = 100;
// Joining the counts of more holds the event loop.
const LIGHT_LINKS_MAX = 2_000;

/**
 * The figures of an account's smartlinks. Rejects with ApiError; SERVICE_UNAVAILABLE when ClickHouse does not answer within
 * 5 s. Throws TooHeavy.
 */
export const createAccountReader = (deps: AccountReaderDeps) => ({
  readAnalytics: (principal: Principal, query: AccountQuery) => readAnalytics(deps, principal, query),
  readBreakdown: (principal: Principal, query: VisitsQuery) => readBreakdown(deps, principal, query),
  readPresses: (principal: Principal, query: BreakdownQuery) => readPresses(deps, principal, query),
  readRealtime: (principal: Principal, query: RealtimeQuery) => readRealtime(deps, principal, query),
});

async function readAnalytics(
  deps: AccountReaderDeps,
  principal: Principal,
  query: AccountQuery,
): Promise<AccountAnalytics> {
  const { clickhouse, pg, readState, now, rangeDaysMax } = deps;
  const isLight = rangeDaysMax !== null;
  requireOrder(query);
  const { userId, plan } = principal;
  const range = planRange(query, plan, now());
  const before =
    query.compare === undefined ? null : planRange({ ...query, ...daysBefore(range) }, plan, now());
  if (isLight && daysOf(range, now()) > rangeDaysMax) throw new TooHeavy();
  const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
  const selection = await chooseSmartlinks(pg, { userId, isLight }, query);
  const [id = '', ...others] = query.id ?? [];
  const chosen = {
    selection,
    filters: visitFiltersOf(query),
    countsOnly: query.fields === 'counts',
    withPresses: query.id !== undefined && others.length === 0,
  };
  const [found, previous] = await orUnavailable(
    readState(leftMs()).then((state) =>
      Promise.all([
        findSeriesOfMany(clickhouse, state, { ...chosen, ...range }, leftMs()),
        before === null
          ? null
          : findSeriesOfMany(clickhouse, state, { ...chosen, ...before, interval: 'day' }, leftMs()),
      ]),
    ),
  );
  if (found.entries.length > ENTRIES_MAX) throw tooManyEntries();
  const pressed = [found.totals, ...(previous === null ? [] : [previous.totals])].flatMap(({ presses }) =>
    Object.keys(presses),
  );
  return {
    ...found,
    titles: await findTitles(pg, { id, userId }, pressed),
    entries: query.fill === 'zero' ? fillWithZeros(found.entries, range) : found.entries,
    availableFrom: previous?.availableFrom ?? found.availableFrom,
    previous:
      previous === null || before === null
        ? null
        : { from: before.from ?? '', to: before.to ?? '', totals: previous.totals },
  };
}

type VisitsQuery = BreakdownQuery & { readonly by: Exclude<BreakdownQuery['by'], 'button'> };

async function readBreakdown(
  deps: AccountReaderDeps,
  principal: Principal,
  query: VisitsQuery,
): Promise<BreakdownAnswer> {
  const { clickhouse, pg, readState, now, rangeDaysMax } = deps;
  const isLight = rangeDaysMax !== null;
  requireOrder(query);
  const { userId, plan } = principal;
  const range = planRange(query, plan, now());
  if (isLight && daysOf(range, now()) > rangeDaysMax) throw new TooHeavy();
  const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
  const selection = await chooseSmartlinks(pg, { userId, isLight }, query);
  const chosen = { selection, filters: visitFiltersOf(query), ...range };
  const { by, limit = ROWS_DEFAULT } = query;
  if (by === 'tag' || by === 'folder') {
    if (isLight && (await hasMoreLinks(pg, userId, LIGHT_LINKS_MAX))) throw new TooHeavy();
    const counts = await orUnavailable(
      readState(leftMs()).then((state) => countBySmartlink(clickhouse, state, chosen, leftMs())),
    );
    return {
      ...(await sumByMembership(pg, { userId, by, limit }, counts)),
      availableFrom: counts.availableFrom,
    };
  }
  const isFilled = by === 'hourOfWeek';
  const found = await orUnavailable(
    readState(leftMs()).then((state) =>
      findBreakdown(
        clickhouse,
        state,
        { ...chosen, by, limit: isFilled ? HOURS_OF_WEEK.length : limit },
        leftMs(),
      ),
    ),
  );
  const filled = isFilled && query.fill === 'zero' ? fillHours(found.rows) : found.rows;
  const rows = filled.slice(0, isFilled && query.limit === undefined ? undefined : limit);
  return {
    rows: by === 'smartlink' ? await withNames(deps, rows) : rows.map(({ uniqueVisitors: _, ...row }) => row),
    other: addCounts([found.total, addCounts(rows, -1)]),
    total: found.total,
    availableFrom: found.availableFrom,
  };
}

/** Presses of one smartlink's buttons. */
async function readPresses(
  deps: AccountReaderDeps,
  principal: Principal,
  query: BreakdownQuery,
): Promise<PressesAnswer> {
  const { clickhouse, pg, readState, now, rangeDaysMax } = deps;
  const [id, ...others] = query.id ?? [];
  if (id === undefined || others.length > 0) throw fault('id', 'Needs one smartlink');
  requireOrder(query);
  const { userId, plan } = principal;
  const range = planRange(query, plan, now());
  if (rangeDaysMax !== null && daysOf(range, now()) > rangeDaysMax) throw new TooHeavy();
  const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
  const selection = await chooseSmartlinks(pg, { userId, isLight: rangeDaysMax !== null }, query);
  const chosen = { selection, filters: visitFiltersOf(query), ...range };
  const { buttons, availableFrom } = await orUnavailable(
    readState(leftMs()).then((state) => countPresses(clickhouse, state, chosen, leftMs())),
  );
  const shown = buttons.slice(0, query.limit ?? ROWS_DEFAULT);
  const names = shown.map(({ button }) => button);
  const titles = await findTitles(pg, { id, userId }, names);
  const sum = (all: typeof buttons) => ({ presses: all.reduce((total, { presses }) => total + presses, 0) });
  return {
    rows: shown.map(({ button, presses }) => ({ value: button, title: titles.get(button) ?? null, presses })),
    other: sum(buttons.slice(shown.length)),
    total: sum(buttons),
    availableFrom,
  };
}

async function readRealtime(deps: AccountReaderDeps, principal: Principal, query: RealtimeQuery) {
  const { clickhouse, pg, now } = deps;
  const isLight = deps.rangeDaysMax !== null;
  const { userId, plan } = principal;
  if (!plan.advancedAllowed) throw new ApiError('PLAN_RESTRICTED');
  const leftMs = startLimit(ANALYTICS_TIMEOUT_MS);
  const selection = await chooseSmartlinks(pg, { userId, isLight }, query);
  const presentMs = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
  const span = { fromMs: presentMs - WHOLE_MINUTES * MINUTE_MS, untilMs: presentMs + MINUTE_MS };
  const found = await orUnavailable(
    findRealtime(clickhouse, { selection, filters: visitFiltersOf(query), ...span }, leftMs()),
  );
  const toRows = (values: Realtime['countries']) => values.map(([value, visits]) => ({ value, visits }));
  return {
    visits: found.visits,
    minutes: Array.from({ length: WHOLE_MINUTES + 1 }, (_, i) => {
      const timeMs = span.fromMs + i * MINUTE_MS;
      const key = String(timeMs / 1_000);
      return {
        time: new Date(timeMs).toISOString(),
        clicks: found.clicks[key] ?? 0,
        qrScans: found.scans[key] ?? 0,
      };
    }),
    smartlinks: await withNames(deps, toRows(found.smartlinks)),
    countries: toRows(found.countries),
    devices: toRows(found.devices),
    referrers: toRows(found.referrers),
  };
}

/** An id without a smartlink has neither name nor address: its visits are about to be deleted. */
async function withNames<Row extends { readonly value: string | null }>(
  { pg, publicBaseUrl }: AccountReaderDeps,
  rows: readonly Row[],
) {
  if (rows.length === 0) return [];
  const { rows: found } = await pg.query(FIND_NAMES, [rows.map(({ value }) => value)]);
  const links = new Map((found as NamedLink[]).map((link) => [link.id, link]));
  return rows.map((row) => {
    const link = links.get(row.value ?? '');
    return link === undefined
      ? row
      : { ...row, name: link.name, relink: relink(publicBaseUrl, link.slug, link.domain) };
  });
}

const MINUTE_MS = 60_000;
const WHOLE_MINUTES = 30;

type NamedLink = Readonly<Record<'id' | 'name' | 'slug', string>> & { readonly domain: string | null };

const FIND_NAMES = `select id, name, slug, ${DOMAIN_COLUMN} from smartlinks where id = any($1::uuid[])`;

/** As many days before a closed range. */
function daysBefore({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  if (from === null || to === null) throw new Error('BUG: requireOrder demands a range');
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

const HOURS_OF_WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].flatMap((day) =>
  Array.from({ length: 24 }, (_, hour) => `${day}-${String(hour).padStart(2, '0')}`),
);

/** Those without visits last, in the order of the week. */
function fillHours(rows: readonly BreakdownRow[]): readonly BreakdownRow[] {
  const known = new Set(rows.map(({ value }) => value));
  const none = { clicks: 0, scans: 0, fallbacks: 0, visits: 0, uniqueVisitors: 0 };
  return [
    ...rows,
    ...HOURS_OF_WEEK.filter((value) => !known.has(value)).map((value) => ({ value, ...none })),
  ];
}

function addCounts(all: readonly VisitCounts[], sign: 1 | -1 = 1): VisitCounts {
  const sums = { clicks: 0, scans: 0, fallbacks: 0, visits: 0 };
  for (const each of all) {
    sums.clicks += sign * each.clicks;
    sums.scans += sign * each.scans;
    sums.fallbacks += sign * each.fallbacks;
    sums.visits += sign * each.visits;
  }
  return sums;
}

const HAS_MORE = 'select 1 from smartlinks where user_id = $1 offset $2 limit 1';

async function hasMoreLinks(pg: Queryable, userId: string, max: number): Promise<boolean> {
  const { rows } = await pg.query(HAS_MORE, [userId, max]);
  return rows.length > 0;
}

// A visit is in each of its smartlink's tags. Names are those of now; a null value is no tag, or no folder.
const countsOfLinks = `
with counts as materialized (
  select * from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[]) as counts (id, clicks, scans, fallbacks)
)`;
const sumsOf = (value: string, name: string, join: string) => `${countsOfLinks}
select ${value} as value, ${name} as name, sum(clicks)::float8 as clicks, sum(scans)::float8 as scans,
       sum(fallbacks)::float8 as fallbacks, sum(clicks + scans)::float8 as visits
from counts ${join}
group by 1, 2
order by visits desc, 1 nulls first`;
const SUM_BY = {
  tag: sumsOf(
    'tags.name',
    'null',
    `left join smartlink_tags on smartlink_tags.smartlink_id = counts.id
     left join tags on tags.id = smartlink_tags.tag_id and tags.user_id = $1`,
  ),
  folder: sumsOf(
    'folders.id',
    'folders.name',
    `left join smartlinks on smartlinks.id = counts.id
     left join folders on folders.id = smartlinks.folder_id and folders.user_id = $1`,
  ),
};

type SumRow = VisitCounts & { readonly value: string | null; readonly name: string | null };

/** Sums counts of smartlinks by tag or folder; `other` is of the groups beyond the limit. */
async function sumByMembership(
  pg: Queryable,
  { userId, by, limit }: { readonly userId: string; readonly by: 'tag' | 'folder'; readonly limit: number },
  { ids, clicks, scans, fallbacks, total }: Awaited<ReturnType<typeof countBySmartlink>>,
): Promise<Omit<BreakdownAnswer, 'availableFrom'>> {
  const arrays = [ids, clicks, scans, fallbacks].map((values) => `{${values}}`);
  const found = await pg.query(SUM_BY[by], [userId, ...arrays]);
  const groups = (found.rows as SumRow[]).map(({ name, ...row }) => (name === null ? row : { ...row, name }));
  return { rows: groups.slice(0, limit), other: addCounts(groups.slice(limit)), total };
}

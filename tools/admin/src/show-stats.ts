import { addDays, labelsBetween } from '@smartlink/visit-analytics/calendar';
import { NO_FIGURES } from '@smartlink/visit-analytics/figures';
import type { Entry, Figures } from '@smartlink/visit-analytics/figures';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { findSeries } from '@smartlink/visit-analytics/series';
import { NO_TOTALS, findTotals } from '@smartlink/visit-analytics/totals';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { formatBarChart } from './bar-chart.js';
import { ANSWER_LIMIT_MS, answerWithin, withClickhouse } from './clickhouse.js';
import { toPrintable, toPrintableJson } from './printable.js';
import { Problem } from './problem.js';
import { withSession } from './session.js';
import { findSmartlink } from './smartlink-queries.js';
import type { SmartlinkRow } from './smartlink-queries.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';
import { noSmartlink } from './visit-scope.js';

const DAYS_MAX = 366;
const TOP_ROWS = 5;
const COLUMNS_DEFAULT = 80;

const TOPS = ['countries', 'devices', 'browsers', 'referrers'] as const;
type Tops = Readonly<Record<(typeof TOPS)[number], readonly (readonly [string, number])[]>>;

type Stats = {
  readonly link: SmartlinkRow;
  readonly address: string;
  /** Over all time, the same as in every answer of the API. */
  readonly totals: Totals;
  readonly allTime: Figures;
  /** One for each day, oldest first. */
  readonly days: readonly Entry[];
  readonly tops: Tops;
};

/** Prints what was counted for a smartlink. Throws Problem when there is none, and when a database is not there. */
export async function showStats(
  terminal: Terminal,
  slug: string,
  options: { readonly days: string; readonly json?: true },
): Promise<void> {
  const dayCount = readDayCount(options.days);
  const stats = await withSession(terminal.env, async (session) => {
    const link = await findSmartlink(session.db, slug);
    if (link === null) throw noSmartlink(slug);
    const address = `${session.addresses.publicBaseUrl ?? ''}/${link.slug}`;
    return withClickhouse(session, async (clickhouse) => {
      const state = await answerWithin(ANSWER_LIMIT_MS, readRollupState(clickhouse, ANSWER_LIMIT_MS));
      const to = new Date().toISOString().slice(0, 10);
      const from = addDays(to, 1 - dayCount);
      const which = { ownerId: link.user_id, smartlinkId: link.id };
      const range = { interval: 'day', timeZone: 'UTC', from, to } as const;
      const [series, totals] = await answerWithin(
        ANSWER_LIMIT_MS,
        Promise.all([
          findSeries(clickhouse, state, { ...which, ...range }, ANSWER_LIMIT_MS),
          findTotals(clickhouse, state, { ownerId: link.user_id, ids: [link.id] }, ANSWER_LIMIT_MS),
        ]),
      );
      const byDate = new Map(series.entries.map((entry) => [entry.date, entry]));
      const labels = labelsBetween(from, to, 'day', DAYS_MAX) ?? [];
      return {
        link,
        address,
        totals: totals.get(link.id) ?? NO_TOTALS,
        allTime: series.totals,
        days: labels.map((date) => byDate.get(date) ?? { date, ...NO_FIGURES }),
        tops: findTops(series.entries),
      };
    });
  });
  terminal.stdout(options.json === true ? `${toPrintableJson(toJson(stats))}\n` : format(stats, terminal));
}

function readDayCount(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > DAYS_MAX) {
    throw new Problem(`--days ${JSON.stringify(text)}: expected a whole number from 1 to ${DAYS_MAX}.`);
  }
  return days;
}

function findTops(entries: readonly Figures[]): Tops {
  const topOf = (name: (typeof TOPS)[number]) => {
    const sums = new Map<string, number>();
    for (const entry of entries) {
      for (const [key, count] of Object.entries(entry[name])) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    return [...sums]
      .toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
      .slice(0, TOP_ROWS);
  };
  return {
    countries: topOf('countries'),
    devices: topOf('devices'),
    browsers: topOf('browsers'),
    referrers: topOf('referrers'),
  };
}

/** Returns the days from when there was the smartlink, or a visit of it. */
function findDaysSinceCreation({ link, days }: Stats): readonly Entry[] {
  const created = link.created_at.toISOString().slice(0, 10);
  const first = days.findIndex(({ date, clicks, scans }) => date >= created || clicks + scans > 0);
  return days.slice(Math.max(0, first));
}

function format(stats: Stats, terminal: Terminal): string {
  const { link, address, totals, allTime, tops } = stats;
  const days = findDaysSinceCreation(stats);
  const aliases =
    link.aliases.length === 0 ? '' : `, also ${link.aliases.map((alias) => `/${alias}`).join(', ')}`;
  const excluded = Object.entries(allTime.excluded).map(([reason, count]) => `${reason} ${count}`);
  const first = days[0]?.date ?? '';
  const last = days.at(-1)?.date ?? '';
  const rows = Array.from({ length: Math.max(0, ...TOPS.map((name) => tops[name].length)) }, (_, i) =>
    TOPS.map((name) => tops[name][i]?.join('  ') ?? ''),
  );
  return [
    `${toPrintable(link.name)} (${link.type}, ${link.status}), of ${toPrintable(link.email)}\n`,
    `${address}${aliases}\n\n`,
    formatTable(
      ['CLICKS', 'QR SCANS', 'FALLBACKS', 'VISITORS', 'NOT COUNTED'],
      [
        [
          ...[totals.clicks, totals.scans, totals.fallbacks, allTime.uniqueVisitors].map(String),
          excluded.length === 0 ? '0' : excluded.join(', '),
        ],
      ],
    ),
    'Visitors are counted by the day and added up: who comes on two days counts twice.\n',
    `\nVisits from ${first} to ${last}, by day (UTC):\n\n`,
    formatBarChart(
      days.map(({ date, clicks, scans }) => ({ label: date, value: clicks + scans })),
      terminal.columns ?? COLUMNS_DEFAULT,
    ),
    rows.length === 0
      ? ''
      : `\n${formatTable(
          TOPS.map((name) => name.toUpperCase()),
          rows,
        )}`,
  ].join('');
}

function toJson({ link, address, totals, allTime, days, tops }: Stats): object {
  return {
    smartlinkId: link.id,
    name: link.name,
    slug: link.slug,
    aliases: link.aliases,
    address,
    status: link.status,
    type: link.type,
    email: link.email,
    totals: { ...totals, uniqueVisitors: allTime.uniqueVisitors, excluded: allTime.excluded },
    days: days.map(({ date, clicks, scans, fallbacks, uniqueVisitors }) => ({
      date,
      clicks,
      scans,
      fallbacks,
      uniqueVisitors,
    })),
    ...Object.fromEntries(TOPS.map((name) => [name, Object.fromEntries(tops[name])])),
  };
}

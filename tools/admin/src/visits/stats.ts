import { toPrintable } from '@smartlink/import/text';
import {
  addDays,
  addFigures,
  type Entry,
  findSeries,
  findTotals,
  labelsBetween,
  NO_FIGURES,
  NO_TOTALS,
  readRollupState,
} from '@smartlink/visits/analytics';
import { formatTable } from '../cli/table.js';
import type { Terminal } from '../cli/terminal.js';
import { toPrintableJson } from '../cli/text.js';
import { ANSWER_LIMIT_MS, withClickhouse } from '../engines/clickhouse.js';
import { addressOf, type Session, withSession } from '../engines/session.js';
import { findSmartlink, noSmartlink } from './scope.js';

export const DAYS_MAX = 366;
const TOP_ROWS = 5;
const COLUMNS_DEFAULT = 80;

const TOPS = ['countries', 'devices', 'browsers', 'referrers'] as const;

/** Prints the figures of a smartlink. */
export async function showStats(
  terminal: Terminal,
  slug: string,
  options: { readonly days: number; readonly json?: true },
): Promise<void> {
  const stats = await withSession(terminal.env, (session) => findStats(session, slug, options.days));
  terminal.stdout(options.json === true ? `${toPrintableJson(toJson(stats))}\n` : format(stats, terminal));
}

type Stats = Awaited<ReturnType<typeof findStats>>;

async function findStats(session: Session, slug: string, dayCount: number) {
  const link = await findSmartlink(session.db, slug);
  if (link === null) throw noSmartlink(slug);
  const to = new Date().toISOString().slice(0, 10);
  const from = addDays(to, 1 - dayCount);
  const owner = { ownerId: link.user_id };
  const request = { ...owner, smartlinkId: link.id, interval: 'day', timeZone: 'UTC', from, to } as const;
  const [series, totals] = await withClickhouse(session, async (clickhouse) => {
    const state = await readRollupState(clickhouse, ANSWER_LIMIT_MS);
    return Promise.all([
      findSeries(clickhouse, state, request, ANSWER_LIMIT_MS),
      findTotals(clickhouse, state, { ...owner, ids: [link.id] }, ANSWER_LIMIT_MS),
    ]);
  });
  const byDate = new Map(series.entries.map((entry) => [entry.date, entry]));
  const labels = labelsBetween(from, to, 'day', DAYS_MAX) ?? [];
  const drawn = addFigures(series.entries);
  return {
    link,
    address: addressOf(session.addresses, link),
    /** Over all time, as in every answer of the API. */
    totals: totals.get(link.id) ?? NO_TOTALS,
    allTime: series.totals,
    /** One for each day, oldest first. */
    days: labels.map((date): Entry => byDate.get(date) ?? { date, ...NO_FIGURES }),
    /** The most frequent values of each of TOPS, in their order. */
    tops: TOPS.map((name) =>
      Object.entries(drawn[name])
        .toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
        .slice(0, TOP_ROWS),
    ),
  };
}

/** The days since the smartlink's creation, or its first visit. */
function findDaysSinceCreation({ link, days }: Stats): readonly Entry[] {
  const created = link.created_at.toISOString().slice(0, 10);
  const first = days.findIndex(({ date, clicks, scans }) => date >= created || clicks + scans > 0);
  return days.slice(Math.max(0, first));
}

function format(stats: Stats, terminal: Terminal): string {
  const { link, address, totals, allTime, tops } = stats;
  const days = findDaysSinceCreation(stats);
  const aliases = [...link.aliases, ...link.imported_addresses].map((alias) => `/${alias}`).join(', ');
  const list = (of: Entry['excluded']) =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const presses = list(allTime.presses);
  const counts = [totals.clicks, totals.scans, totals.fallbacks, allTime.uniqueVisitors].map(String);
  const topCount = Math.max(...tops.map((top) => top.length));
  const topRows = Array.from({ length: topCount }, (_, i) => tops.map((top) => top[i]?.join('  ') ?? ''));
  const headings = TOPS.map((name) => name.toUpperCase());
  return [
    `${toPrintable(link.name)} (${link.type}, ${link.status}), of ${toPrintable(link.email)}\n`,
    `${address}${aliases === '' ? '' : `, also ${aliases}`}\n\n`,
    formatTable(
      terminal,
      ['CLICKS', 'QR SCANS', 'FALLBACKS', 'VISITORS', 'NOT COUNTED'],
      [[...counts, list(allTime.excluded) || '0']],
    ),
    'Visitors are the sum of those of each day: one who returns counts again.\n',
    presses === '' ? '' : `Presses of buttons, which are no visits: ${toPrintable(presses)}\n`,
    `\nVisits from ${days[0]?.date ?? ''} to ${days.at(-1)?.date ?? ''}, by day (UTC):\n\n`,
    formatBarChart(
      days.map(({ date, clicks, scans }) => ({ label: date, value: clicks + scans })),
      terminal.columns ?? COLUMNS_DEFAULT,
    ),
    topRows.length === 0 ? '' : `\n${formatTable(terminal, headings, topRows)}`,
  ].join('');
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BAR_COLUMNS_MIN = 10;

/** A line per row with its label, number and bar, no wider than `columns`; the largest number fills the width. */
export function formatBarChart(
  rows: readonly { readonly label: string; readonly value: number }[],
  columns: number,
): string {
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  const labelColumns = Math.max(0, ...rows.map(({ label }) => label.length));
  const numberColumns = String(largest).length;
  const barColumns = Math.max(BAR_COLUMNS_MIN, columns - labelColumns - numberColumns - 4);
  const lines = rows.map(({ label, value }) => {
    const eighths = Math.round((value / largest) * barColumns * 8);
    // A small number is visible too.
    const shown = value > 0 ? Math.max(1, eighths) : 0;
    const bar = '█'.repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] ?? '');
    return `${label.padEnd(labelColumns)}  ${String(value).padStart(numberColumns)}  ${bar}`.trimEnd();
  });
  return lines.map((line) => `${line}\n`).join('');
}

function toJson({ link, address, totals, allTime, days, tops }: Stats): object {
  const { id, name, slug, aliases, imported_addresses: importedAddresses, status, type, email } = link;
  return {
    smartlinkId: id,
    name,
    slug,
    aliases,
    importedAddresses,
    address,
    status,
    type,
    email,
    totals: { ...totals, uniqueVisitors: allTime.uniqueVisitors, excluded: allTime.excluded },
    ...(Object.keys(allTime.presses).length === 0 ? {} : { presses: allTime.presses }),
    days: days.map(({ date, clicks, scans, fallbacks, uniqueVisitors }) => ({
      date,
      clicks,
      scans,
      fallbacks,
      uniqueVisitors,
    })),
    ...Object.fromEntries(TOPS.map((key, i) => [key, Object.fromEntries(tops[i] ?? [])])),
  };
}

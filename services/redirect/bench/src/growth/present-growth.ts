import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { renderLines } from '@smartlink/bench/plot';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { Section, Sized } from '../stack-bench.js';
import { SLOW_SHARE } from './measure-growth.js';
import type { GrowthFindings, GrowthSizes, SizeFindings, TurnFigures } from './measure-growth.js';
import { BATCH, operations } from './operations.js';
import type { OperationName } from './operations.js';
import type { PlanStep } from './stored-sizes.js';

/** Returns what the page of a run says. */
export function presentGrowth(
  found: GrowthFindings,
  { rounds, repeats }: Sized<GrowthSizes>,
): { sections: readonly Section[]; plots: Readonly<Record<string, string>> } {
  const { sizes, skipped } = found;
  return {
    sections: [
      {
        title: 'Time of one operation',
        text: `Each is done ${repeats} times in a turn (${Math.ceil(repeats / SLOW_SHARE)} times by the API), one after the other and each time with a link drawn from all, on the database that grows and on another that stays at ${count(sizes[0])} links, on engines of its own; ${rounds} rounds in turns. A ratio is that of the medians of one round; the first column of ratios, where both are as large, says how far chance goes. The API is the management service over HTTP, for an owner of 100 links at first; what it gives out has totals of ClickHouse, kept for a second. Redis holds all links.

![Time of one operation](growth-time.svg)`,
        table: timeTable(sizes),
        below: skipped === null ? '' : `Left out: ${skipped}.`,
      },
      {
        title: 'The slowest tenth',
        text: 'The same, by the 90th percentile of each turn.',
        table: slowestTable(sizes),
      },
      {
        title: 'Room',
        text: `In Postgres with all indexes, and in Redis as it counts its memory, less what the smallest database takes, a link; the links are Url links with targets of 60 to 120 characters and slugs that are scattered as drawn ones are. The embedded Redis is given 512 MB, and evicts what was not asked for lately beyond that.

![Room a link](growth-room.svg)`,
        table: roomTable(sizes),
      },
      {
        title: 'Indexes',
        text: `How Postgres plans the query of a look-up on the largest database, for one link: ${planText(found.plans.one)}; for ${BATCH} at once: ${planText(found.plans.batch)}. And how it read the tables of links, by its own count, while every operation of this page, those of the API too, was done as often once more:`,
        table: scanTable(found),
        below: verdict(found),
      },
    ],
    plots: { 'growth-time': timePlot(sizes), 'growth-room': roomPlot(sizes) },
  };
}

const count = (size: SizeFindings | undefined): string => (size?.links ?? 0).toLocaleString('en');

const titleOf = (name: OperationName): string => operations().find((one) => one.name === name)?.title ?? name;

function ratioOf(size: SizeFindings, name: OperationName, measure: keyof TurnFigures): Spread {
  const { small, grown } = size.operations[name];
  return ratios(
    grown.map((turn) => turn[measure]),
    small.map((turn) => turn[measure]),
  );
}

function timeTable(sizes: readonly SizeFindings[]): Table {
  const last = sizes.at(-1);
  return {
    head: ['operation', `p50 ms at ${count(last)}`, ...sizes.map((size) => `× at ${count(size)}`)],
    rows: operations().map(({ name }) => [
      titleOf(name),
      number(spread((last?.operations[name].grown ?? []).map(({ p50Us }) => p50Us)).median / 1_000),
      ...sizes.map((size) => timesText(ratioOf(size, name, 'p50Us'))),
    ]),
  };
}

function slowestTable(sizes: readonly SizeFindings[]): Table {
  return {
    head: ['operation', ...sizes.map((size) => `× at ${count(size)}`)],
    rows: operations().map(({ name }) => [
      titleOf(name),
      ...sizes.map((size) => timesText(ratioOf(size, name, 'p90Us'))),
    ]),
  };
}

/** Returns bytes a link, over those of the smallest size. */
function roomOf(sizes: readonly SizeFindings[], size: SizeFindings) {
  const [base] = sizes;
  if (base === undefined || size === base) return null;
  const more = size.links - base.links;
  const per = (of: (stored: SizeFindings['stored']) => number) => (of(size.stored) - of(base.stored)) / more;
  return {
    postgres: per((stored) => stored.smartlinksBytes + stored.slugsBytes),
    indexes: per((stored) => stored.indexBytes),
    redis: per((stored) => stored.redisBytes),
  };
}

function roomTable(sizes: readonly SizeFindings[]): Table {
  const base = sizes[1] === undefined ? null : roomOf(sizes, sizes[1]);
  const cells = (value: number, of: number) => [`${Math.round(value)} B`, times(value / of)];
  const first = sizes[1];
  return {
    head: [
      'links',
      'Postgres',
      `× ${count(first)}`,
      'of it indexes',
      `× ${count(first)}`,
      'Redis',
      `× ${count(first)}`,
    ],
    rows: sizes.slice(1).map((size) => {
      const room = roomOf(sizes, size);
      if (room === null || base === null) return [count(size)];
      return [
        count(size),
        ...cells(room.postgres, base.postgres),
        ...cells(room.indexes, base.indexes),
        ...cells(room.redis, base.redis),
      ];
    }),
  };
}

function scanTable({ scans }: GrowthFindings): Table {
  return {
    head: ['table', 'by an index', 'row by row'],
    rows: scans.map(({ table, byIndex, sequential }) => [
      table,
      byIndex.toLocaleString('en'),
      sequential.toLocaleString('en'),
    ]),
  };
}

function verdict({ scans, plans }: GrowthFindings): string {
  const rowByRow = scans.reduce((sum, { sequential }) => sum + sequential, 0);
  const planned = [...plans.one, ...plans.batch].filter(
    ({ index, kind }) => index === null && kind === 'Seq Scan',
  );
  return rowByRow === 0 && planned.length === 0
    ? '✓ No query read a table row by row.'
    : `✗ A table was read row by row ${rowByRow} times, and ${planned.length} steps of the plans would.`;
}

function planText(steps: readonly PlanStep[]): string {
  return steps
    .map(
      ({ kind, table, index }) =>
        `${kind}${table === '' ? '' : ` of \`${table}\``}${index === null ? '' : ` by \`${index}\``}`,
    )
    .join(', then ');
}

const PLOTTED: readonly OperationName[] = ['postgres', 'postgres-100', 'redis', 'publish', 'list', 'create'];

function timePlot(sizes: readonly SizeFindings[]): string {
  return renderLines({
    title: 'Time of one operation as links become many',
    xLabel: 'links',
    yLabel: `median, as a ratio to ${count(sizes[0])} links`,
    lines: PLOTTED.map((name) => ({
      label: titleOf(name),
      points: sizes.map((size) => ({ x: size.links, y: ratioOf(size, name, 'p50Us').median })),
    })),
    isLogX: true,
    write: times,
    writeX: (links) => links.toLocaleString('en'),
  });
}

function roomPlot(sizes: readonly SizeFindings[]): string {
  const line = (label: string, of: 'postgres' | 'indexes' | 'redis') => ({
    label,
    points: sizes.slice(1).map((size) => ({ x: size.links, y: roomOf(sizes, size)?.[of] ?? 0 })),
  });
  return renderLines({
    title: 'Room a link',
    xLabel: 'links',
    yLabel: 'bytes',
    lines: [
      line('Postgres, with indexes', 'postgres'),
      line('of that the indexes', 'indexes'),
      line('Redis', 'redis'),
    ],
    isLogX: true,
    write: (bytes) => Math.round(bytes).toLocaleString('en'),
    writeX: (links) => links.toLocaleString('en'),
  });
}

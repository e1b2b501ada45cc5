import type { Spread } from '@smartlink/bench/figures';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { EventCostFigures, EventPathFigures } from './event-path.js';
import type { CaseFigures, Latency } from './measure-api.js';
import type { Findings } from './run-bench.js';
import type { StoredFigures } from './stored-events.js';

const SHIPPED_PER_SECOND_MIN = 100_000;
const EVENT_CPU_US_MAX = 2;

export type TitledTable = { readonly title: string; readonly table: Table };

/** Returns a table for each part of a run, those of the largest number of stored events with it in their titles. */
export function tablesOf({ eventPath, eventCost, stored }: Findings): readonly TitledTable[] {
  const tables: TitledTable[] = [];
  const add = (title: string, table: Table) => tables.push({ title, table });
  if (eventPath !== null) add('Events into ClickHouse on one core', eventPathTable(eventPath));
  if (eventCost !== null) add('Processor time of an event', eventCostTable(eventCost));
  const largest = stored.at(-1);
  if (largest === undefined) return tables;
  const events = `${largest.events.toLocaleString('en')} events`;
  add(`Answers, ${events}`, latencyTable([...largest.cases, ...largest.otherCases]));
  if (stored.length > 1) add('Growth', growthTable(stored));
  add(`Beside raw rows, ${events}`, rawTable(largest));
  add('Roll-up', rollupTable(stored));
  add('Bytes', bytesTable(stored));
  return tables;
}

/** Returns the table of events a second. */
export function eventPathTable(figures: EventPathFigures): Table {
  return {
    head: ['way', 'rows/s (least–most)', 'ratio (least–most)', 'CPU µs of the sender'],
    rows: [
      [
        'recorder, spool, shipper: RowBinary',
        spreadText(figures.shippedPerSecond),
        timesText(figures.ratio),
        number(figures.shipperCpuUs.median),
      ],
      [
        'objects in memory: JSONEachRow',
        spreadText(figures.insertedPerSecond),
        times(1),
        number(figures.clientCpuUs.median),
      ],
    ],
  };
}

/** Returns the table of processor time. */
export function eventCostTable(figures: EventCostFigures): Table {
  return {
    head: ['loop over visits', 'CPU µs (least–most)'],
    rows: [
      ['nothing', spreadText(figures.nothing)],
      ['describe', spreadText(figures.described)],
      ['describe, encode, buffer, write to the spool', spreadText(figures.recorded)],
      ['the same, of visitors who were not here lately', spreadText(figures.recordedUnknown)],
    ],
  };
}

/** Returns the table of what requests take. */
export function latencyTable(cases: readonly CaseFigures[]): Table {
  return {
    head: [
      'request',
      'kB',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      '×4: p50 ms',
      'p95 ms',
      'p99 ms',
      'queries',
      'ClickHouse ms',
      'rows read',
    ],
    rows: cases.map(({ title, answerBytes, latencies, status }) => {
      const [one = null, four = null] = latencies;
      return [
        title,
        status === 200 ? number(answerBytes / 1_000) : `answered ${status}`,
        ...percentiles(one),
        ...percentiles(four),
        one === null ? NONE : one.selects.toFixed(1),
        one === null ? NONE : number(one.selectMs),
        one === null ? NONE : number(one.rowsRead),
      ];
    }),
  };
}

const NONE = '–';

function percentiles(latency: Latency | null): readonly string[] {
  if (latency === null) return [NONE, NONE, NONE];
  return [latency.p50Ms, latency.p95Ms, latency.p99Ms].map(number);
}

/** Returns the table of how times grow with the number of stored events, over one connection. */
export function growthTable(stored: readonly StoredFigures[]): Table {
  const [smallest] = stored;
  const largest = stored.at(-1);
  const at = (figures: StoredFigures | undefined, title: string) =>
    figures?.cases.find((each) => each.title === title)?.latencies[0];
  return {
    head: [
      'request, p50 ms',
      ...stored.map(({ events }) => `${events.toLocaleString('en')} events`),
      'grows',
      'p95 grows',
    ],
    rows: (largest?.cases ?? []).map(({ title }) => {
      const first = at(smallest, title);
      const last = at(largest, title);
      return [
        title,
        ...stored.map((figures) => number(at(figures, title)?.p50Ms ?? Number.NaN)),
        times((last?.p50Ms ?? Number.NaN) / (first?.p50Ms ?? Number.NaN)),
        times((last?.p95Ms ?? Number.NaN) / (first?.p95Ms ?? Number.NaN)),
      ];
    }),
  };
}

/** Returns the table of the API beside raw rows. */
export function rawTable({ rawPairs }: StoredFigures): Table {
  return {
    head: ['question', 'API ms', 'raw rows ms', 'raw takes (least–most)'],
    rows: rawPairs.map(({ title, apiMs, rawMs, ratio }) => [
      title,
      number(apiMs.median),
      number(rawMs.median),
      timesText(ratio),
    ]),
  };
}

/** Returns the table of what the rollup costs. */
export function rollupTable(stored: readonly StoredFigures[]): Table {
  return {
    head: ['events', 'first rollup s', 'events/s', 'nothing to do ms', 'rows read by that'],
    rows: stored.map(({ rollup }) => [
      rollup.events.toLocaleString('en'),
      number(rollup.elapsedMs / 1_000),
      number((rollup.events * 1_000) / rollup.elapsedMs),
      number(rollup.idleMs.median),
      number(rollup.idleRowsRead),
    ]),
  };
}

/** Returns the table of what events and cells take on the disk. */
export function bytesTable(stored: readonly StoredFigures[]): Table {
  return {
    head: ['table', 'events stored', 'rows', 'MiB', 'bytes a row', 'parts'],
    rows: stored.flatMap(({ events, tables }) =>
      tables.map(({ table, rows, bytes, parts }) => [
        table,
        events.toLocaleString('en'),
        rows.toLocaleString('en'),
        number(bytes / 2 ** 20),
        number(bytes / rows),
        String(parts),
      ]),
    ),
  };
}

/** Returns one line a goal that the run has looked at: whether it is met, and the figure. */
export function verdicts({ eventPath, eventCost, stored }: Findings): readonly string[] {
  const lines: string[] = [];
  const add = (isMet: boolean, line: string) => lines.push(`${isMet ? '✓' : '✗'} ${line}`);
  if (eventPath !== null) {
    const { median } = eventPath.shippedPerSecond;
    add(
      median >= SHIPPED_PER_SECOND_MIN,
      `${number(median)} events/s through the spool into ClickHouse on one core (at least ${SHIPPED_PER_SECOND_MIN.toLocaleString('en')})`,
    );
  }
  if (eventCost !== null) {
    const { median } = eventCost.recorded;
    add(
      median <= EVENT_CPU_US_MAX,
      `an event costs the redirect process ${median.toFixed(2)} µs of processor time (at most ${EVENT_CPU_US_MAX}); that of a visitor not seen lately ${eventCost.recordedUnknown.median.toFixed(2)}`,
    );
  }
  const largest = stored.at(-1);
  for (const { title, goalMs, latencies, status } of largest?.cases ?? []) {
    if (goalMs === null) continue;
    const p95Ms = latencies[0]?.p95Ms;
    add(
      p95Ms !== undefined && p95Ms <= goalMs,
      p95Ms === undefined
        ? `${title}: not every request was answered (the first with ${status})`
        : `${title}: p95 ${number(p95Ms)} ms with ${largest?.events.toLocaleString('en') ?? ''} events stored (at most ${goalMs})`,
    );
  }
  return lines;
}

const spreadText = ({ median, least, most }: Spread) =>
  `${number(median)} (${number(least)}–${number(most)})`;

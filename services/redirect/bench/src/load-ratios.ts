import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { renderBars } from '@smartlink/bench/plot';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { VisitLoad } from './visit-load.js';

/** Phases of one kind of visits, round by round. */
export type LoadRow = { readonly title: string; readonly rounds: readonly VisitLoad[] };

type Measure = Exclude<keyof VisitLoad, 'requests'>;

/** Returns a table of loads, each with its ratios to the first one of `rows`, pair by pair. */
export function loadTable(
  rows: readonly LoadRow[],
  ownColumns: OwnColumns = { head: [], cells: () => [] },
): Table {
  const base = rows[0]?.rounds ?? [];
  return {
    head: [
      'visits',
      'visits/s',
      'ratio (least–most)',
      'CPU µs',
      'ratio (least–most)',
      'p50 ms',
      'ratio',
      'p99 ms',
      'ratio',
      ...ownColumns.head,
    ],
    rows: rows.map((row, index) => {
      const median = (measure: Measure) => spread(row.rounds.map((phase) => phase[measure])).median;
      const ratio = (measure: Measure) => ratioOf(row.rounds, base, measure);
      return [
        row.title,
        number(median('perSecond')),
        timesText(ratio('perSecond')),
        number(median('cpuUs')),
        timesText(ratio('cpuUs')),
        number(median('p50Us') / 1_000),
        times(ratio('p50Us').median),
        number(median('p99Us') / 1_000),
        times(ratio('p99Us').median),
        ...ownColumns.cells(index),
      ];
    }),
  };
}

export type OwnColumns = {
  readonly head: readonly string[];
  readonly cells: (row: number) => readonly string[];
};

/** Returns a plot of one measure of loads as ratios to the first one of `rows`. */
export function loadPlot(
  rows: readonly LoadRow[],
  measure: Measure,
  { title, unit }: { title: string; unit: string },
): string {
  const base = rows[0]?.rounds ?? [];
  return renderBars({
    title,
    unit,
    bars: rows.map((row, index) => ({
      label: row.title,
      value: ratioOf(row.rounds, base, measure),
      isOurs: index > 0,
    })),
    write: times,
  });
}

function ratioOf(rounds: readonly VisitLoad[], base: readonly VisitLoad[], measure: Measure): Spread {
  return ratios(
    rounds.map((phase) => phase[measure]),
    base.map((phase) => phase[measure]),
  );
}

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/**
 * Measures each of `names` once a round, one at a time. Every second round runs backwards, so that drift favours none.
 */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  { rounds, signal }: { readonly rounds: number; readonly signal: AbortSignal },
  measure: (name: Name, round: number) => Promise<Result>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      signal.throwIfAborted();
      results[name].push(await measure(name, round));
    }
  }
  return results;
}

/** Ratios of `values` to `base` by round: a slow round affects both. */
export function ratios(values: readonly number[], base: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  return { median, least: Math.min(...values), most: Math.max(...values) };
}

export type Table = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

export function renderTable({ title, head, rows }: Table): string {
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? name).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  return [title, line(head), ...rows.map(line)].join('\n');
}

/** Three significant digits. */
export function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/** `×1.25` */
export const times = (ratio: number): string => `×${number(ratio)}`;

/** `12.3 %` of a share from 0 to 1. */
export const percent = (share: number): string => `${number(100 * share)} %`;

/** `×1.25 (×1.20–×1.31)`: median, least and most. */
export const timesText = ({ median, least, most }: Spread): string =>
  `${times(median)} (${times(least)}–${times(most)})`;

export const goal = (isMet: boolean, text: string): string => `${isMet ? '✓' : '✗'} ${text}`;

/** Median of a measure, and its ratio to the base. */
export type Column<Measured> = {
  readonly title: string;
  readonly valueOf: (measured: Measured) => number;
  readonly show?: (value: number) => string;
  /** Without a ratio to the base. */
  readonly isAlone?: boolean;
};

/** Table of measurements in turns: a row per name, with ratios to the first name. */
export function turnsTable<Measured>(
  title: string,
  rounds: Readonly<Record<string, readonly Measured[]>>,
  columns: readonly Column<Measured>[],
): Table {
  const [base = []] = Object.values(rounds);
  return {
    title,
    head: ['', ...columns.flatMap((column) => (column.isAlone ? [column.title] : [column.title, 'ratio']))],
    rows: Object.entries(rounds).map(([name, of]) => [
      name,
      ...columns.flatMap(({ valueOf, show = number, isAlone = false }) => {
        const values = of.map(valueOf);
        const median = show(spread(values).median);
        return isAlone ? [median] : [median, timesText(ratios(values, base.map(valueOf)))];
      }),
    ]),
  };
}

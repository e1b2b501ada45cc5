import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

export type Progress = {
  readonly add: (done: number) => void;
  /** Leaves the terminal as it was. */
  readonly stop: () => void;
};

/** What is counted: its name in the plural, and how many of what `add` is told make one. */
export type ProgressUnit = { readonly name: string; readonly size: number };

export const MEGABYTES: ProgressUnit = { name: 'MB', size: 1_000_000 };

const EVENTS: ProgressUnit = { name: 'events', size: 1 };

const LINE_INTERVAL_MS = 10_000;

/**
 * Shows on standard error how much of `total` is done: a bar in a terminal, otherwise a line every ten seconds. The
 * caller stops it.
 */
export function showProgress(
  terminal: Terminal,
  doing: string,
  total: number,
  unit: ProgressUnit = EVENTS,
): Progress {
  return terminal.isStderrTerminal && total > 0
    ? showBar(doing, total, unit)
    : showLines(terminal, doing, { total, unit, now: () => performance.now() });
}

function showBar(doing: string, total: number, unit: ProgressUnit): Progress {
  const bar = new SingleBar({
    format: `${doing} {bar} {percentage} % of ${inUnits(total, unit)}, {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // Ctrl-C is ours to answer.
    gracefulExit: false,
  });
  bar.start(total, 0);
  return {
    add: (done) => {
      bar.increment(done);
    },
    stop: () => {
      bar.stop();
    },
  };
}

function showLines(
  terminal: Terminal,
  doing: string,
  { total, unit, now }: { readonly total: number; readonly unit: ProgressUnit; readonly now: () => number },
): Progress {
  let done = 0;
  let saidAt = now();
  return {
    add: (more) => {
      done += more;
      if (now() - saidAt < LINE_INTERVAL_MS) return;
      saidAt = now();
      const of = total > 0 ? `${rounded(done, unit)} of ${inUnits(total, unit)}` : inUnits(done, unit);
      terminal.stderr(`${doing}: ${of}\n`);
    },
    stop: () => undefined,
  };
}

const rounded = (count: number, { size }: ProgressUnit): string =>
  size === 1 ? `${count}` : (count / size).toFixed(1);

const inUnits = (count: number, unit: ProgressUnit): string => `${rounded(count, unit)} ${unit.name}`;

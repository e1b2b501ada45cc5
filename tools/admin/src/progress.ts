import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

export type Progress = {
  readonly add: (events: number) => void;
  /** Leaves the terminal as it was. */
  readonly stop: () => void;
};

const LINE_INTERVAL_MS = 10_000;

/**
 * Shows on standard error how many of `total` events are done: a bar in a terminal, otherwise a line every ten
 * seconds. The caller stops it.
 */
export function showProgress(terminal: Terminal, doing: string, total: number): Progress {
  return terminal.isStderrTerminal && total > 0
    ? showBar(doing, total)
    : showLines(terminal, doing, total, () => performance.now());
}

function showBar(doing: string, total: number): Progress {
  const bar = new SingleBar({
    format: `${doing} {bar} {percentage} % of {total} events, {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    // Ctrl-C is ours to answer.
    gracefulExit: false,
  });
  bar.start(total, 0);
  return {
    add: (events) => {
      bar.increment(events);
    },
    stop: () => {
      bar.stop();
    },
  };
}

function showLines(terminal: Terminal, doing: string, total: number, now: () => number): Progress {
  let done = 0;
  let saidAt = now();
  return {
    add: (events) => {
      done += events;
      if (now() - saidAt < LINE_INTERVAL_MS) return;
      saidAt = now();
      terminal.stderr(`${doing}: ${done}${total > 0 ? ` of ${total}` : ''} events\n`);
    },
    stop: () => undefined,
  };
}

import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';

/**
 * Returns what `work` returns. Ctrl-C, or a request to end, aborts its signal, and what it throws then becomes a Problem:
 * that it was interrupted, and what `left` says of what there is of it now.
 */
export async function whileListening<T>(
  terminal: Terminal,
  left: () => string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  try {
    return await work(interrupt.signal);
  } catch (err) {
    if (interrupt.signal.aborted && !(err instanceof Problem)) throw new Problem(`Interrupted${left()}`);
    throw err;
  } finally {
    stopListening();
  }
}

/** What is left of what is all or nothing. */
export const nothingLeft =
  (what: string): (() => string) =>
  () =>
    `: ${what} was not finished, and nothing is left of it.`;

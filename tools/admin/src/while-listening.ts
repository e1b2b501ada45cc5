import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';

/**
 * Returns what `work` returns. Ctrl-C aborts its signal, and what it throws then becomes the Problem that `what` was
 * interrupted.
 */
export async function whileListening<T>(
  terminal: Terminal,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  try {
    return await work(interrupt.signal);
  } catch (err) {
    if (interrupt.signal.aborted && !(err instanceof Problem)) {
      throw new Problem(`Interrupted: ${what} was not finished, and nothing is left of it.`);
    }
    throw err;
  } finally {
    stopListening();
  }
}

import type { Terminal } from './terminal.js';

const SLOW_MS = 3_000;

/** Said when a delete takes long. */
export const SLOW_DELETE = 'Waiting for ClickHouse, which deletes the visits: that may take minutes.';

/** Returns what `work` returns; says `line` on standard error when that takes more than three seconds. */
export async function sayWhenSlow<T>(terminal: Terminal, line: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    terminal.stderr(`${line}\n`);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

import { Problem } from './problem.js';

/** Most rows that one list prints. */
export const LIMIT_MAX = 1_000;

/** Returns what was given as --limit. Throws Problem on anything but a whole number from 1 to LIMIT_MAX. */
export function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) {
    throw new Problem(`--limit ${JSON.stringify(text)}: expected a whole number from 1 to ${LIMIT_MAX}.`);
  }
  return limit;
}

import { setImmediate as nextTurn } from 'node:timers/promises';

// Longer than most operations take, and short beside what a single body of a mebibyte may block.
const TURN_MS = 10;

/** Lets others have the event loop, where its turn has lasted long enough. */
export type TakeTurns = () => Promise<void>;

/** Returns what long work calls between its steps. */
export function createTurns(): TakeTurns {
  let until = performance.now() + TURN_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    until = performance.now() + TURN_MS;
  };
}

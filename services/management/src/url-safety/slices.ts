import { setImmediate as nextTurn } from 'node:timers/promises';

// What a request that comes meanwhile waits at most, twice over.
const SLICE_MS = 2;

/** Returns what long work on the event loop's thread asks after each piece, so that others get their turn. */
export function createSlices(): { readonly isOver: () => boolean; readonly next: () => Promise<void> } {
  let endsAt = performance.now() + SLICE_MS;
  return {
    isOver: () => performance.now() >= endsAt,
    async next() {
      await nextTurn();
      endsAt = performance.now() + SLICE_MS;
    },
  };
}

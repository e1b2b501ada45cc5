import { setImmediate as nextTurn } from 'node:timers/promises';

// Short beside what a visitor of the API notices.
const SLICE_MS = 2;

/** What long work on the event loop's thread asks after each piece, so that others get their turn. */
export type Slices = {
  readonly isOver: () => boolean;
  /** Lets others have the event loop, and begins the next slice. */
  readonly next: () => Promise<void>;
  /** Does so if this slice has lasted long enough. */
  readonly nextIfOver: () => Promise<void>;
};

/** Returns slices of `sliceMs`: what a request that comes meanwhile waits at most, twice over. */
export function createSlices(sliceMs = SLICE_MS): Slices {
  let endsAt = performance.now() + sliceMs;
  const isOver = (): boolean => performance.now() >= endsAt;
  const next = async (): Promise<void> => {
    await nextTurn();
    endsAt = performance.now() + sliceMs;
  };
  return {
    isOver,
    next,
    async nextIfOver() {
      if (isOver()) await next();
    },
  };
}

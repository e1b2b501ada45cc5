import { setImmediate as nextTurn } from 'node:timers/promises';

// Much shorter than a client notices.
const SLICE_MS = 2;

/** Lets long work on the event loop yield to other requests. */
export type Slices = {
  readonly isOver: () => boolean;
  /** Yields and begins the next slice. */
  readonly next: () => Promise<void>;
  /** Yields if this slice is over. */
  readonly nextIfOver: () => Promise<void>;
};

/** A request that arrives during the work waits at most two slices. */
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

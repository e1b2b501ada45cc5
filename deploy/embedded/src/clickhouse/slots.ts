import { EngineError } from './engine-error.js';

export type Slots = {
  /** Waits for a free slot and returns the function that gives it back. Rejects when too many wait already. */
  readonly take: () => Promise<() => void>;
};

/**
 * Returns a counter that lets `slotsMax` holders run at once and `waitersMax` wait in order of arrival. Each running
 * query holds a thread of libuv's pool; file and zlib work needs the few that are left over.
 */
export function createSlots(slotsMax: number, waitersMax: number): Slots {
  let free = slotsMax;
  const waiters: (() => void)[] = [];
  const release = () => {
    const next = waiters.shift();
    if (next) next();
    else free += 1;
  };
  const once = (): (() => void) => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      release();
    };
  };
  return {
    take: async () => {
      if (free > 0) {
        free -= 1;
        return once();
      }
      if (waiters.length >= waitersMax) {
        throw new EngineError(
          202,
          'TOO_MANY_SIMULTANEOUS_QUERIES',
          `Over ${waitersMax} queries wait already.`,
        );
      }
      await new Promise<void>((resolve) => {
        waiters.push(resolve);
      });
      return once();
    },
  };
}

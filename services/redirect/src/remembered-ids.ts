/** Ids that are remembered for as long as they are still met. */
export type RememberedIds = {
  /** Whether `id` is remembered; then it is for the next round too. */
  readonly has: (id: string) => boolean;
  /** Remembers `id`, unless the memory is full. */
  readonly add: (id: string) => void;
  /** Everything there is has been met: forgets what was neither asked for nor added since the last time. */
  readonly endRound: () => void;
};

/** Returns a memory of `idsMax` ids at most for one who goes through a table round by round. */
export function createRememberedIds(idsMax: number): RememberedIds {
  let ofLastRound = new Set<string>();
  let ofThisRound = new Set<string>();
  const add = (id: string): void => {
    if (ofThisRound.size < idsMax) ofThisRound.add(id);
  };
  return {
    has(id) {
      if (!ofLastRound.has(id)) return ofThisRound.has(id);
      add(id);
      return true;
    },
    add,
    endRound() {
      ofLastRound = ofThisRound;
      ofThisRound = new Set();
    },
  };
}

export type Held = {
  /** Roughly what the entry holds in memory. */
  readonly bytes: number;
  /** Set by whoever uses the entry; the hand of the clock clears it once before it takes the entry away. */
  wasUsed: boolean;
};

// How many used entries the hand passes for one insert: a full round over 100,000 of them would hold visits up for some
// 15 ms. The next insert goes on where this one stopped.
const SECOND_CHANCES_MAX = 64;

export type ClockMap<Value extends Held> = {
  readonly get: (key: string) => Value | undefined;
  /** Puts an entry in, and makes room for it by what was not used lately. */
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
  readonly size: () => number;
  readonly bytes: () => number;
  readonly evictions: () => number;
};

/**
 * A map bounded by entries and by bytes. It evicts by CLOCK (second chance): the insertion order of a Map is the
 * clock's face, an entry that was used goes round once more. A hit costs one look-up and one assignment, where LRU
 * would delete and insert.
 */
export function createClockMap<Value extends Held>(limits: {
  entriesMax: number;
  bytesMax: number;
}): ClockMap<Value> {
  const entries = new Map<string, Value>();
  let bytes = 0;
  let evictions = 0;

  function remove(key: string): void {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    bytes -= value.bytes;
  }

  // The first key of a Map that shrinks and grows is found in constant time on average.
  function makeRoom(): void {
    let chances = SECOND_CHANCES_MAX;
    while (entries.size > limits.entriesMax || (bytes > limits.bytesMax && entries.size > 1)) {
      const oldest = entries.entries().next().value;
      if (oldest === undefined) return;
      const [key, value] = oldest;
      if (value.wasUsed && chances > 0) {
        chances -= 1;
        value.wasUsed = false;
        entries.delete(key);
        entries.set(key, value);
      } else {
        remove(key);
        evictions += 1;
      }
    }
  }

  return {
    get: (key) => entries.get(key),
    set(key, value) {
      remove(key);
      entries.set(key, value);
      bytes += value.bytes;
      makeRoom();
    },
    delete: remove,
    size: () => entries.size,
    bytes: () => bytes,
    evictions: () => evictions,
  };
}

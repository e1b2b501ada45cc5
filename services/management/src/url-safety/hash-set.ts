import { setImmediate as nextTurn } from 'node:timers/promises';

/** Hashes of 64 bits that are not yet a set, in the order of their coming; duplicates stay. */
export type HashCollector = {
  readonly add: (low: number, high: number) => void;
  readonly count: () => number;
  readonly parts: readonly Int32Array[];
};

/** A set of 64-bit hashes. */
export type HashSet = {
  readonly size: number;
  readonly bytes: number;
  readonly has: (low: number, high: number) => boolean;
};

const PART_HASHES = 65_536;
// 16,384 insertions take about a millisecond: each is a cache miss.
const SLICE_HASHES = 16_384;

/** Returns an empty collector. It grows by parts of 512 KiB, so that it never has to move what it holds. */
export function createHashCollector(): HashCollector {
  const parts: Int32Array[] = [];
  let last = new Int32Array(0);
  let used = 0;
  let count = 0;
  return {
    parts,
    count: () => count,
    add(low, high) {
      if (used === last.length) {
        last = new Int32Array(2 * PART_HASHES);
        parts.push(last);
        used = 0;
      }
      last[used] = low;
      last[used + 1] = high;
      used += 2;
      count += 1;
    },
  };
}

/**
 * Returns the set of what was collected, in slices between which the event loop turns. An open-addressing table at most
 * half full: 16 bytes an entry on average, where a Set of a million strings takes 100 MiB.
 */
export async function buildHashSet(collected: HashCollector): Promise<HashSet> {
  const slots = slotsFor(collected.count());
  const table = new Int32Array(2 * slots);
  const mask = slots - 1;
  let size = 0;
  let left = collected.count();
  let untilTurn = SLICE_HASHES;
  for (const part of collected.parts) {
    for (let i = 0; i < part.length && left > 0; i += 2, left--) {
      const low = part[i] ?? 0;
      const high = stored(low, part[i + 1] ?? 0);
      const place = find(table, mask, low, high);
      if (table[place] === 0 && table[place + 1] === 0) {
        table[place] = low;
        table[place + 1] = high;
        size += 1;
      }
      untilTurn -= 1;
      if (untilTurn === 0) {
        untilTurn = SLICE_HASHES;
        await nextTurn();
      }
    }
  }
  return {
    size,
    bytes: table.byteLength,
    has(low, high) {
      const place = find(table, mask, low, stored(low, high));
      return table[place] !== 0 || table[place + 1] !== 0;
    },
  };
}

function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, 2 * count)));
}

/** An empty place holds two zeros, so the one hash that is two zeros is kept as its neighbour. */
function stored(low: number, high: number): number {
  return low === 0 && high === 0 ? 1 : high;
}

/** Returns where the hash is, or where it would be. There is always an empty place. */
function find(table: Int32Array, mask: number, low: number, high: number): number {
  let slot = low & mask;
  for (;;) {
    const place = 2 * slot;
    const isThere = table[place] === low && table[place + 1] === high;
    if (isThere || (table[place] === 0 && table[place + 1] === 0)) return place;
    slot = (slot + 1) & mask;
  }
}

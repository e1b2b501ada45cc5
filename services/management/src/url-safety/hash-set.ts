import { createSlices } from '../event-loop-slices.js';

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
// One table of 16 MiB is made and filled with zeros in one go, which takes up to 30 ms.
const SEGMENT_SLOTS = 65_536;
// Each is a cache miss; together some 60 µs.
const INSERTIONS_A_LOOK = 1_024;

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
 * Returns the set of what was collected, in slices between which the event loop turns. Open-addressing tables at most
 * half full: 16 bytes an entry on average, where a Set of a million strings takes 100 MiB. The high word picks the table,
 * the low word the place in it.
 */
export async function buildHashSet(collected: HashCollector): Promise<HashSet> {
  const slots = slotsFor(collected.count());
  const segmentSlots = Math.min(slots, SEGMENT_SLOTS);
  const slices = createSlices();
  const segments: Int32Array[] = [];
  for (let i = 0; i < slots / segmentSlots; i++) {
    segments.push(new Int32Array(2 * segmentSlots));
    await slices.nextIfOver();
  }
  let size = 0;
  let left = collected.count();
  for (const part of collected.parts) {
    for (let i = 0; i < part.length && left > 0; i += 2, left--) {
      const low = part[i] ?? 0;
      const high = stored(low, part[i + 1] ?? 0);
      if (insert(segmentOf(segments, high), low, high)) size += 1;
      if (i % (2 * INSERTIONS_A_LOOK) === 0 && slices.isOver()) await slices.next();
    }
  }
  return {
    size,
    bytes: 8 * slots,
    has(low, high) {
      const kept = stored(low, high);
      return holds(segmentOf(segments, kept), low, kept);
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

function segmentOf(segments: readonly Int32Array[], high: number): Int32Array {
  const segment = segments[high & (segments.length - 1)];
  if (segment === undefined) throw new RangeError('the number of segments is a power of two');
  return segment;
}

function insert(segment: Int32Array, low: number, high: number): boolean {
  const place = find(segment, low, high);
  if (segment[place] !== 0 || segment[place + 1] !== 0) return false;
  segment[place] = low;
  segment[place + 1] = high;
  return true;
}

function holds(segment: Int32Array, low: number, high: number): boolean {
  const place = find(segment, low, high);
  return segment[place] !== 0 || segment[place + 1] !== 0;
}

/** Returns where the hash is, or where it would be. There is always an empty place: hashes are spread evenly. */
function find(segment: Int32Array, low: number, high: number): number {
  const mask = segment.length / 2 - 1;
  let slot = low & mask;
  for (;;) {
    const place = 2 * slot;
    const isThere = segment[place] === low && segment[place + 1] === high;
    if (isThere || (segment[place] === 0 && segment[place + 1] === 0)) return place;
    slot = (slot + 1) & mask;
  }
}

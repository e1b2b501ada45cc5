import { createSlices } from '../time-slices.js';

const PART_HASHES = 65_536;
// Allocating and zeroing one table of 16 MiB would block for up to 30 ms.
const SEGMENT_SLOTS = 65_536;
// Each is a cache miss; about 60 µs together.
const INSERTIONS_A_LOOK = 1_024;

/** 64-bit hashes in order of arrival, with duplicates. Grows by parts of 512 KiB, so its content is never copied. */
export function createHashCollector() {
  const parts: Int32Array[] = [];
  let last = new Int32Array(0);
  let used = 0;
  let count = 0;
  return {
    parts,
    count: (): number => count,
    add(low: number, high: number): void {
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

export type HashCollector = ReturnType<typeof createHashCollector>;
export type HashSet = Awaited<ReturnType<typeof buildHashSet>>;

/**
 * Builds the set in slices. Open-addressing tables, at most half full: a million entries take 16 MiB, in a Set of strings
 * 100 MiB, and a growing Set blocks the event loop. The high word selects the table, the low word the slot.
 */
export async function buildHashSet(collected: HashCollector) {
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
    has(low: number, high: number): boolean {
      const kept = stored(low, high);
      return holds(segmentOf(segments, kept), low, kept);
    },
  };
}

function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, 2 * count)));
}

/** An empty slot holds two zeros, so the hash of two zeros is stored as its neighbour. */
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

/** The slot of the hash, or the empty one where it belongs. A table always has one: hashes are spread evenly. */
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

/** Two random 32-bit words. */
export type HashKey = readonly [number, number];

// One state for all calls, which never overlap: a look-up allocates nothing.
const state = new Int32Array(4);

/**
 * Writes HalfSipHash-2-4 of ASCII `text`, 64 bits, into `result`, low word first. By J.-P. Aumasson and D. J. Bernstein,
 * https://github.com/veorq/SipHash. Keyed: with an unkeyed hash, or murmur3 under any seed, an attacker could register a
 * name that collides with a competitor's and have it listed. Homemade for speed: 0.5 µs a host, where SHA-256 of
 * node:crypto takes 2.5 µs, and a URL has six keys.
 */
export function halfSipHash(text: string, key: HashKey, result: Int32Array): void {
  const { length } = text;
  const [k0, k1] = key;
  state[0] = k0;
  state[1] = k1 ^ 0xee;
  state[2] = 0x6c796765 ^ k0;
  state[3] = 0x74656462 ^ k1;
  const wholeWords = length & ~3;
  for (let at = 0; at < wholeWords; at += 4) absorb(wordAt(text, at, 4));
  absorb((length << 24) | wordAt(text, wholeWords, length & 3));
  word(2, 0xee);
  rounds(4);
  result[0] = at(1) ^ at(3);
  word(1, 0xdd);
  rounds(4);
  result[1] = at(1) ^ at(3);
}

function absorb(message: number): void {
  word(3, message);
  rounds(2);
  word(0, message);
}

function wordAt(text: string, from: number, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i++) value |= (text.charCodeAt(from + i) & 0xff) << (8 * i);
  return value;
}

const at = (index: number): number => state[index] ?? 0;

function word(index: number, mask: number): void {
  state[index] = at(index) ^ mask;
}

function rounds(count: number): void {
  let v0 = at(0);
  let v1 = at(1);
  let v2 = at(2);
  let v3 = at(3);
  for (let round = 0; round < count; round++) {
    v0 = (v0 + v1) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v0 = rotate(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotate(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotate(v1, 13) ^ v2;
    v2 = rotate(v2, 16);
  }
  state[0] = v0;
  state[1] = v1;
  state[2] = v2;
  state[3] = v3;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Two random 32-bit words. */
export type HashKey = readonly [number, number];

/** Where halfSipHash leaves the two halves of its result. */
export type HashPair = Int32Array;

// One state for all calls: they never overlap, and a look-up allocates nothing.
const state = new Int32Array(4);

/**
 * Writes HalfSipHash-2-4 of `text`, 64 bits, into `result` (low word first). `text` is ASCII: of other characters only
 * the low byte counts. By J.-P. Aumasson and D. J. Bernstein, https://github.com/veorq/SipHash. Keyed, so that nobody
 * can make a name which is taken for another one: with an unkeyed hash, or murmur3 under any seed, an attacker could
 * register a name that collides with a competitor's, and have it listed. 32-bit words, because SipHash's 64-bit ones
 * are BigInts here.
 */
export function halfSipHash(text: string, key: HashKey, result: HashPair): void {
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

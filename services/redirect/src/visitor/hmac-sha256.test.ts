import { createHmac } from 'node:crypto';
import { createRandom } from '@smartlink/test-support/random';
import { expect, test } from 'vitest';
import { createHmacSha256 } from './hmac-sha256.js';

const expected = (key: Uint8Array, text: string): bigint =>
  createHmac('sha256', key).update(text).digest().readBigUInt64BE();

test('is what Node makes of every length, over the edges of blocks and of what is usual', () => {
  const random = createRandom(1);
  const key = Buffer.from(Array.from({ length: 32 }, () => random(256)));
  const hash = createHmacSha256(key);
  for (let length = 0; length < 1_400; length += 1) {
    const text = String.fromCharCode(...Array.from({ length }, () => 32 + random(95)));
    expect([length, hash(text)]).toEqual([length, expected(key, text)]);
  }
});

test('is what Node makes of letters beyond ASCII, of half surrogates and of keys of every length', () => {
  const random = createRandom(2);
  for (let bytes = 0; bytes <= 64; bytes += 1) {
    const key = Buffer.from(Array.from({ length: bytes }, () => random(256)));
    const text = String.fromCharCode(...Array.from({ length: random(300) }, () => random(0x1_0000)));
    expect(createHmacSha256(key)(text)).toBe(expected(key, text));
  }
  const key = Buffer.alloc(32, 7);
  expect(createHmacSha256(key)('ə'.repeat(5_000))).toBe(expected(key, 'ə'.repeat(5_000)));
});

test('two keys do not disturb each other', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const hashes = [createHmacSha256(one), createHmacSha256(two)] as const;
  expect([hashes[0]('a'), hashes[1]('a'), hashes[0]('a')]).toEqual([
    expected(one, 'a'),
    expected(two, 'a'),
    expected(one, 'a'),
  ]);
});

test('a key that would have to be hashed first is refused', () => {
  expect(() => createHmacSha256(Buffer.alloc(65))).toThrow();
});

import { expect, test } from 'vitest';
import { halfSipHash } from './half-sip-hash.js';

// The first of vectors_hsip64 in https://github.com/veorq/SipHash (vectors.h): key 00 01 … 07, messages of 0, 1, 2, …
// bytes 00 01 02 …
test.each([
  [0, '218d1f59b9b83cc8'],
  [1, 'be552412f8387315'],
  [2, '064f39ef7c50eb57'],
  [3, 'ce0f1a45f7060679'],
  [4, 'd5e78a175be52ea1'],
  [5, 'cb9d7c3f2f3db580'],
  [6, 'ce3e91358aa2bc25'],
  [7, 'ff202728b07bc684'],
  [8, 'edfee820bce4858c'],
])('the reference vector of %i bytes', (length, expected) => {
  const message = Array.from({ length }, (_, i) => String.fromCharCode(i)).join('');
  const result = new Int32Array(2);
  halfSipHash(message, [0x03020100, 0x07060504], result);
  expect(Buffer.from(result.buffer).toString('hex')).toBe(expected);
});

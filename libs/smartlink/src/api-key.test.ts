import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { apiKeyDisplayPrefix, generateApiKey, holdsApiKey, isApiKey } from './credentials.js';

test('recognises the keys it generates, by form alone', () => {
  for (let i = 0; i < 100; i += 1) {
    const key = generateApiKey(randomInt);
    expect(key).toMatch(/^slk_live_[0-9A-Za-z]{38}$/);
    expect(isApiKey(key)).toBe(true);
  }
});

test('refuses a key with one character changed, anywhere', () => {
  const key = generateApiKey(randomInt);
  for (let i = 0; i < key.length; i += 1) {
    const other = key[i] === 'a' ? 'b' : 'a';
    expect(isApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
  }
});

test.each(['', 'slk_live_', 'slk_live_' + 'a'.repeat(38), 'x'.repeat(10_240), 'slk_live_\0'])(
  'refuses %j',
  (text) => {
    expect(isApiKey(text)).toBe(false);
    expect(isApiKey(`${generateApiKey(randomInt)} `)).toBe(false);
  },
);

test('shows 8 of the 32 random characters and no more', () => {
  expect(apiKeyDisplayPrefix(generateApiKey(() => 10))).toBe('slk_live_AAAAAAAA');
});

test('finds a key in a text, damaged or not', () => {
  const key = generateApiKey(randomInt);
  expect([key, `Bearer ${key}`, key.slice(0, -1)].map(holdsApiKey)).toEqual([true, true, true]);
  expect(['', 'order-5', 'slk_test_x'].map(holdsApiKey)).toEqual([false, false, false]);
});

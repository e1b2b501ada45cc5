import { expect, test } from 'vitest';
import { userAgent, visitLines } from './visit-requests.js';

const MIX = {
  slugs: ['a', 'b', 'c'],
  agents: 1,
  addresses: 0,
  queryEvery: 0,
  isScan: false,
  isPhone: false,
};
const different = (lines: readonly string[], field: number) =>
  new Set(lines.map((line) => line.split('\t')[field])).size;

test('a mix has as many slugs, browsers and visitors as it says', () => {
  const lines = visitLines({ ...MIX, agents: 10_000, addresses: 20_000 });
  expect([0, 1, 2].map((field) => different(lines, field))).toEqual([3, 10_000, 20_000]);
  expect(different(visitLines(MIX), 1)).toBe(1);
});

test('ten thousand browsers have a User-Agent each, on phones too', () => {
  for (const isPhone of [false, true]) {
    expect(new Set(Array.from({ length: 10_000 }, (_, number) => userAgent(number, isPhone))).size).toBe(
      10_000,
    );
  }
});

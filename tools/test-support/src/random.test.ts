import { expect, test } from 'vitest';
import { createRandom } from './random.js';

function draw(seed: number, below: number, count: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random(below));
}

test('a seed reproduces its numbers; another seed has others', () => {
  expect(draw(7, 1_000, 50)).toEqual(draw(7, 1_000, 50));
  expect(draw(8, 1_000, 50)).not.toEqual(draw(7, 1_000, 50));
});

test('every number below the limit is drawn about equally often', () => {
  const counts = new Map<number, number>();
  for (const number of draw(20_261_121, 8, 8_000)) counts.set(number, (counts.get(number) ?? 0) + 1);
  expect([...counts.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

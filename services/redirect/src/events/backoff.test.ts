import { expect, test } from 'vitest';
import { createBackoff } from './backoff.js';

test('doubles up to five seconds, stays within its jitter, and begins anew', () => {
  const [shortest, longest] = [createBackoff(() => 0), createBackoff(() => 1)];
  const pauses = Array.from({ length: 10 }, () => [shortest.nextMs(), longest.nextMs()]);
  expect(pauses.slice(0, 3)).toEqual([
    [50, 100],
    [100, 200],
    [200, 400],
  ]);
  expect(pauses.at(-1)).toEqual([2_500, 5_000]);
  shortest.reset();
  expect(shortest.nextMs()).toBe(50);
});

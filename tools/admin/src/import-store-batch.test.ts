import { expect, test } from 'vitest';
import { shownAt } from './import-store-batch.js';

test.each([
  ['2020-02-29T23:59:59.999Z', '2026-03-10T12:00:00Z', '2020-02-29'],
  ['2026-03-10T11:00:00Z', '2026-03-10T12:00:00Z', '2026-03-09'],
  ['2026-03-09T23:00:00Z', '2026-03-10T12:00:00Z', '2026-03-09'],
  // A server that is an hour behind still counts visits at yesterday.
  ['2026-03-09T23:00:00Z', '2026-03-10T00:59:59Z', '2026-03-08'],
  ['2026-03-09T23:00:00Z', '2026-03-10T01:00:00Z', '2026-03-09'],
])('totals of a link made at %s and imported at %s stand at %s', (createdAt, now, day) => {
  expect(shownAt(new Date(createdAt), Date.parse(now))).toBe(day);
});

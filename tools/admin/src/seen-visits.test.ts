import { expect, test } from 'vitest';
import { createSeenVisits } from './seen-visits.js';

test('a visit is new once', () => {
  const seen = createSeenVisits(10);
  expect(seen.add({ eventId: 'a', timeMs: 1 })).toBe(true);
  expect(seen.add({ eventId: 'a', timeMs: 1 })).toBe(false);
});

test('of more visits than it remembers none is new again', () => {
  const seen = createSeenVisits(10);
  const visits = Array.from({ length: 100 }, (_, i) => ({ eventId: String(i), timeMs: i }));
  for (const visit of visits) expect(seen.add(visit)).toBe(true);
  for (const visit of visits) expect(seen.add(visit)).toBe(false);
  expect(seen.floorMs()).toBeGreaterThan(80);
});

import { expect, test } from 'vitest';
import { formatBarChart } from './stats.js';
import { createSeenVisits } from './tail.js';

test('the largest fills the width, the others are in proportion, and the least can be seen', () => {
  const chart = formatBarChart(
    [
      { label: 'a', value: 1_000 },
      { label: 'bb', value: 500 },
      { label: 'c', value: 1 },
      { label: 'd', value: 0 },
    ],
    26,
  );
  expect(chart).toBe(
    ['a   1000  ████████████████', 'bb   500  ████████', 'c      1  ▏', 'd      0', ''].join('\n'),
  );
});

test('nothing at all is a chart too, and a narrow terminal has bars as well', () => {
  expect(formatBarChart([], 80)).toBe('');
  expect(formatBarChart([{ label: '2026-03-10', value: 3 }], 1)).toBe('2026-03-10  3  ██████████\n');
});

test('a visit is new once', () => {
  const seen = createSeenVisits(10);
  expect(seen.add({ eventId: 'a', timeMs: 1 })).toBe(true);
  expect(seen.add({ eventId: 'a', timeMs: 1 })).toBe(false);
});

test('a forgotten visit is not shown again', () => {
  const seen = createSeenVisits(10);
  const visits = Array.from({ length: 100 }, (_, i) => ({ eventId: String(i), timeMs: i }));
  for (const visit of visits) expect(seen.add(visit)).toBe(true);
  for (const visit of visits) expect(seen.add(visit)).toBe(false);
  expect(seen.floorMs()).toBeGreaterThan(80);
});

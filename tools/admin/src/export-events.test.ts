import { expect, test } from 'vitest';
import { gatherMinutes } from './export-events.js';

test('spans cover the whole without a gap, with no more rows than they may have but for a busy minute', () => {
  const minutes = [
    { minuteMs: 60_000, rows: 3 },
    { minuteMs: 120_000, rows: 4 },
    { minuteMs: 300_000, rows: 20 },
    { minuteMs: 360_000, rows: 1 },
  ];
  expect(gatherMinutes(minutes, { fromMs: 1_000, untilMs: 900_000 }, 7)).toEqual([
    { fromMs: 1_000, untilMs: 300_000 },
    { fromMs: 300_000, untilMs: 360_000 },
    { fromMs: 360_000, untilMs: 900_000 },
  ]);
  expect(gatherMinutes([], { fromMs: 0, untilMs: 1 }, 7)).toEqual([{ fromMs: 0, untilMs: 1 }]);
});

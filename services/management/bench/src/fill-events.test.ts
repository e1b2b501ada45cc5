import { expect, test } from 'vitest';
import { monthsOf } from './fill-events.js';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

test('cuts a span where a month ends, the first and the last being what is left of theirs', () => {
  expect(monthsOf(day('2025-11-21'), day('2026-01-10'))).toEqual([
    [day('2025-11-21'), day('2025-12-01')],
    [day('2025-12-01'), day('2026-01-01')],
    [day('2026-01-01'), day('2026-01-10')],
  ]);
});

test('a span that ends with its month has nothing of the next', () => {
  expect(monthsOf(day('2026-01-01'), day('2026-02-01'))).toEqual([[day('2026-01-01'), day('2026-02-01')]]);
});

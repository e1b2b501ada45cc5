import { expect, test } from 'vitest';
import { compareTallies, difference } from './account.js';

const SEEN = { click: 90, scan: 10, target: 95, fallback: 5, bot: 7, head: 2 };
const holds = (counted: Record<string, number>, unanswered = 0) =>
  compareTallies(SEEN, { ...SEEN, ...counted }, unanswered).every((line) => line.holds);

test('balances when each kind was counted as often as it was seen', () => {
  expect(holds({})).toBe(true);
});

test.each(Object.keys(SEEN))('catches one %s that is missing, and one that was counted twice', (kind) => {
  const seen = SEEN[kind as keyof typeof SEEN];
  expect(holds({ [kind]: seen - 1 })).toBe(false);
  expect(holds({ [kind]: seen + 1 })).toBe(false);
});

test('catches a kind that nobody sent', () => {
  expect(holds({ page: 1 })).toBe(false);
});

test('leaves open only as many visits as k6 saw no answer of, and never fewer than it saw', () => {
  expect(holds({ click: 92, scan: 10 }, 2)).toBe(true);
  expect(holds({ click: 93 }, 2)).toBe(false);
  expect(holds({ click: 89 }, 2)).toBe(false);
});

test('catches more visits left open over all kinds than k6 saw no answer of', () => {
  const lines = compareTallies({ ...SEEN, all: 109 }, { ...SEEN, click: 92, scan: 12, all: 113 }, 2);
  expect(lines.filter((line) => !line.holds).map(({ kind }) => kind)).toEqual(['all']);
});

test('takes what was there before the run from what is there after it', () => {
  expect(difference({ click: 12, scan: 3 }, { click: 5 })).toEqual({ click: 7, scan: 3 });
});

import { expect, test } from 'vitest';
import { gatherDays } from './compute-cells.js';
import { firstDayKept } from './roll-up.js';
import { shareOut } from './rollup-state.js';

test('days are grouped up to a number of events; a larger day is a group of its own', () => {
  const days = [
    { date: '2026-03-01', events: 4 },
    { date: '2026-03-04', events: 6 },
    { date: '2026-03-05', events: 1 },
    { date: '2026-03-06', events: 50 },
    { date: '2026-03-07', events: 1 },
  ];
  expect(gatherDays(days, 10)).toEqual([
    { from: '2026-03-01', to: '2026-03-04', events: 10 },
    { from: '2026-03-05', to: '2026-03-05', events: 1 },
    { from: '2026-03-06', to: '2026-03-06', events: 50 },
    { from: '2026-03-07', to: '2026-03-07', events: 1 },
  ]);
  expect(gatherDays([], 10)).toEqual([]);
});

test('whole months are kept on any day of the month', () => {
  expect(firstDayKept('2026-11-21', 13)).toBe('2025-10-01');
  expect(firstDayKept('2026-01-31', 1)).toBe('2025-12-01');
  expect(firstDayKept('2026-03-31', 1)).toBe('2026-02-01');
});

test('the query of an owner does not name late cells of others', () => {
  const lateCells = [{ ownerId: 'ann', smartlinkId: 'link', date: '2026-03-01' }];
  const never = '1970-01-01';
  const state = { openFrom: '2026-03-10', rawFrom: never, ownersFrom: never, monthsUntil: never, lateCells };
  expect(shareOut(state, 'bob').params).toEqual({ openFrom: '2026-03-10' });
  expect(shareOut(state, 'ann').params).toEqual({
    openFrom: '2026-03-10',
    lateIds: ['link'],
    lateDates: ['2026-03-01'],
  });
});

import { expect, test } from 'vitest';
import { fromLocalTime, toLocalTime } from './local-time.js';

test('a time is shown by the clocks of its zone, and read back', () => {
  const local = [
    ['2026-12-31T14:00:00.000Z', 'Asia/Baku', '2026-12-31T18:00'],
    ['2026-07-01T22:30:00.000Z', 'Europe/Berlin', '2026-07-02T00:30'],
    ['2026-01-01T04:59:59.001Z', 'America/New_York', '2025-12-31T23:59:59.001'],
    // An hour before and after Berlin's clocks go forward, then back.
    ['2026-03-29T00:00:00.000Z', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
    ['2026-10-25T02:00:00.000Z', 'Europe/Berlin', '2026-10-25T03:00'],
  ] as const;
  for (const [time, zone, text] of local) {
    expect([time, toLocalTime(time, zone), fromLocalTime(text, zone)]).toEqual([time, text, time]);
  }
});

test('a skipped hour moves forward, and no time stays none', () => {
  expect(fromLocalTime('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect([fromLocalTime('', 'Asia/Baku'), toLocalTime('', 'Asia/Baku')]).toEqual(['', '']);
});

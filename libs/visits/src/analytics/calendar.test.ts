import { expect, test } from 'vitest';
import { findTimeZone } from '@smartlink/smartlink/model';
import { addDays, hourLabelOf, isDate, labelOf, labelsBetween } from './calendar.js';

test('accepts calendar dates from 1970 to 2199', () => {
  for (const date of ['2026-01-01', '2024-02-29']) expect(isDate(date)).toBe(true);
  const malformed = ['2026-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00', ''];
  for (const date of [...malformed, '0000-01-01', '9999-12-31', '1969-12-31', '2200-01-01'])
    expect(isDate(date)).toBe(false);
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
});

test('accepts only IANA names as time zones', () => {
  for (const name of ['UTC', 'Asia/Baku', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3']) {
    expect(findTimeZone(name)).not.toBeNull();
  }
  for (const name of ['', '+04:00', 'Mars/Olympus', "UTC'", 'a'.repeat(65), '__proto__']) {
    expect(findTimeZone(name)).toBeNull();
  }
});

test('labels an hour in a time zone', () => {
  expect(hourLabelOf(Date.UTC(2026, 0, 1, 20, 30), 'Asia/Baku')).toBe('2026-01-02T00:00');
});

test('labels days, weeks by their Monday and months by their first day, without gaps and within the bound', () => {
  expect(labelOf('2026-11-22', 'week')).toBe('2026-11-16');
  expect(labelsBetween('2026-02-27', '2026-03-01', 'day', 10)).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ]);
  expect(labelsBetween('2026-11-16', '2026-11-23', 'week', 10)).toEqual(['2026-11-16', '2026-11-23']);
  expect(labelsBetween('2026-01-01', '2026-03-01', 'month', 10)).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ]);
  expect(labelsBetween('2026-01-01T22:00', '2026-01-02T01:00', 'hour', 10)).toHaveLength(4);
  expect(labelsBetween('2026-01-01', '2026-03-01', 'day', 10)).toBeNull();
});

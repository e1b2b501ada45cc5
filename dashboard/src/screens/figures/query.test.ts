import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/search-params.js';
import { figuresQuery, hourLabel, spanBefore, spanOf } from './query.js';

const nowMs = Date.parse('2026-03-10T20:30:00Z');

test('the address bar holds the whole query, and drops values that do not fit', () => {
  const address = '?period=7d&tz=Asia%2FBaku&compare=year&country=AZ&utmCampaign=spring+sale';
  expect(stringifySearch(figuresQuery(parseSearch(address)))).toBe(address);
  const other = '?compare=link&with=abc';
  expect(stringifySearch(figuresQuery(parseSearch(other)))).toBe(other);
  const wrong = '?period=9d&from=2026-02-31x&tz=Mars%2FBase&compare=none&country=&other=1';
  expect(stringifySearch(figuresQuery(parseSearch(wrong)))).toBe('');
});

test('periods are days of the time zone, today included', () => {
  expect(spanOf({}, 'UTC', nowMs)).toEqual({ from: '2026-02-09', to: '2026-03-10', interval: 'day' });
  const week = { from: '2026-03-05', to: '2026-03-11', interval: 'day' };
  expect(spanOf({ period: '7d' }, 'Asia/Baku', nowMs)).toEqual(week);
  expect(spanOf({ period: '12m' }, 'UTC', nowMs).interval).toBe('week');
  expect(spanOf({ period: 'all' }, 'UTC', nowMs)).toEqual({ interval: 'month' });
  const chosen = { from: '2026-01-01', to: '2026-01-03' };
  expect(spanOf(chosen, 'UTC', nowMs)).toEqual({ ...chosen, interval: 'day' });
  expect(spanBefore({ ...chosen, interval: 'day' }, 'previous', { timeZone: 'UTC', nowMs })).toEqual({
    ...{ from: '2025-12-29', to: '2025-12-31', interval: 'day' },
  });
});

test('the last 24 hours are hours of two days at most, and so are those before', () => {
  const span = spanOf({ period: '24h' }, 'UTC', nowMs);
  expect(span).toEqual({
    ...{ from: '2026-03-09', to: '2026-03-10', interval: 'hour' },
    hours: { first: '2026-03-09T21:00', last: '2026-03-10T20:00' },
  });
  expect(spanBefore(span, 'previous', { timeZone: 'UTC', nowMs })?.hours).toEqual({
    ...{ first: '2026-03-08T21:00', last: '2026-03-09T20:00' },
  });
  expect(hourLabel(Date.parse('2026-03-10T20:30:00Z'), 'Asia/Baku')).toBe('2026-03-11T00:00');
});

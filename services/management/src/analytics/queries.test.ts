import { expect, test } from 'vitest';
import type { Principal } from '../accounts/accounts.js';
import { planRange } from './queries.js';

const NOON = Date.UTC(2026, 10, 21, 12);
const starter: Principal['plan'] = {
  name: 'Starter',
  smartlinksMax: 3,
  requestsPerMinute: 60,
  analyticsDaysMax: 120,
  advancedAllowed: false,
  mediaBytesMax: 50_000_000,
};
const enterprise: Principal['plan'] = { ...starter, analyticsDaysMax: null, advancedAllowed: true };
const range = (query: object, plan = starter, nowMs = NOON) => planRange(query, plan, nowMs);

test('a plan of 120 days shows the last 120 days, today among them, unless asked otherwise', () => {
  expect(range({})).toMatchObject({ from: '2026-07-25', to: null, timeZone: 'UTC', interval: 'day' });
  expect(range({}, enterprise)).toMatchObject({ from: null, to: null });
});

test('120 days before today may be asked for, 121 may not', () => {
  expect(range({ from: '2026-07-24' }).from).toBe('2026-07-24');
  expect(() => range({ from: '2026-07-23' })).toThrow(
    expect.objectContaining({ code: 'PLAN_RESTRICTED' }) as Error,
  );
  expect(range({ from: '1970-01-01' }, enterprise).from).toBe('1970-01-01');
});

test('today is the day it is in the zone that is asked for', () => {
  const lateUtc = Date.UTC(2026, 10, 21, 23);
  expect(range({ from: '2026-07-24' }, starter, lateUtc).from).toBe('2026-07-24');
  expect(() => range({ from: '2026-07-24', tz: 'Asia/Baku' }, starter, lateUtc)).toThrow(
    expect.objectContaining({ code: 'PLAN_RESTRICTED' }) as Error,
  );
});

test.each([{ interval: 'hour' }, { format: 'csv' }])('%j needs a plan with advanced analytics', (query) => {
  expect(() => range(query)).toThrow(expect.objectContaining({ code: 'PLAN_RESTRICTED' }) as Error);
  expect(() => range(query, enterprise)).not.toThrow();
});

test.each([{ interval: 'week' }, { interval: 'month' }, { format: 'json' }, { fill: 'zero' }])(
  '%j is in every plan',
  (query) => {
    expect(() => range(query)).not.toThrow();
  },
);

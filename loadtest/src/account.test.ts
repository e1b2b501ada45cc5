import { expect, test } from 'vitest';
import { compareCounts, countPendingEvents, difference, parseRedirectMetrics } from './account.js';

const SEEN = { click: 90, scan: 10, target: 95, fallback: 5, bot: 7, head: 2 };
const holds = (counted: Record<string, number>, unanswered = 0) =>
  compareCounts(SEEN, { ...SEEN, ...counted }, unanswered).every((line) => line.holds);

test('balances when each kind was counted as often as it was seen', () => {
  expect(holds({})).toBe(true);
});

test.each(Object.keys(SEEN))('finds a missing %s, and one counted twice', (kind) => {
  const seen = SEEN[kind as keyof typeof SEEN];
  expect(holds({ [kind]: seen - 1 })).toBe(false);
  expect(holds({ [kind]: seen + 1 })).toBe(false);
});

test('finds a kind that was not sent', () => {
  expect(holds({ page: 1 })).toBe(false);
});

test('tolerates additional visits up to the number without an answer, and never fewer than k6 saw', () => {
  expect(holds({ click: 92, scan: 10 }, 2)).toBe(true);
  expect(holds({ click: 93 }, 2)).toBe(false);
  expect(holds({ click: 89 }, 2)).toBe(false);
});

test('limits the additional visits over all kinds', () => {
  const lines = compareCounts({ ...SEEN, all: 109 }, { ...SEEN, click: 92, scan: 12, all: 113 }, 2);
  expect(lines.filter((line) => !line.holds).map(({ kind }) => kind)).toEqual(['all']);
});

test('subtracts the counts from before the run', () => {
  expect(difference({ click: 12, scan: 3 }, { click: 5 })).toEqual({ click: 7, scan: 3 });
});

const TEXT = `# HELP smartlink_redirect_events_total Visit events
# TYPE smartlink_redirect_events_total counter
smartlink_redirect_events_total{fate="accepted"} 100
smartlink_redirect_events_total{fate="dropped_spool_full"} 2
smartlink_redirect_events_total{fate="dropped_for_a_reason_of_tomorrow"} 1
smartlink_redirect_shipper_total{event="delivered_events"} 90
smartlink_redirect_shipper_total{event="torn_events"} 1
smartlink_redirect_resident_memory_bytes 123456
`;

test('reads samples by name and label', () => {
  const metrics = parseRedirectMetrics(TEXT);
  expect(metrics['events_total accepted']).toBe(100);
  expect(metrics['resident_memory_bytes']).toBe(123_456);
});

test('counts the events on their way to ClickHouse, without lost ones', () => {
  const metrics = parseRedirectMetrics(TEXT);
  expect(countPendingEvents(metrics)).toBe(6);
  expect(countPendingEvents(difference(metrics, { 'events_total accepted': 6 }))).toBe(0);
});

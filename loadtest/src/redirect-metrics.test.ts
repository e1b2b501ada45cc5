import { expect, test } from 'vitest';
import { eventsOnTheirWay, parseRedirectMetrics } from './redirect-metrics.js';

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
  expect(metrics.get('events_total accepted')).toBe(100);
  expect(metrics.get('resident_memory_bytes')).toBe(123_456);
});

test('says how many events are still on their way, those lost for good not among them', () => {
  const metrics = parseRedirectMetrics(TEXT);
  expect(eventsOnTheirWay(metrics, new Map())).toBe('6 events have not reached ClickHouse yet');
  const before = new Map([['events_total accepted', 6]]);
  expect(eventsOnTheirWay(metrics, before)).toBeNull();
});

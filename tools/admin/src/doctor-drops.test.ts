import { expect, test } from 'vitest';
import { findBytesMax, judgeMetrics } from './doctor-drops.js';

const metrics = (full: number) => `# TYPE smartlink_redirect_events_total counter
smartlink_redirect_events_total{fate="written"} 500
smartlink_redirect_events_total{fate="dropped_buffer_full"} 3
smartlink_redirect_events_total{fate="dropped_spool_full"} ${full}
smartlink_redirect_events_total{fate="dropped_closed"} 0
`;

test('events that redirect has dropped are told by reason', () => {
  expect(judgeMetrics('drops', metrics(9_109))).toMatchObject({
    state: 'warning',
    seen: '9112 since redirect started (buffer_full 3, spool_full 9109)',
  });
  expect(judgeMetrics('drops', metrics(0).replaceAll(' 3', ' 0'))?.state).toBe('ok');
});

test('metrics of something else say nothing', () => {
  expect(judgeMetrics('drops', 'http_requests_total{code="200"} 1')).toBeNull();
});

test('the limit is the one that redirect runs with', () => {
  expect(findBytesMax('a 1\nsmartlink_redirect_spool_bytes_max 1048576\n')).toBe(1_048_576);
  expect(findBytesMax(null)).toBeNull();
});

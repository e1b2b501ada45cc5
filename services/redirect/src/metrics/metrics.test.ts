import { expect, test } from 'vitest';
import { METRICS } from './metric-definitions.js';
import { createMetricsBoard } from './metrics.js';

const render = async (board: ReturnType<typeof createMetricsBoard>): Promise<readonly string[]> =>
  (await board.render()).split('\n');

test('every label value is there from the start, at 0', async () => {
  const lines = await render(createMetricsBoard(() => ({})));
  for (const [name, metric] of Object.entries(METRICS)) {
    const values = 'values' in metric ? metric.values : [];
    for (const value of values) {
      if (metric.kind === 'histogram' || !('label' in metric)) continue;
      expect(lines).toContain(`smartlink_redirect_${name}{${metric.label}="${value}"} 0`);
    }
  }
  expect(lines).toContain('smartlink_redirect_visit_duration_seconds_bucket{outcome="page",le="0.01"} 0');
  expect(lines).toContain('smartlink_redirect_change_feed_delay_seconds_count 0');
});

test('buckets of all processes are added up and hold those below them', async () => {
  const board = createMetricsBoard(() => ({}));
  const key = 'visit_duration_seconds|redirect';
  board.report(1, { [`${key}|0.00001`]: 3, [`${key}|0.1`]: 1, [`${key}|sum`]: 0.08 }, {});
  board.report(2, { [`${key}|0.00001`]: 2, [`${key}|+Inf`]: 1, [`${key}|sum`]: 4 }, {});
  const lines = await render(board);
  const name = 'smartlink_redirect_visit_duration_seconds';
  expect(lines).toContain(`${name}_bucket{outcome="redirect",le="0.00001"} 5`);
  expect(lines).toContain(`${name}_bucket{outcome="redirect",le="0.05"} 5`);
  expect(lines).toContain(`${name}_bucket{outcome="redirect",le="2.5"} 6`);
  expect(lines).toContain(`${name}_bucket{outcome="redirect",le="+Inf"} 7`);
  expect(lines).toContain(`${name}_count{outcome="redirect"} 7`);
  expect(lines).toContain(`${name}_sum{outcome="redirect"} 4.08`);
});

test('counters of an ended process are kept; its gauges are removed', async () => {
  const board = createMetricsBoard(() => ({}));
  board.report(1, { 'visits_total|page': 4 }, { connections: 9, 'event_loop_lag_seconds|1': 0.5 });
  board.report(2, { 'visits_total|page': 1 }, { connections: 2, 'event_loop_lag_seconds|1': 0.2 });
  expect(await render(board)).toEqual(
    expect.arrayContaining([
      'smartlink_redirect_visits_total{outcome="page"} 5',
      'smartlink_redirect_connections 11',
      'smartlink_redirect_event_loop_lag_seconds{quantile="1"} 0.5',
    ]),
  );
  board.forget(1);
  expect(await render(board)).toEqual(
    expect.arrayContaining([
      'smartlink_redirect_visits_total{outcome="page"} 5',
      'smartlink_redirect_connections 2',
      'smartlink_redirect_event_loop_lag_seconds{quantile="1"} 0.2',
    ]),
  );
});

import { expect, test } from 'vitest';
import { findMissingMetrics, readMetricUses } from '@smartlink/test-support/monitored-metrics';
import { until } from '@smartlink/test-support/until';
import { serve } from './serve.js';

const { redirect } = serve({ REDIRECT_PROCESSES: '2', SPOOL_BYTES_MAX: '104857600' });

const scrape = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${redirect.metricsPort}/-/metrics`)).text();

test('every redirect metric and label value in rules and dashboards is exported from the start', async () => {
  const uses = readMetricUses().filter(({ metric }) => metric.startsWith('smartlink_redirect_'));
  expect(uses.length).toBeGreaterThan(50);
  expect(findMissingMetrics(uses, await scrape())).toEqual([]);
});

test('each visit is in the histogram of its outcome, and limits are those of the configuration', async () => {
  for (const path of ['/nothing', '/nothing-at-all', '/nothing']) await fetch(redirect.url + path);
  await fetch(`${redirect.url}/nothing`, { method: 'DELETE' });
  const count = (outcome: string) =>
    redirect.metric(`smartlink_redirect_visit_duration_seconds_count{outcome="${outcome}"}`);
  await until(async () => (await count('not_found')) === 3, 'the visits are in the histogram');
  await until(async () => (await count('method_not_allowed')) === 1, 'the refused request is too');
  expect(await redirect.metric('smartlink_redirect_visits_total{outcome="not_found"}')).toBe(3);
  expect(await redirect.metric('smartlink_redirect_spool_bytes_max')).toBe(104_857_600);
  expect(await redirect.metric('smartlink_redirect_workers_max')).toBe(2);
  const lookups = 'smartlink_redirect_lookup_duration_seconds_count{source="postgres"}';
  expect(await redirect.metric(lookups)).toBeGreaterThan(0);
});

test('each worker times the messages of its own primary on the change feed', async () => {
  const delays = 'smartlink_redirect_change_feed_delay_seconds';
  await until(async () => (await redirect.metric(`${delays}_count`)) > 2, 'heartbeats were timed');
  expect(await redirect.metric(`${delays}_sum`)).toBeGreaterThan(0);
});

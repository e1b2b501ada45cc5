import { createTestDatabases } from '@smartlink/embedded/test-databases';
import { compareMetrics, readDocumentedMetrics } from '@smartlink/test-support/documented-metrics';
import { readExposition } from '@smartlink/test-support/metrics-exposition';
import { until } from '@smartlink/test-support/until';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';

let databases: Awaited<ReturnType<typeof createTestDatabases>>;
let redirect: Redirect;

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'));
  redirect = await startRedirect(databases, { SPOOL_BYTES_MAX: '104857600' });
});
afterAll(async () => {
  await redirect.stop();
  await databases.drop();
});

const scrape = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${redirect.metricsPort}/-/metrics`)).text();

test('what it shows is what docs/metrics.md lists, every label value from the start', async () => {
  const problems = compareMetrics(readExposition(await scrape()), readDocumentedMetrics('redirect'));
  expect(problems).toEqual([]);
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

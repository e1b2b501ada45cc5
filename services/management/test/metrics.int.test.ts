import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findMissingMetrics, readMetricUses } from '@smartlink/test-support/monitored-metrics';
import { urlSmartlink, useService } from './start-service.js';
import { publishedAtOnce } from './stored-state.js';

const folder = mkdtempSync(join(tmpdir(), 'smartlink-metrics-'));
const blocklist = join(folder, 'hosts.txt');
writeFileSync(blocklist, 'unsafe.example.org\n');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
// A URL safety provider has metrics of its own.
const { service, api } = useService({
  env: { SAFETY_PROVIDER: 'blocklist', SAFETY_BLOCKLIST_FILES: blocklist },
  rateLimits: 'kept',
});

const scrape = async (): Promise<string> => await service.app.metrics.registry.metrics();
const valueOf = (text: string, line: string): number => {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
};

test('every metric and label value of management in rules and dashboards is exported', async () => {
  // The labels of routes begin with the first answer.
  await api.get('/validate');
  const uses = readMetricUses().filter(({ metric }) => !metric.startsWith('smartlink_redirect_'));
  expect(uses.length).toBeGreaterThan(30);
  expect(findMissingMetrics(uses, await scrape())).toEqual([]);
});

test('a change is counted with the time until it was published, answers by class, requests by the limit', async () => {
  let before = '';
  const created = await publishedAtOnce(service.app, async () => {
    before = await scrape();
    return api.post('/smartlink', urlSmartlink());
  });
  const refused = await api.get('/nothing');
  expect([created.status, refused.status]).toEqual([201, 404]);
  const after = await scrape();
  const grown = (line: string): number => valueOf(after, line) - valueOf(before, line);
  expect(grown('smartlink_change_publish_delay_seconds_count{outcome="request"}')).toBe(1);
  expect(grown('smartlink_api_responses_total{class="2xx"}')).toBe(1);
  expect(grown('smartlink_api_responses_total{class="4xx"}')).toBe(1);
  expect(grown('smartlink_api_responses_total{class="5xx"}')).toBe(0);
  // An answer of Redis that takes longer than a request waits for it leaves the request uncounted.
  const isCounted = ({ headers }: typeof created) =>
    headers['ratelimit-remaining'] !== headers['ratelimit-limit'];
  const counted = [created, refused].filter(isCounted).length;
  expect(grown('smartlink_rate_limit_checks_total{result="allowed"}')).toBe(counted);
  expect(grown('smartlink_rate_limit_checks_total{result="uncounted"}')).toBe(2 - counted);
  expect(valueOf(after, 'smartlink_redis_connected')).toBe(1);
  expect(valueOf(after, 'smartlink_postgres_connections_max')).toBe(7);
});

test('the port of the API has no metrics', async () => {
  const { statusCode, body } = await service.app.inject('/-/metrics');
  expect([statusCode, body.includes('smartlink_')]).toEqual([404, false]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareMetrics, readDocumentedMetrics } from '@smartlink/test-support/documented-metrics';
import { readExposition } from '@smartlink/test-support/metrics-exposition';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishedAtOnce } from './published-at-once.js';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

const folder = mkdtempSync(join(tmpdir(), 'smartlink-metrics-'));
let service: TestService;
let api: Caller;

beforeAll(async () => {
  const blocklist = join(folder, 'hosts.txt');
  writeFileSync(blocklist, 'unsafe.example.org\n');
  // With all that shows figures of its own.
  ({ service, api } = await startServiceWithUser({
    SAFETY_PROVIDER: 'blocklist',
    SAFETY_BLOCKLIST_FILES: blocklist,
  }));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const scrape = async (): Promise<string> => (await service.app.inject('/-/metrics')).body;
const valueOf = (text: string, line: string): number => {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
};

test('what it shows is what docs/metrics.md lists, every label value from the start', async () => {
  // The labels of routes begin with the first answer.
  await api.get('/validate');
  const shown = [...readExposition(await scrape())].filter(([name]) => !/^(?:nodejs|process)_/.test(name));
  expect(compareMetrics(new Map(shown), readDocumentedMetrics('management'))).toEqual([]);
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
  expect(valueOf(after, 'smartlink_postgres_connections_max')).toBe(10);
});

test.each(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])(
  'who asks for the metrics through a proxy that says %s gets 404',
  async (header) => {
    const res = await service.app.inject({ url: '/-/metrics', headers: { [header]: '203.0.113.9' } });
    expect([res.statusCode, res.body.includes('smartlink_')]).toEqual([404, false]);
  },
);

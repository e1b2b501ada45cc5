import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { SET_STATUS, SET_URL } from './link-store.js';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

// What reliability.md promises at most (C1, C9).
const VISIBLE_MS = 1_000;
/** Fresh connections are spread over both workers: twenty in a row on one of them is one in a million. */
const CONNECTIONS = 20;

let trial: Trial;
let redirect: Redirect;

beforeAll(async () => {
  trial = await openTrial();
  redirect = await startRedirect(trial.databases);
});

afterAll(async () => {
  await redirect.stop();
  await trial.close();
});

const visit = async (slug: string): Promise<string> => {
  const response = await request(redirect.port, [`GET /${slug} HTTP/1.1`, 'Host: a']);
  return response.headers['location'] ?? String(response.status);
};
const visitAll = async (slug: string): Promise<string[]> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => visit(slug)));

/** Visits on many connections until all give `expected`, and returns how long that took, in ms. */
async function untilAll(slug: string, expected: string): Promise<number> {
  const from = performance.now();
  await until(
    async () => (await visitAll(slug)).every((answer) => answer === expected),
    `every process answers ${expected}`,
    VISIBLE_MS + 1_000,
  );
  return performance.now() - from;
}

/** Returns a figure once it has stood still for so long that every worker has reported since. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = -1;
  let since = performance.now();
  return until(async () => {
    const value = await read();
    if (value !== last) [last, since] = [value, performance.now()];
    return performance.now() - since > 2_500 ? { value } : null;
  }, 'the figure stands still').then(({ value }) => value);
}

test('a change is seen by every process: 100 updates, visited all the while', async () => {
  const id = await trial.links.insert({ slug: 'moving', url: 'https://example.org/0' });
  await untilAll('moving', 'https://example.org/0');
  const delays: number[] = [];
  for (let round = 1; round <= 100; round += 1) {
    await trial.links.update(id, SET_URL, `https://example.org/${round}`);
    await trial.links.publish('moving');
    delays.push(await untilAll('moving', `https://example.org/${round}`));
  }
  delays.sort((a, b) => a - b);
  process.stdout.write(
    `staleness over 100 updates and 2 processes, ${CONNECTIONS} visits a look: ` +
      `p50 ${delays[49]?.toFixed(1)} ms, max ${delays[99]?.toFixed(1)} ms (the look included)\n`,
  );
  expect(delays[99]).toBeLessThan(VISIBLE_MS);
});

test('a link created after its 404 resolves', async () => {
  expect(new Set(await visitAll('soon'))).toEqual(new Set(['404']));
  await trial.links.insert({ slug: 'soon', url: 'https://example.org/soon' });
  await trial.links.publish('soon');
  const delay = await untilAll('soon', 'https://example.org/soon');
  process.stdout.write(`created after a 404: resolves after ${delay.toFixed(1)} ms\n`);
});

test('pausing, unpausing and deleting are seen by every process', async () => {
  const id = await trial.links.insert({ slug: 'onOff', url: 'https://example.org/' });
  await untilAll('onOff', 'https://example.org/');
  for (const [status, expected] of [
    ['Paused', '404'],
    ['Active', 'https://example.org/'],
    ['Deleted', '410'],
  ] as const) {
    await trial.links.update(id, SET_STATUS, status);
    await trial.links.publish('onOff');
    await untilAll('onOff', expected);
  }
});

test('an owner who is erased leaves a slug that is gone', async () => {
  await trial.links.insert({ slug: 'erased', url: 'https://example.org/' });
  await untilAll('erased', 'https://example.org/');
  await trial.pool.query(`delete from smartlinks where slug = 'erased'`);
  await trial.links.publish('erased');
  await untilAll('erased', '410');
});

test('1,000 concurrent visits to one cold slug are one query a process', async () => {
  await trial.links.insert({ slug: 'stampede', url: 'https://example.org/stampede' });
  const queries = () => redirect.metric('smartlink_redirect_resolver_total{event="postgres_queries"}');
  const visits = () => redirect.metric('smartlink_redirect_visits_total{outcome="redirect"}');
  const [queriesBefore, visitsBefore] = [await settled(queries), await visits()];
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => visit('stampede')));
  expect(new Set(answers)).toEqual(new Set(['https://example.org/stampede']));
  await until(async () => (await visits()) >= visitsBefore + 1_000, 'the visits show in the metrics');
  const asked = (await queries()) - queriesBefore;
  process.stdout.write(`1,000 visits at once to a cold slug: ${asked} queries from 2 processes\n`);
  expect(asked).toBeLessThanOrEqual(2);
});

test('a scan of 3,000 unknown slugs makes few queries and evicts no link', async () => {
  await trial.links.insert({ slug: 'hot', url: 'https://example.org/hot' });
  await untilAll('hot', 'https://example.org/hot');
  const queries = () => redirect.metric('smartlink_redirect_resolver_total{event="postgres_queries"}');
  const before = await settled(queries);
  const from = performance.now();
  for (let round = 0; round < 30; round += 1) {
    const lines = Array.from({ length: 100 }, (_, i) => `GET /scan${round}x${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await Promise.all(
      lines.map((line) => sendRaw(redirect.port, line, { until: (text) => text.includes('</html>') })),
    );
  }
  const seconds = (performance.now() - from) / 1000;
  await until(
    async () => (await redirect.metric('smartlink_redirect_visits_total{outcome="not_found"}')) >= 3_000,
    'the visits show in the metrics',
  );
  const asked = (await queries()) - before;
  process.stdout.write(
    `scan: ${(3_000 / seconds).toFixed(0)} unknown slugs/s, ${(asked / seconds).toFixed(0)} queries/s from 2 processes\n`,
  );
  // 50 a second a process; the metrics come in whole seconds, which may add one second's worth.
  expect(asked).toBeLessThanOrEqual(100 * (seconds + 2));
  expect(await redirect.metric('smartlink_redirect_cache_lookups_total{result="evictions"}')).toBe(0);
});

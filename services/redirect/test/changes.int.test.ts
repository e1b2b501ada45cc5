import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentile } from '@smartlink/test-support/percentile';
import { request } from '@smartlink/test-support/raw-request';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { scan, visitFor } from './changes-load.js';
import { openVisitor } from './changes-visitor.js';
import { SET_STATUS, SET_URL } from './link-store.js';
import { useTrial } from './serve.js';
import { type Redirect, startRedirect } from './start-redirect.js';

const PROCESSES = 2;
/** Fresh connections are spread over both workers: twenty in a row on one of them is one in a million. */
const CONNECTIONS = 20;
const SEEN_DEADLINE_MS = 10_000;
// What is promised of all processes together (C8), and a little more than each holds itself to, 50 a second.
const QUERIES_A_SECOND_MAX = 150;
const OWN_QUERIES_A_SECOND_MAX = 55 * PROCESSES;

const trial = useTrial();
let redirect: Redirect;
/** The service's own user of Redis, whose right to the channel of changes can be taken. */
const redisUser = `changes-${process.pid}`;
let visitsMade = 0;

beforeAll(async () => {
  await setRedisUser('on', '>secret', 'allkeys', 'allchannels', '+@all');
  const redisUrl = new URL(trial.databases.redisUrl);
  [redisUrl.username, redisUrl.password] = [redisUser, 'secret'];
  redirect = await startRedirect(
    { ...trial.databases, redisUrl: redisUrl.href },
    { REDIRECT_PROCESSES: '2' },
  );
});

afterAll(async () => {
  await redirect.stop();
  await trial.redis.call('acl', 'deluser', redisUser);
});

const setRedisUser = (...rules: string[]) => trial.redis.call('acl', 'setuser', redisUser, ...rules);
const visit = async (slug: string): Promise<string> => {
  visitsMade += 1;
  const response = await request(redirect.port, [`GET /${slug} HTTP/1.1`, 'Host: a'], { deadlineMs: 10_000 });
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
    SEEN_DEADLINE_MS,
  );
  return performance.now() - from;
}

/** Waits until every visit of this file shows in the metrics, and with it all that was done for them. */
const allReported = () =>
  until(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${redirect.metricsPort}/-/metrics`)).text();
    const counts = [...metrics.matchAll(/^smartlink_redirect_visits_total\{.+\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0) >= visitsMade;
  }, 'every visit shows in the metrics');
const queries = () => redirect.metric('smartlink_redirect_resolver_total{event="postgres_queries"}');
const lookups = (result: string) =>
  redirect.metric(`smartlink_redirect_cache_lookups_total{result="${result}"}`);
const feeds = () => redirect.metric('smartlink_redirect_redis_connections{state="feed_live"}');

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

test(
  'a change whose message is lost is seen, and so is every change while the feed is cut and Redis answers',
  async () => {
    const id = await trial.links.insert({ slug: 'cut', url: 'https://example.org/0' });
    await untilAll('cut', 'https://example.org/0');
    let round = 0;
    const change = async (): Promise<string> => {
      round += 1;
      await trial.links.update(id, SET_URL, `https://example.org/${round}`);
      await trial.links.publish('cut');
      return `https://example.org/${round}`;
    };
    const workers = redirect.workers();
    // A message is lost with the connection that should bring it: Redis closes those of who may not listen any more.
    const lost: number[] = [];
    for (let i = trialSize(1, 50); i > 0; i -= 1) {
      await setRedisUser('resetchannels');
      const expected = await change();
      await setRedisUser('allchannels');
      lost.push(await untilAll('cut', expected));
    }
    await setRedisUser('resetchannels');
    // The second is published when every process has looked again because of the first silence.
    const cut: number[] = [];
    for (let i = trialSize(2, 15); i > 0; i -= 1) cut.push(await untilAll('cut', await change()));
    await until(async () => (await feeds()) === 0, 'the silence shows in the metrics');
    // Nor did the refusal end anybody.
    expect(redirect.workers()).toEqual(workers);
    await setRedisUser('allchannels');
    // A refused subscription is tried again with the next connection.
    await trial.redis.call('client', 'kill', 'user', redisUser);
    await until(async () => (await feeds()) === PROCESSES, 'the feed is back');
    const worst = [lost, cut].map((delays) => Math.max(...delays));
    recordFigure({
      promise: 'C3',
      trial: `${lost.length} messages lost with their connections, ${cut.length} changes while the feed is cut for good`,
      measured: `seen after ${worst.map((ms) => ms.toFixed(0)).join(' and ')} ms at the most`,
      holds: Math.max(...worst) <= 3_000,
    });
  },
  trialSize(60_000, 180_000),
);

test(
  'any number of concurrent visits to one cold slug are one query a process',
  async () => {
    const count = trialSize(250, 10_000);
    await trial.links.insert({ slug: 'stampede', url: 'https://example.org/stampede' });
    const visitors = [];
    while (visitors.length < count) {
      visitors.push(...(await Promise.all(Array.from({ length: 250 }, () => openVisitor(redirect.port)))));
    }
    await allReported();
    const before = await queries();
    const answers = await Promise.all(visitors.map((visitor) => visitor.visit('stampede')));
    for (const visitor of visitors) visitor.close();
    visitsMade += count;
    await allReported();
    const asked = (await queries()) - before;
    recordFigure({
      promise: 'C7',
      trial: `${count.toLocaleString('en')} visits at once to a cold slug, ${PROCESSES} processes`,
      measured: `${asked} Postgres queries`,
      holds: asked <= PROCESSES,
    });
    expect(new Set(answers)).toEqual(new Set(['https://example.org/stampede']));
    expect(asked).toBeLessThanOrEqual(PROCESSES);
  },
  trialSize(60_000, 120_000),
);

/** Visits links that nobody has visited yet, one after the other, each on a connection of its own. */
async function visitCold(slugs: readonly string[]): Promise<void> {
  const answers: string[] = [];
  for (const slug of slugs) answers.push(await visit(slug));
  expect(answers).toEqual(slugs.map((slug) => `https://example.org/${slug}`));
}

test(
  'a scan of unknown slugs makes few queries, evicts no link, and refuses no real one that is cold',
  async () => {
    const seconds = trialSize(1, 2);
    const rounds = trialSize(1, 3);
    const coldASecond = trialSize(10, 50);
    const cold = Array.from({ length: 4 * seconds * rounds * coldASecond }, (_, i) => `cold${i}`);
    await trial.links.insert({ slug: 'hot', url: 'https://example.org/hot' });
    for (const slug of cold) await trial.links.insert({ slug, url: `https://example.org/${slug}` });
    await untilAll('hot', 'https://example.org/hot');
    const visitBeside = async (slug: string | null, forSeconds: number, status: string) => {
      const [scanned, durations] = await Promise.all([
        scan(redirect.port, { perSecond: trialSize(500, 5_000), seconds: forSeconds, slug }),
        visitFor(redirect.port, { seconds: forSeconds, slug: 'hot', expected: 'https://example.org/hot' }),
        visitCold(cold.splice(0, coldASecond * forSeconds)),
      ]);
      visitsMade += scanned.answered + durations.length;
      expect(scanned.statuses).toEqual({ [status]: scanned.sent });
      return { sent: scanned.sent, durations };
    };
    const tally = { sent: 0, queries: 0, seconds: 0 };
    const [base, during]: [number[], number[]] = [[], []];
    // Beside as many visits to a known link, before and after: what makes the load is on this machine too, and what
    // slows it for a while slows both.
    for (let round = 0; round < rounds; round += 1) {
      base.push(...(await visitBeside('hot', seconds, '302')).durations);
      await allReported();
      const before = await queries();
      const from = performance.now();
      const { sent, durations } = await visitBeside(null, 2 * seconds, '404');
      tally.seconds += (performance.now() - from) / 1_000;
      tally.sent += sent;
      during.push(...durations);
      await allReported();
      tally.queries += (await queries()) - before;
      base.push(...(await visitBeside('hot', seconds, '302')).durations);
    }
    const evictions = await lookups('evictions');
    const [p99, p99Known] = [percentile(during, 0.99), percentile(base, 0.99)];
    recordFigure({
      promise: 'C8',
      trial:
        `${(tally.sent / (2 * seconds * rounds)).toFixed(0)} unknown slugs/s for ${rounds} × ${2 * seconds} s, ` +
        `in turns with visits to a known link, ${PROCESSES} processes`,
      measured:
        `${(tally.queries / tally.seconds).toFixed(0)} queries/s, ${evictions} evictions, ` +
        `${2 * seconds * rounds * coldASecond} cold links found, ` +
        `hot p99 ${p99.toFixed(1)} ms (${p99Known.toFixed(1)} beside known links)`,
      holds: p99 <= 2 * p99Known && tally.queries <= QUERIES_A_SECOND_MAX * tally.seconds,
    });
    expect(evictions).toBe(0);
    expect(tally.queries).toBeLessThanOrEqual(OWN_QUERIES_A_SECOND_MAX * tally.seconds + 10 * rounds);
  },
  trialSize(60_000, 180_000),
);

test('an invalid slug is not looked up', async () => {
  const malformed = [..."- a.b %61 a%00 a+b a/b ..%2f ä a'b a=b ~".split(' '), 'x'.repeat(65)];
  await allReported();
  const read = () => Promise.all([queries(), lookups('misses'), lookups('hits'), lookups('absent_hits')]);
  const before = await read();
  const answers = await Promise.all(malformed.map(visit));
  await allReported();
  const after = await read();
  recordFigure({
    promise: 'C8',
    trial: `${malformed.length} paths that are no slug`,
    measured: `${after.reduce((sum, count, i) => sum + count - (before[i] ?? 0), 0)} look-ups`,
    holds: after.every((count, i) => count === before[i]),
  });
  expect(new Set(answers)).toEqual(new Set(['404']));
  expect(after).toEqual(before);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { percentile } from '@smartlink/test-support/percentile';
import { request } from '@smartlink/test-support/raw-request';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { readStored } from './events-fixtures.js';
import { SET_URL } from './link-store.js';
import { useTrial } from './serve.js';
import { type Redirect, startRedirect } from './start-redirect.js';

const KNOWN = 'https://example.org/known';
// What reliability.md promises of the time without Redis (C4).
const STALENESS_MAX_MS = 30_000;
const P99_MAX_MS = 50;
const VISIT_PAUSE_MS = trialSize(20, 0);
/** How a store is lost. Killing alone is tried in full: an outage of both and the missed change kill too. */
const LOSSES: readonly (readonly ['kill' | 'freeze', string])[] = [
  ['freeze', 'silent on open connections'],
  ...trialSize([], [['kill', 'killed'] as const]),
];

const trial = useTrial({ clickhouse: 'own' }, [{ slug: 'known', url: KNOWN }]);
let redirect: Redirect;
let redisProxy: BreakableProxy;
let postgresProxy: BreakableProxy;
let coldLinks = 0;
let foundVisits = 0;

beforeAll(async () => {
  redisProxy = await startBreakableProxy(trial.databases.redisUrl);
  postgresProxy = await startBreakableProxy(trial.databases.databaseUrl);
  const { url: redisUrl } = redisProxy;
  const { url: databaseUrl } = postgresProxy;
  redirect = await startRedirect({ ...trial.databases, redisUrl, databaseUrl }, { REDIRECT_PROCESSES: '2' });
  await warm();
});

afterEach(async () => {
  // Redis' frozen connections stay dead, as after a lost machine: new ones must be made without their help.
  await redisProxy.restore();
  await postgresProxy.restore();
  postgresProxy.closeFrozen();
  // Whole again, and all have noticed: the next test breaks it again.
  for (const state of ['ready', 'feed_live'] as const) {
    await until(async () => (await workersWhose(state)) === 2, `Redis is ${state} for both workers`);
  }
  await until(
    async () => (await Promise.all(Array.from({ length: 20 }, () => visitCold()))).every(isFound),
    'Postgres is back',
  );
});

afterAll(async () => {
  await redirect.stop();
  await redisProxy.close();
  await postgresProxy.close();
});

const answer = async (slug: string): Promise<string> => {
  const response = await request(redirect.port, [`GET /${slug} HTTP/1.1`, 'Host: a'], { deadlineMs: 10_000 });
  const text = response.headers['location'] ?? String(response.status);
  if (isFound(text)) foundVisits += 1;
  return text;
};
const workersWhose = (state: 'ready' | 'feed_live') =>
  redirect.metric(`smartlink_redirect_redis_connections{state="${state}"}`);
const isFound = (text: string) => text.startsWith('https://');
/** By chance all of them reach one of the two workers once in a million times. */
const many = (slug: string, count = 20) => Promise.all(Array.from({ length: count }, () => answer(slug)));
const warm = () =>
  until(
    async () => (await many('known')).every((location) => location === KNOWN),
    'every process knows the link',
  );

/** Visits a link that exists in Postgres alone. */
async function visitCold(): Promise<string> {
  coldLinks += 1;
  await trial.links.insert({ slug: `cold${coldLinks}`, url: `https://example.org/cold${coldLinks}` });
  return answer(`cold${coldLinks}`);
}

type Tally = {
  visits: number;
  failed: number;
  /** Of the visits that began a second or more after the first. */
  readonly durationsMs: number[];
};

/** Visits one link on and on while `work` runs; returns how many visits, how many failed, and how long they took. */
async function visitMeanwhile(slug: string, work: () => Promise<void>): Promise<Tally> {
  let isDone = false;
  const tally: Tally = { visits: 0, failed: 0, durationsMs: [] };
  const startedAt = performance.now();
  const visitor = async (): Promise<void> => {
    while (!isDone) {
      const from = performance.now();
      tally.visits += 1;
      if (!isFound(await answer(slug))) tally.failed += 1;
      if (from - startedAt > 1_000) tally.durationsMs.push(performance.now() - from);
      await sleep(VISIT_PAUSE_MS);
    }
  };
  const visitors = [visitor(), visitor()];
  try {
    await work();
  } finally {
    isDone = true;
  }
  await Promise.all(visitors);
  return tally;
}

const tell = ({ visits, failed }: Tally) =>
  `${visits.toLocaleString('en')} visits to a known link, ${failed} failed`;

/** Waits: how long something is gone is what is tried, and no event tells that it was long enough. */
const stayGoneFor = (seconds: number) => sleep(seconds * 1_000);

/** Changes a link that every process knows, in Postgres alone, and returns the ms until all see it. */
async function changeUnpublished(id: string, slug: string, url: string): Promise<number> {
  await trial.links.update(id, SET_URL, url);
  const from = performance.now();
  await until(
    async () => (await many(slug)).every((location) => location === url),
    'every process sees the change',
    STALENESS_MAX_MS + 10_000,
  );
  return performance.now() - from;
}

test.each(LOSSES)(
  'Redis gone (%s): known and cold links are served, and changes are seen',
  async (how, inWords) => {
    const slug = `moving${how}`;
    const id = await trial.links.insert({ slug, url: 'https://example.org/0' });
    await until(async () => (await many(slug)).every(isFound), 'every process knows the link');
    const delaysMs: number[] = [];
    const tally = await visitMeanwhile('known', async () => {
      await redisProxy[how]();
      for (let i = 0; i < 20; i += 1) expect(isFound(await visitCold())).toBe(true);
      expect(await answer('unknown')).toBe('404');
      // The first is seen when the silence is noticed and every entry is looked up again, the next one when its entry
      // has lived its time.
      for (let i = 1; i <= trialSize(1, 2); i += 1) {
        delaysMs.push(await changeUnpublished(id, slug, `https://example.org/${i}`));
      }
      await stayGoneFor(1);
      // So that what stands in the metrics afterwards is not from before.
      await until(async () => (await workersWhose('feed_live')) === 0, 'the silence shows in the metrics');
    });
    const p99 = percentile(tally.durationsMs, 0.99);
    recordFigure({
      promise: 'C4',
      trial: `Redis ${inWords}, changes in Postgres alone: ${delaysMs.length}`,
      measured:
        `${tell(tally)}, p99 ${p99.toFixed(1)} ms after the first second; ` +
        `first changes seen after ${delaysMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(' and ')}, later ones after 30 s at most`,
      holds: tally.failed === 0 && p99 <= P99_MAX_MS && Math.max(...delaysMs) <= STALENESS_MAX_MS,
    });
    expect(tally.failed).toBe(0);
  },
  trialSize(60_000, 120_000),
);

test('Redis gone and back: a change published during the outage is seen when the feed is back', async () => {
  const id = await trial.links.insert({ slug: 'missed', url: 'https://example.org/1' });
  await until(async () => (await many('missed')).every(isFound), 'every process knows the link');
  await redisProxy.kill();
  await trial.links.update(id, SET_URL, 'https://example.org/2');
  await trial.links.publish('missed');
  const from = performance.now();
  await until(
    async () => (await many('missed')).every((location) => location === 'https://example.org/2'),
    'every process sees the change',
  );
  const delayMs = performance.now() - from;
  // So that what stands in the metrics afterwards is not from before.
  await until(async () => (await workersWhose('feed_live')) === 0, 'the silence shows in the metrics');
  recordFigure({
    promise: 'C3',
    trial: 'Redis out of reach, a change published meanwhile',
    measured: `seen after ${delayMs.toFixed(0)} ms`,
    holds: delayMs <= 3_000,
  });
});

test.each(LOSSES)(
  'Postgres gone (%s): known links are served, unknown ones are 503',
  async (how, inWords) => {
    await trial.links.insert({ slug: `published${how}`, url: 'https://example.org/published' });
    await trial.links.publish(`published${how}`);
    const unknown = Array.from({ length: trialSize(8, 500) }, (_, i) => `nowhere${how}${i}`);
    const tally = await visitMeanwhile('known', async () => {
      await postgresProxy[how]();
      // Redis has a tenth of a second to answer, and what it does not answer in time Postgres cannot.
      await until(
        async () => (await answer(`published${how}`)) === 'https://example.org/published',
        'Redis answers',
      );
      expect(new Set(await Promise.all(unknown.map(answer)))).toEqual(new Set(['503']));
      await stayGoneFor(trialSize(0.5, 10));
    });
    await postgresProxy.restore();
    postgresProxy.closeFrozen();
    // Nothing negative was kept: as soon as Postgres answers, the link created in the meantime is there.
    await trial.links.insert({ slug: `nowhere${how}0`, url: 'https://example.org/somewhere' });
    const from = performance.now();
    await until(
      async () =>
        (await many(`nowhere${how}0`)).every((location) => location === 'https://example.org/somewhere'),
      'the slug that was 503 resolves',
    );
    recordFigure({
      promise: 'C5',
      trial: `Postgres ${inWords}, ${unknown.length} unknown slugs`,
      measured:
        `${tell(tally)}; every unknown slug 503; one of them, created since, found ` +
        `${((performance.now() - from) / 1_000).toFixed(1)} s after Postgres was back`,
      holds: tally.failed === 0,
    });
    expect(tally.failed).toBe(0);
  },
);

test(
  'both gone: known links are served past a gap, unknown ones are 503, no process exits',
  async () => {
    await warm();
    const workers = redirect.workers();
    // In full past the life of every entry. That it goes on for an hour, and no longer, takes a clock that can be set:
    // services/redirect/src/links/link-cache.test.ts.
    const seconds = trialSize(2, 35);
    const tally = await visitMeanwhile('known', async () => {
      await redisProxy.kill();
      await postgresProxy.kill();
      expect(await answer('nobodyKnows')).toBe('503');
      await stayGoneFor(seconds);
    });
    const isSame = redirect.workers().join() === workers.join();
    recordFigure({
      promise: 'C6',
      trial: `Redis and Postgres killed for ${seconds} s (up to 1 h: link-cache.test.ts)`,
      measured: `${tell(tally)}; ${isSame ? 'no' : 'a'} process exited`,
      holds: tally.failed === 0 && isSame,
    });
    expect(tally.failed).toBe(0);
    expect(isSame).toBe(true);
    const response = await request(redirect.port, ['GET /nobodyKnows HTTP/1.1', 'Host: a']);
    expect(response.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'private, no-store' });
  },
  trialSize(60_000, 120_000),
);

test('each of these visits is counted once, regardless of the outages', async () => {
  const isDelivered = async (): Promise<boolean> => {
    const accepted = await redirect.metric('smartlink_redirect_events_total{fate="accepted"}');
    const delivered = await redirect.metric('smartlink_redirect_shipper_total{event="delivered_events"}');
    return accepted >= foundVisits && delivered === accepted;
  };
  await until(isDelivered, 'all events have arrived');
  const { rows } = await readStored(trial.databases.clickhouseUrl);
  expect(rows).toBe(foundVisits);
  recordFigure({
    promise: 'E7',
    trial: `Redis and Postgres killed and cut off, alone and together, under ${foundVisits} visits`,
    measured: '0 lost, 0 doubled',
    holds: true,
  });
});

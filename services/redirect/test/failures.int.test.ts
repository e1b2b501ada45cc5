import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import type { BreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { request } from '@smartlink/test-support/raw-request';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { until } from '@smartlink/test-support/until';
import { readStored } from './events-fixtures.js';
import { SET_URL } from './link-store.js';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

const KNOWN = 'https://example.org/known';

let trial: Trial;
let redirect: Redirect;
let redisProxy: BreakableProxy;
let postgresProxy: BreakableProxy;
let coldLinks = 0;
let foundVisits = 0;

beforeAll(async () => {
  trial = await openTrial();
  redisProxy = await startBreakableProxy(trial.databases.redisUrl);
  postgresProxy = await startBreakableProxy(trial.databases.databaseUrl);
  redirect = await startRedirect({
    ...trial.databases,
    redisUrl: redisProxy.url,
    databaseUrl: postgresProxy.url,
  });
  await trial.links.insert({ slug: 'known', url: KNOWN });
  await warm();
});

afterEach(async () => {
  // Redis' frozen connections stay dead, as after a lost machine: new ones must be made without their help.
  await redisProxy.restore();
  await postgresProxy.restore();
  postgresProxy.closeFrozen();
  // Whole again, and all have noticed: the next test breaks it anew.
  for (const state of ['ready', 'feed_live']) {
    await until(
      async () => (await redirect.metric(`smartlink_redirect_redis_connections{state="${state}"}`)) === 2,
      `Redis is ${state} for both workers`,
    );
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
  await trial.close();
});

const answer = async (slug: string): Promise<string> => {
  const response = await request(redirect.port, [`GET /${slug} HTTP/1.1`, 'Host: a'], { deadlineMs: 10_000 });
  const text = response.headers['location'] ?? String(response.status);
  if (isFound(text)) foundVisits += 1;
  return text;
};
const isFound = (text: string) => text.startsWith('https://');
const many = (slug: string, count = 40) => Promise.all(Array.from({ length: count }, () => answer(slug)));
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

/** Visits one link on and on while `work` runs; returns how many visits and how many failed. */
async function visitMeanwhile(
  slug: string,
  work: () => Promise<void>,
): Promise<{ visits: number; failed: number }> {
  let isDone = false;
  const tally = { visits: 0, failed: 0 };
  const visitor = async (): Promise<void> => {
    while (!isDone) {
      tally.visits += 1;
      if (!isFound(await answer(slug))) tally.failed += 1;
    }
  };
  const visitors = [visitor(), visitor()];
  await work();
  isDone = true;
  await Promise.all(visitors);
  return tally;
}

const secondsLater = (seconds: number) => {
  const from = performance.now();
  return until(() => performance.now() - from > seconds * 1000, 'time has passed', seconds * 1000 + 5_000);
};

test.each(['kill', 'freeze'] as const)('Redis gone (%s): known and cold links are served', async (how) => {
  const tally = await visitMeanwhile('known', async () => {
    await redisProxy[how]();
    for (let i = 0; i < 20; i += 1) expect(isFound(await visitCold())).toBe(true);
    expect(await answer('unknown')).toBe('404');
    // Long enough for the silence to be noticed and every entry to be looked up again.
    await secondsLater(2.5);
  });
  process.stdout.write(`Redis ${how}: ${tally.visits} visits to a known link, ${tally.failed} failed\n`);
  expect(tally.failed).toBe(0);
});

test('Redis gone and back: a change published meanwhile is seen when the feed is back', async () => {
  const id = await trial.links.insert({ slug: 'missed', url: 'https://example.org/1' });
  await until(async () => (await many('missed')).every(isFound), 'every process knows the link');
  await redisProxy.kill();
  await trial.links.update(id, SET_URL, 'https://example.org/2');
  await trial.links.publish('missed');
  const from = performance.now();
  await until(
    async () => (await many('missed')).every((location) => location === 'https://example.org/2'),
    'every process sees the change',
    3_000,
  );
  process.stdout.write(`change during a cut feed: seen after ${(performance.now() - from).toFixed(0)} ms\n`);
});

test.each(['kill', 'freeze'] as const)(
  'Postgres gone (%s): known links are served, unknown ones are 503',
  async (how) => {
    await trial.links.insert({ slug: `published${how}`, url: 'https://example.org/published' });
    await trial.links.publish(`published${how}`);
    const tally = await visitMeanwhile('known', async () => {
      await postgresProxy[how]();
      expect(await answer(`published${how}`)).toBe('https://example.org/published');
      for (let i = 0; i < 8; i += 1) expect(await answer(`nowhere${how}${i}`)).toBe('503');
    });
    process.stdout.write(`Postgres ${how}: ${tally.visits} visits to a known link, ${tally.failed} failed\n`);
    expect(tally.failed).toBe(0);
    await postgresProxy.restore();
    postgresProxy.closeFrozen();
    // Nothing negative was kept: as soon as Postgres answers, the link that came meanwhile is there.
    await trial.links.insert({ slug: `nowhere${how}0`, url: 'https://example.org/somewhere' });
    await until(
      async () =>
        (await many(`nowhere${how}0`)).every((location) => location === 'https://example.org/somewhere'),
      'the slug that was 503 resolves',
    );
  },
);

test('both gone: known links are served past a gap, unknown ones are 503, no process exits', async () => {
  await warm();
  const workers = redirect.workers();
  const tally = await visitMeanwhile('known', async () => {
    await redisProxy.kill();
    await postgresProxy.kill();
    expect(await answer('nobodyKnows')).toBe('503');
    await secondsLater(3);
  });
  process.stdout.write(`both gone: ${tally.visits} visits to a known link, ${tally.failed} failed\n`);
  expect(tally.failed).toBe(0);
  expect(redirect.workers()).toEqual(workers);
  const response = await request(redirect.port, ['GET /nobodyKnows HTTP/1.1', 'Host: a']);
  expect(response.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'private, no-store' });
});

test('each of these visits is counted once, whatever was gone meanwhile', async () => {
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

import { createLinkResolver } from '@smartlink/link-resolver/link-resolver';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { followChanges, sendHeartbeats } from '@smartlink/link-resolver/change-feed';
import { openFeedRedis, openRedis } from '@smartlink/link-resolver/redis-connection';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { createLogger } from '@smartlink/process/logger';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SET_STATUS, SET_URL } from './link-store.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

const log = createLogger({ service: 'test', level: 'silent' });
const now = () => performance.now();

let trial: Trial;
let keyPrefix: string;

beforeAll(async () => {
  trial = await openTrial();
  keyPrefix = trial.databases.redisKeyPrefix;
});

afterAll(() => trial.close());

const snapshot = (slug: string, version: number): LinkSnapshot => ({
  version,
  smartlinkId: 'id',
  ownerId: 'owner',
  slug,
  status: 'Active',
  type: 'Url',
  url: `https://example.org/${version}`,
});
const publish = (slug: string, version: number) =>
  publishSnapshots(trial.redis, keyPrefix, new Map([[slug, snapshot(slug, version)]]));
const resolverOn = (redis: RedisConnection) =>
  createLinkResolver({ redis, postgres: trial.pool, keyPrefix, now });
const ready = (redis: RedisConnection) => until(() => redis.status === 'ready', 'Redis is ready');

test('Postgres is asked once, then Redis knows', async () => {
  const resolver = resolverOn(trial.redis);
  const id = await trial.links.insert({ slug: 'First', url: 'https://example.org/', aliases: ['alias1'] });
  expect(await resolver.resolve('first')).toMatchObject({
    source: 'postgres',
    snapshot: { smartlinkId: id, ownerId: trial.links.ownerId, slug: 'First', url: 'https://example.org/' },
  });
  await until(async () => (await resolver.resolve('first')).source === 'redis', 'Redis is filled');
  expect((await resolver.resolve('alias1')).snapshot).toMatchObject({ smartlinkId: id, slug: 'alias1' });
  expect(await resolver.resolve('nothing')).toEqual({ snapshot: null, source: 'postgres', lagMs: 0 });
});

test('a value in Redis that is older than asked for is passed over', async () => {
  const resolver = resolverOn(trial.redis);
  const id = await trial.links.insert({ slug: 'outdated', url: 'https://example.org/1' });
  await trial.links.publish('outdated');
  const version = await trial.links.update(id, SET_URL, 'https://example.org/2');
  expect((await resolver.resolve('outdated')).snapshot).toMatchObject({ url: 'https://example.org/1' });
  expect(await resolver.resolve('outdated', version)).toMatchObject({
    source: 'postgres',
    snapshot: { url: 'https://example.org/2' },
  });
  await until(
    async () => (await resolver.resolve('outdated', version)).source === 'redis',
    'Redis is filled anew',
  );
});

test('what Postgres knows of an older version does not go to Redis', async () => {
  const resolver = resolverOn(trial.redis);
  await trial.links.insert({ slug: 'behind', url: 'https://example.org/' });
  const { snapshot: found } = await resolver.resolve('behind', Number.MAX_SAFE_INTEGER);
  expect(found).toMatchObject({ slug: 'behind' });
  // A fill of the same connection comes after one that would have gone before it.
  await trial.links.insert({ slug: 'ahead', url: 'https://example.org/' });
  await resolver.resolve('ahead');
  await until(async () => (await trial.redis.exists(`${keyPrefix}link:ahead`)) === 1, 'Redis is filled');
  expect(await trial.redis.exists(`${keyPrefix}link:behind`)).toBe(0);
});

test('deleted links and erased owners are tombstones', async () => {
  const resolver = resolverOn(trial.redis);
  const id = await trial.links.insert({ slug: 'deleted', url: 'https://example.org/' });
  await trial.links.update(id, SET_STATUS, 'Deleted');
  expect((await resolver.resolve('deleted')).snapshot).toMatchObject({ status: 'Deleted', smartlinkId: id });
  await trial.links.insert({ slug: 'erased', url: 'https://example.org/' });
  await trial.pool.query(`delete from smartlinks where slug = 'erased'`);
  expect((await resolver.resolve('erased')).snapshot).toMatchObject({
    status: 'Deleted',
    version: Number.MAX_SAFE_INTEGER,
  });
});

test('a damaged row fails itself and not the others of its batch', async () => {
  const resolver = resolverOn(trial.redis);
  const id = await trial.links.insert({ slug: 'damaged', url: 'https://example.org/' });
  await trial.links.update(id, 'content = $2', {});
  await trial.links.insert({ slug: 'sound', url: 'https://example.org/' });
  // The first goes alone; the other two share the next batch.
  const results = await Promise.allSettled(
    ['nothing', 'damaged', 'sound'].map((slug) => resolver.resolve(slug)),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(findSnapshots(trial.pool, ['damaged'])).rejects.toThrow('has no content');
});

const RACES = trialSize(2_000, 10_000);

test(
  'forced races of publishers and a fill: Redis always ends with the newest',
  async () => {
    let stale = 0;
    const resolver = resolverOn(trial.redis);
    for (let round = 0; round < RACES; round += 1) {
      const slug = `race${round % 50}`;
      const base = 3 * round + 1;
      const versions = [base, base + 1, base + 2];
      // Every order of arrival comes up; a delete after commit, or a plain set, loses some of them.
      const order = [0, 1, 2].map((i) => versions[(i * (1 + (round % 2)) + round) % 3] ?? base);
      await Promise.all(order.map((version) => publish(slug, version)));
      const stored = await resolver.resolve(slug);
      if (stored.snapshot?.version !== base + 2) stale += 1;
    }
    recordFigure({
      promise: 'C2',
      trial: `${RACES.toLocaleString('en')} forced races of publishers`,
      measured: `${stale} stale`,
      holds: stale === 0,
    });
    expect(stale).toBe(0);
  },
  trialSize(60_000, 120_000),
);

test('every key has a life, and a foreign value is asked of Postgres', async () => {
  await publish('life', 5);
  expect(await trial.redis.ttl(`${keyPrefix}link:life`)).toBeGreaterThan(80_000);
  await trial.redis.set(`${keyPrefix}link:life`, 'something else');
  expect((await resolverOn(trial.redis).resolve('life')).source).toBe('postgres');
  await publish('life', 1);
  expect((await resolverOn(trial.redis).resolve('life')).snapshot?.version).toBe(1);
});

test('a publish that Redis refuses is rejected, so that the outbox tries again', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  const redis = openRedis({ url: proxy.url, log, commandTimeoutMs: 200 });
  try {
    await ready(redis);
    await proxy.kill();
    await expect(publishSnapshots(redis, keyPrefix, new Map([['x', snapshot('x', 1)]]))).rejects.toThrow();
  } finally {
    redis.disconnect();
    await proxy.close();
  }
});

test.each(['kill', 'freeze'] as const)(
  'Redis gone (%s): Postgres answers, and Redis is used again once it is back',
  async (how) => {
    const proxy = await startBreakableProxy(trial.databases.redisUrl);
    const redis = openRedis({ url: proxy.url, log, commandTimeoutMs: 100 });
    try {
      await ready(redis);
      const resolver = resolverOn(redis);
      await publish('there', 1);
      await until(async () => (await resolver.resolve('there')).source === 'redis', 'Redis is used');
      await proxy[how]();
      // All but the first few, and a probe every half second.
      await until(async () => {
        expect((await resolver.resolve('nothing')).source).toBe('postgres');
        return resolver.counters.redisSkipped > 5;
      }, 'Redis is passed over');
      await proxy.restore();
      await until(async () => (await resolver.resolve('there')).source === 'redis', 'Redis is used again');
    } finally {
      redis.disconnect();
      await proxy.close();
    }
  },
);

test('a connection with a command timeout that is dead without a word is made anew', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  const redis = openRedis({ url: proxy.url, log, commandTimeoutMs: 100 });
  try {
    await ready(redis);
    proxy.freeze();
    await proxy.restore();
    await expect(redis.ping()).rejects.toThrow();
    await until(
      () =>
        redis.ping().then(
          () => true,
          () => false,
        ),
      'the connection answers again',
    );
  } finally {
    redis.disconnect();
    await proxy.close();
  }
});

test('with neither, a look-up says that nobody knows', async () => {
  const redis = openRedis({ url: 'redis://127.0.0.1:1', log, commandTimeoutMs: 100 });
  const resolver = createLinkResolver({
    redis,
    keyPrefix,
    now,
    postgres: { query: () => Promise.reject(new Error('refused')) },
  });
  await expect(resolver.resolve('x')).rejects.toThrow('Neither Redis nor Postgres answered');
  redis.disconnect();
});

test('the feed tells of changes, of a subscription, of a silence, and is live again with the next heartbeat', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  const feedRedis = openFeedRedis({ url: proxy.url, log });
  const changes: string[] = [];
  const gaps: string[] = [];
  const feed = followChanges({
    redis: feedRedis,
    keyPrefix,
    log,
    onChange: (slugKey, version) => changes.push(`${slugKey} ${version}`),
    onGap: (reason) => gaps.push(reason),
  });
  let heartbeats = sendHeartbeats(trial.redis, keyPrefix, 'host');
  try {
    await until(() => feed.isLive(), 'the feed is live');
    await publish('told', 7);
    await until(() => changes.includes('told 7'), 'the change is told');
    // What is no change must not be taken for one.
    await trial.redis.publish(`${keyPrefix}changes`, 'told x');
    heartbeats.close();
    await until(() => gaps.includes('silence'), 'the silence is noticed');
    expect([gaps, feed.isLive()]).toEqual([['subscribed', 'silence'], false]);
    heartbeats = sendHeartbeats(trial.redis, keyPrefix, 'host');
    await until(() => feed.isLive(), 'the feed is live again');
    await proxy.kill();
    await proxy.restore();
    await until(() => gaps.at(-1) === 'subscribed', 'the reconnect is told');
    expect(gaps).toEqual(['subscribed', 'silence', 'subscribed']);
    expect(changes.every((change) => /^\w+ \d+$/.test(change))).toBe(true);
  } finally {
    heartbeats.close();
    feed.close();
    feedRedis.disconnect();
    await proxy.close();
  }
});

test('a feed whose connection is dead without a word makes a new one', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  const feedRedis = openFeedRedis({ url: proxy.url, log });
  const gaps: string[] = [];
  const feed = followChanges({
    redis: feedRedis,
    keyPrefix,
    log,
    onChange: () => undefined,
    onGap: (reason) => gaps.push(reason),
  });
  const heartbeats = sendHeartbeats(trial.redis, keyPrefix, 'host');
  try {
    await until(() => feed.isLive(), 'the feed is live');
    proxy.freeze();
    await proxy.restore();
    await until(() => feed.isLive() && gaps.length > 2, 'the feed is live on a new connection');
    expect(gaps).toEqual(['subscribed', 'silence', 'subscribed']);
  } finally {
    heartbeats.close();
    feed.close();
    feedRedis.disconnect();
    await proxy.close();
  }
});

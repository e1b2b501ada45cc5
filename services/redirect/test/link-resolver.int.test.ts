import type { Redis } from 'ioredis';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { followChanges, sendHeartbeats } from '@smartlink/links/change-feed';
import { findSnapshots, publishSnapshots } from '@smartlink/links/publish';
import { openFeedRedis, openRedis, type RedisConnection } from '@smartlink/links/redis';
import { createLinkResolver } from '@smartlink/links/resolve';
import { createLogger } from '@smartlink/process/lifecycle';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { SET_STATUS, SET_URL } from './link-store.js';
import { useTrial } from './serve.js';

const log = createLogger({ service: 'test', level: 'silent' });
const now = () => performance.now();

const trial = useTrial();
let keyPrefix: string;

beforeAll(() => {
  keyPrefix = trial.databases.redisKeyPrefix;
});

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

/** A connection by way of a proxy, ready; both end with the test. */
async function openBreakable(commandTimeoutMs: number) {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  const redis = openRedis({ url: proxy.url, log, commandTimeoutMs });
  onTestFinished(async () => {
    redis.disconnect();
    await proxy.close();
  });
  await ready(redis);
  return { proxy, redis };
}

/** A feed that notes what it hears, and ends with the test. */
function openFeed(url: string, feedLog = log) {
  const redis = openFeedRedis({ url, log });
  const changes: string[] = [];
  const gaps: string[] = [];
  const feed = followChanges({
    redis,
    keyPrefix,
    log: feedLog,
    onChange: (slugKey, version) => changes.push(`${slugKey} ${version}`),
    onGap: (reason) => gaps.push(reason),
  });
  onTestFinished(() => {
    feed.close();
    redis.disconnect();
  });
  return { feed, changes, gaps };
}

function startHeartbeats() {
  const heartbeats = sendHeartbeats(trial.redis, keyPrefix, 'host');
  onTestFinished(() => {
    heartbeats.close();
  });
  return heartbeats;
}

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
    'Redis is filled again',
  );
});

test('a value of the same version is replaced by one of a higher format, and by no other', async () => {
  const key = `${keyPrefix}link:formats`;
  const whole = { ...snapshot('formats', 5), utm: { source: 'mail' } } as LinkSnapshot;
  const publishAs = async (one: LinkSnapshot) => {
    await publishSnapshots(trial.redis, keyPrefix, new Map([['formats', one]]));
    return trial.redis.get(key);
  };
  // As an earlier build publishes it, without the member.
  expect(await publishAs(snapshot('formats', 5))).toMatch(/^1/);
  expect(await publishAs(whole)).toMatch(/^2/);
  expect(await publishAs(snapshot('formats', 5))).toMatch(/^2/);
  expect((await resolverOn(trial.redis).resolve('formats')).snapshot).toEqual(whole);
  expect(await publishAs(snapshot('formats', 6))).toMatch(/^1/);
  expect(await publishAs(whole)).toMatch(/^1/);
});

test('a version from Postgres older than asked for is not written to Redis', async () => {
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
  const ttl = await trial.redis.ttl(`${keyPrefix}link:life`);
  expect(ttl).toBeGreaterThan(86_300);
  expect(ttl).toBeLessThanOrEqual(86_400);
  await trial.redis.set(`${keyPrefix}link:life`, 'something else');
  expect((await resolverOn(trial.redis).resolve('life')).source).toBe('postgres');
  await publish('life', 1);
  expect((await resolverOn(trial.redis).resolve('life')).snapshot?.version).toBe(1);
});

test('a publish that Redis refuses is rejected, so that the outbox tries again', async () => {
  const { proxy, redis } = await openBreakable(200);
  await proxy.kill();
  await expect(publishSnapshots(redis, keyPrefix, new Map([['x', snapshot('x', 1)]]))).rejects.toThrow();
});

test.each(['kill', 'freeze'] as const)(
  'Redis gone (%s): Postgres answers, and Redis is used again once it is back',
  async (how) => {
    const { proxy, redis } = await openBreakable(100);
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
  },
);

test('a silently dead connection with a command timeout is replaced', async () => {
  const { proxy, redis } = await openBreakable(100);
  proxy.freeze();
  await proxy.restore();
  await expect(redis.ping()).rejects.toThrow();
  const answers = () =>
    redis.ping().then(
      () => true,
      () => false,
    );
  await until(answers, 'the connection answers again');
});

// As by a fail-over reported while the sentinel is asked for the master: ioredis then ends the connection.
test.each([
  ['of commands', (url: string) => openRedis({ url, log, commandTimeoutMs: 10_000 })],
  ['of the feed', (url: string) => openFeedRedis({ url, log })],
])('a reconnect while it connects leaves the connection %s alive', async (_what, open) => {
  const redis = open(trial.databases.redisUrl);
  let ends = 0;
  redis.on('error', () => undefined);
  (redis as unknown as NodeJS.EventEmitter).on('end', () => (ends += 1));
  (redis as Redis).disconnect(true);
  await ready(redis);
  expect(await redis.ping()).toBe('PONG');
  expect(ends).toBe(1);
  redis.disconnect();
  await until(() => redis.status === 'end', 'it is closed');
  expect(ends).toBe(2);
});

test('without Redis and Postgres a look-up fails', async () => {
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

test('the feed reports changes, a subscription and a silence, and is live again with the next heartbeat', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  onTestFinished(proxy.close);
  const { feed, changes, gaps } = openFeed(proxy.url);
  const heartbeats = startHeartbeats();
  await until(() => feed.isLive(), 'the feed is live');
  await publish('told', 7);
  await until(() => changes.includes('told 7'), 'the change is told');
  // What is no change must not be taken for one.
  await trial.redis.publish(`${keyPrefix}changes`, 'told x');
  heartbeats.close();
  await until(() => gaps.includes('silence'), 'the silence is noticed');
  expect([gaps, feed.isLive()]).toEqual([['subscribed', 'silence'], false]);
  startHeartbeats();
  await until(() => feed.isLive(), 'the feed is live again');
  await proxy.kill();
  await proxy.restore();
  await until(() => gaps.at(-1) === 'subscribed', 'the reconnect is told');
  expect(gaps).toEqual(['subscribed', 'silence', 'subscribed']);
  expect(changes.every((change) => /^\w+ \d+$/.test(change))).toBe(true);
});

test('a feed whose connection is dead without a word makes a new one', async () => {
  const proxy = await startBreakableProxy(trial.databases.redisUrl);
  onTestFinished(proxy.close);
  const { feed, gaps } = openFeed(proxy.url);
  startHeartbeats();
  await until(() => feed.isLive(), 'the feed is live');
  proxy.freeze();
  await proxy.restore();
  await until(() => feed.isLive() && gaps.length > 2, 'the feed is live on a new connection');
  expect(gaps).toEqual(['subscribed', 'silence', 'subscribed']);
});

test('a refused subscription is logged once, and so are the beginning and the end of a silence', async () => {
  const user = `feed-${process.pid}`;
  const rules = ['on', '>secret', 'allchannels', '+@all'];
  await trial.redis.call('acl', 'setuser', user, ...rules, '-subscribe');
  const url = new URL(trial.databases.redisUrl);
  [url.username, url.password] = [user, 'secret'];
  const lines: string[] = [];
  const feedLog = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const logged = (text: string) => lines.filter((line) => line.includes(text)).length;
  const { feed } = openFeed(url.href, feedLog);
  startHeartbeats();
  try {
    await until(() => logged('change feed is silent') === 1, 'the silence is logged');
    await trial.redis.call('acl', 'setuser', user, '+subscribe');
    await until(() => feed.isLive(), 'the feed is live');
    expect(logged('redis rejected the change subscription')).toBe(1);
    expect(logged('change feed is silent')).toBe(1);
    expect(logged('change feed is live again')).toBe(1);
  } finally {
    await trial.redis.call('acl', 'deluser', user);
  }
});

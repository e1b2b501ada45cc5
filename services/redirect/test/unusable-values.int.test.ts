import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findSnapshots,
  followedPlaceKey,
  followerLeaseKey,
  publishSnapshots,
  snapshotRedisKey,
} from '@smartlink/links/publish';
import { openRedis, type RedisConnection, whenReady } from '@smartlink/links/redis';
import { createLinkResolver, type LinkResolver } from '@smartlink/links/resolve';
import { until } from '@smartlink/test-support/until';
import { createChangeFollower } from '../src/changes/change-follower.js';
import { useTrial } from './serve.js';

// Values in Redis that no service writes: by hand, or from a broken build.

const trial = useTrial();
let keyPrefix: string;
let redis: RedisConnection;
let resolver: LinkResolver;

beforeAll(async () => {
  keyPrefix = trial.databases.redisKeyPrefix;
  const log = pino({ level: 'silent' });
  redis = openRedis({ url: trial.databases.redisUrl, log, commandTimeoutMs: 1_000 });
  await whenReady(redis, 10_000);
  resolver = createLinkResolver({ redis, postgres: trial.pool, keyPrefix, now: () => performance.now() });
});

afterAll(() => {
  redis.disconnect();
});

const NEWER = String(Number.MAX_SAFE_INTEGER - 1);

test.each([
  ['kind', 'of an unknown kind', `1${NEWER}{"version":${NEWER},"status":"Active","type":"Video"}`],
  ['huge', 'with the version 2^60', `1${2n ** 60n}{"version":${2n ** 60n},"status":"Deleted"}`],
  ['cut', 'that is cut off', `1${NEWER}{"version":${NEWER},"stat`],
  ['letters', 'of letters', 'z'.repeat(100)],
  ['list', 'that is a list', null],
])('%s: a value %s is a miss, and stops no change', async (slug, _what, value) => {
  const key = snapshotRedisKey(keyPrefix, slug);
  const spoil = async () => {
    await trial.redis.del(key);
    await (value === null ? trial.redis.rpush(key, 'x') : trial.redis.set(key, value));
  };
  const isFilled = () => until(async () => (await resolver.resolve(slug)).source === 'redis', 'Redis knows');
  const truth = { url: `https://example.org/${slug}` };
  await trial.links.insert({ slug, ...truth });
  // So many failures would have Redis left alone.
  for (let round = 0; round < 3; round += 1) {
    await spoil();
    expect(await resolver.resolve(slug)).toMatchObject({ source: 'postgres', snapshot: truth });
    await isFilled();
  }
  await spoil();
  const publishing = publishSnapshots(redis, keyPrefix, await findSnapshots(trial.pool, [slug]));
  // Then the outbox tries again, and succeeds once a visit has removed it.
  if (value === null) await expect(publishing).rejects.toThrow('WRONGTYPE');
  else await publishing;
  await isFilled();
  expect((await resolver.resolve(slug)).snapshot).toMatchObject(truth);
  expect(resolver.counters).toMatchObject({ redisFailures: 0, redisSkipped: 0 });
});

test.each([
  ['that is no number', 'somewhere', 'is not readable'],
  ['that no transaction can have', '9'.repeat(30), 'is not readable'],
  ['that is a list', null, 'is not readable'],
  ['that Postgres has not come to', String(2n ** 60n), 'is ahead of Postgres'],
])(
  'a follower continues from a position %s with the oldest change, and logs it',
  async (_what, place, said) => {
    await trial.pool.query('truncate link_changes');
    const slug = `follow${place?.length ?? 0}`;
    await trial.links.insert({ slug, url: 'https://example.org/' });
    await trial.pool.query('insert into publish_outbox (slug_key, version) values ($1, 1)', [slug]);
    const key = followedPlaceKey(keyPrefix);
    await trial.redis.del(followerLeaseKey(keyPrefix), key);
    await (place === null ? trial.redis.rpush(key, 'x') : trial.redis.set(key, place));
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    const follower = createChangeFollower({ db: trial.pool, redis, keyPrefix, log });
    await until(() => follower.followPage(), 'a look brings it further');
    expect(await trial.redis.exists(snapshotRedisKey(keyPrefix, slug))).toBe(1);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `change follower position ${said}`,
    ]);
  },
);

test.each([
  ['that is a list', (key: string) => trial.redis.rpush(key, 'x')],
  ['that never ends', (key: string) => trial.redis.set(key, 'somebody')],
])('a lease %s is free', async (_what, spoil) => {
  await trial.redis.del(followerLeaseKey(keyPrefix), followedPlaceKey(keyPrefix));
  await spoil(followerLeaseKey(keyPrefix));
  const log = pino({ level: 'silent' });
  const [first, second] = [1, 2].map(() => createChangeFollower({ db: trial.pool, redis, keyPrefix, log }));
  await until(() => first?.followPage(), 'the first one takes it');
  // The other's lease ends by itself one day, so it is respected.
  expect(await trial.redis.pttl(followerLeaseKey(keyPrefix))).toBeGreaterThan(0);
  expect(await second?.followPage()).toBe(false);
});

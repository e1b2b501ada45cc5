import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@smartlink/smartlink/store';
import { until } from '@smartlink/test-support/until';
import { useAdmin } from './run-admin.js';

const admin = useAdmin();
let redis: Redis;
let userId: string;
const SLUGS = ['alpha', 'beta', 'gamma', 'delta'];

beforeAll(async () => {
  redis = new Redis(admin.databases.redisUrl);
  ({ userId } = await admin.createUser());
  for (const [i, slug] of SLUGS.entries()) {
    await admin.createSmartlink({ userId, smartlinkId: newId(1_700_000_000_000 + i), slug });
  }
});

afterAll(() => {
  redis.disconnect();
});

const keyOf = (slug: string) => `${admin.databases.redisKeyPrefix}link:${slug}`;

beforeEach(async () => {
  for (const slug of [...SLUGS, 'nobody']) await redis.del(keyOf(slug));
});

const held = async () => {
  const keys = await redis.keys(keyOf('*'));
  return keys.map((key) => key.slice(keyOf('').length)).toSorted();
};

const faults = { older: 0, newer: 0, different: 0, damaged: 0, unknown: 0, unreadable: 0 };
const counts = { checked: 4, right: 4, missing: 0, changing: 0, ...faults, repaired: 0 };

test('cache warm publishes the newest first, in as many runs as one likes, and verify finds them right', async () => {
  expect(await admin.json('cache', 'warm', '--limit', '2')).toEqual({
    smartlinks: 2,
    addresses: 2,
    unreadable: 0,
  });
  expect(await held()).toEqual(['delta', 'gamma']);
  const { exitCode, stderr } = await admin.interrupted('cache', 'warm');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: 'Interrupted after 0 smartlinks.\n' });
  const { rows } = await admin.db.query<{ id: string }>('select id from smartlinks where slug = $1', [
    'gamma',
  ]);
  const after = rows[0]?.id ?? '';
  expect(await admin.json('cache', 'warm', '--after', after)).toMatchObject({ smartlinks: 2 });
  expect(await held()).toEqual(SLUGS.toSorted());
  expect(await admin.json('cache', 'verify')).toEqual(counts);
  expect(await admin.json('cache', 'verify', '--sample', '3')).toEqual({ ...counts, checked: 3, right: 3 });
  expect(await redis.ttl(keyOf('alpha'))).toBeGreaterThan(0);
});

test('warming keeps newer entries in Redis, and a missing entry is not a fault', async () => {
  const newer = `1${'9'.padStart(16, '0')}{"version":9}`;
  await redis.set(keyOf('alpha'), newer, 'EX', 60);
  await admin.json('cache', 'warm', '--limit', '9');
  expect(await redis.get(keyOf('alpha'))).toBe(newer);
  await redis.del(keyOf('alpha'), keyOf('beta'));
  expect(await admin.json('cache', 'verify')).toEqual({ ...counts, right: 2, missing: 2 });
});

test('older, newer, different, damaged and unknown values are reported and repaired', async () => {
  await admin.json('cache', 'warm');
  const right = (await redis.get(keyOf('alpha'))) ?? '';
  const version = Number(right.slice(1, 17));
  const at = (number: number, text: string) => `1${String(number).padStart(16, '0')}${text}`;
  const json = right.slice(17);
  const withVersion = (number: number) =>
    at(number, json.replace(`"version":${version}`, `"version":${number}`));
  await redis.set(keyOf('alpha'), withVersion(version - 1), 'EX', 60);
  await redis.set(keyOf('beta'), withVersion(version + 1_000), 'EX', 60);
  await redis.set(keyOf('gamma'), Buffer.from('ff00fe7b7bff', 'hex'), 'EX', 60);
  const delta = (await redis.get(keyOf('delta'))) ?? '';
  await redis.set(keyOf('delta'), delta.replace('example.org', 'example.net'), 'EX', 60);
  await redis.set(keyOf('nobody'), withVersion(version), 'EX', 60);

  const wrong = { ...counts, checked: 5, right: 0, older: 1, newer: 1, different: 1, damaged: 1, unknown: 1 };
  const told = await admin.run('cache', 'verify', '--json');
  expect(JSON.parse(told.stdout)).toEqual(wrong);
  expect(told).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^5 addresses are wrong in Redis/) as string,
  });

  const feed = redis.duplicate();
  const messages: string[] = [];
  feed.on('message', (_channel: string, message: string) => messages.push(message));
  await feed.subscribe(`${admin.databases.redisKeyPrefix}changes`);
  const repaired = await admin.run('cache', 'verify', '--repair');
  expect(repaired).toMatchObject({ exitCode: 0, stderr: '' });
  expect(repaired.stdout).toContain(
    `beta: newer than Postgres (Redis has version ${version + 1_000}, Postgres `,
  );
  expect(repaired.stdout).toMatch(/5 wrong .*, 5 repaired\.\n$/);
  // Redirect processes let go of what they hold of it.
  for (const message of [`beta ${version + 1_001}`, `nobody ${version + 1}`])
    await until(() => messages.includes(message), `the feed says ${message}`);
  feed.disconnect();
  expect(await admin.json('cache', 'verify')).toEqual(counts);
  expect(await redis.exists(keyOf('nobody'))).toBe(0);
});

test('keys of another type are damaged, and repaired like others', async () => {
  await admin.json('cache', 'warm');
  for (const slug of ['alpha', 'nobody']) {
    await redis.del(keyOf(slug));
    await redis.lpush(keyOf(slug), 'x');
  }
  const repaired = await admin.run('cache', 'verify', '--repair', '--json');
  expect(JSON.parse(repaired.stdout)).toEqual({
    ...counts,
    checked: 5,
    right: 3,
    damaged: 1,
    unknown: 1,
    repaired: 2,
  });
  expect(await admin.json('cache', 'verify')).toEqual(counts);
  expect(await redis.exists(keyOf('nobody'))).toBe(0);
});

test('a change that waits to be published is no fault, and a row that no snapshot can be made of is', async () => {
  await admin.json('cache', 'warm');
  await admin.db.query(`update smartlinks set version = nextval('smartlink_version') where slug = 'alpha'`);
  await admin.db.query(`insert into publish_outbox (slug_key, version) values ('alpha', 0)`);
  await admin.db.query(`update smartlinks set content = '{}' where slug = 'beta'`);
  const told = await admin.run('cache', 'verify', '--json', '--repair');
  expect(JSON.parse(told.stdout)).toEqual({ ...counts, right: 2, changing: 1, unreadable: 1 });
  expect(told.exitCode).toBe(1);
});

test('without Redis, and with invalid numbers, the error is one line', async () => {
  expect(await admin.runWith({ REDIS_URL: undefined }, 'cache', 'warm')).toMatchObject({
    exitCode: 1,
    stderr: 'REDIS_URL (or REDIS_URL_FILE) is not set: snapshots are stored there.\n',
  });
  expect((await admin.run('cache', 'verify', '--sample', '0')).stderr).toMatch(
    /^--sample "0": expected a whole/,
  );
  expect((await admin.run('cache', 'warm', '--after', 'x')).stderr).toMatch(/^--after "x": expected the id/);
});

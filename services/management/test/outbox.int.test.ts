import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';
import { caller, type Caller, createSmartlink, startServiceOn, urlSmartlink } from './start-service.js';
import { count, publishedAtOnce, untilPublished } from './stored-state.js';

let databases: TestDatabases;
let redis: Redis;
let gate: BreakableProxy;
let service: Awaited<ReturnType<typeof startServiceOn>>;
let api: Caller;
const messages: string[] = [];
let subscriber: Redis;

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'), { clickhouse: 'shared' });
  redis = new Redis(databases.redisUrl);
  subscriber = new Redis(databases.redisUrl);
  await subscriber.subscribe(`${databases.redisKeyPrefix}changes`);
  subscriber.on('message', (_channel, message: string) => messages.push(message));
  gate = await startBreakableProxy(databases.redisUrl);
  service = await startServiceOn(databases, { REDIS_URL: gate.url });
  api = caller(service.app, (await service.createUser()).apiKey);
});
afterAll(async () => {
  await service.app.close();
  await gate.close();
  redis.disconnect();
  subscriber.disconnect();
  await databases.drop();
});
beforeEach(async () => {
  await gate.restore();
  await until(() => service.app.redis.status === 'ready', 'Redis is ready');
  await untilPublished(service.app);
});

type Snapshot = { status: string; url?: string; version: number; slug: string; smartlinkId: string };

async function published(slugKey: string): Promise<Snapshot | null> {
  const value = await redis.get(`${databases.redisKeyPrefix}link:${slugKey}`);
  return value === null ? null : (JSON.parse(value.slice(value.indexOf('{'))) as Snapshot);
}

const depth = () => count(service.app, 'publish_outbox');

/** Waits until a slug is published so. A request that would take too long over it leaves it to the relay. */
const untilSnapshot = (slugKey: string, expected: Partial<Snapshot>) =>
  expect.poll(() => published(slugKey), { timeout: 30_000, interval: 20 }).toMatchObject(expected);

/** Kills Redis, and waits until the service knows: from then on nothing is published, or put into the outbox again. */
async function killRedis(): Promise<void> {
  await gate.kill();
  await until(() => service.app.redis.status !== 'ready', 'the service knows that Redis is gone');
}

const create = (smartlinkUrl?: string) => createSmartlink(api, urlSmartlink({ smartlinkUrl }));

test('a create is in Redis and on the channel before it is answered, and the outbox is emptied', async () => {
  const { id, slug } = await publishedAtOnce(service.app, create);
  const snapshot = await published(slug);
  expect(snapshot).toMatchObject({ status: 'Active', smartlinkId: id, url: 'https://example.org/', slug });
  await until(() => messages.includes(`${slug} ${snapshot?.version ?? 0}`), 'the change is told');
  await untilPublished(service.app);
});

test('rename, change and delete are in Redis for every address of the link before they are answered', async () => {
  const { id, slug } = await create();
  let round = 0;
  const addresses = [slug];
  const expectPublished = async (slugs: readonly string[], expected: Partial<Snapshot>) => {
    expect(await Promise.all(slugs.map(published))).toMatchObject(
      slugs.map((slug) => ({ ...expected, slug })),
    );
  };
  const rename = async (renamedId: string) => {
    round += 1;
    const smartlinkUrl = `outbox${round}`;
    const { status } = await api.patch('/smartlink', { id: renamedId, configuration: { smartlinkUrl } });
    expect(status).toBe(200);
    return smartlinkUrl;
  };
  await publishedAtOnce(service.app, async () => addresses.push(await rename(id)));
  await expectPublished(addresses, { status: 'Active', smartlinkId: id, url: 'https://example.org/' });

  const url = await publishedAtOnce(service.app, async () => {
    round += 1;
    const changed = `https://example.net/${round}`;
    expect((await api.patch('/smartlink', { id, shortener: { url: changed } })).status).toBe(200);
    return changed;
  });
  await expectPublished(addresses, { status: 'Active', smartlinkId: id, url });

  const deleted = await publishedAtOnce(service.app, async () => {
    const link = await create();
    const renamed = await rename(link.id);
    expect((await api.delete('/smartlink', { smartlinkId: link.id })).status).toBe(200);
    return [link.slug, renamed];
  });
  await expectPublished(deleted, { status: 'Deleted' });
  await untilPublished(service.app);
});

test('a deleted link’s address that its owner uses again is published newer than the tombstone', async () => {
  const first = await create('again');
  await api.delete('/smartlink', { smartlinkId: first.id });
  await untilSnapshot('again', { status: 'Deleted' });
  const tombstone = await published('again');
  const second = await create('AGAIN');
  await untilSnapshot('again', { status: 'Active', smartlinkId: second.id, slug: 'AGAIN' });
  const live = await published('again');
  expect(live!.version).toBeGreaterThan(tombstone!.version);
});

test('with Redis killed the API answers as ever, and the relay publishes when it is back', async () => {
  await killRedis();
  const { id, slug } = await create();
  const patched = await api.patch('/smartlink', { id, shortener: { url: 'https://example.net/later' } });
  expect(patched.status).toBe(200);
  expect(await published(slug)).toBeNull();
  const { rows } = await service.app.pg.query(
    'select count(distinct version)::integer as changes from publish_outbox where slug_key = $1',
    [slug],
  );
  expect(rows).toEqual([{ changes: 2 }]);

  await gate.restore();
  await until(
    async () => (await published(slug))?.url === 'https://example.net/later',
    'the change is published',
  );
  await untilPublished(service.app);
});

test('with a hanging Redis the API still answers, and the relay publishes when it is back', async () => {
  gate.freeze();
  const { slug } = await create();
  expect(await published(slug)).toBeNull();
  await gate.restore();
  await until(async () => (await published(slug))?.status === 'Active', 'the link is published');
  await untilPublished(service.app);
});

test('the outbox rows of a killed process are published by another one', async () => {
  const { id, slug } = await create();
  await untilPublished(service.app);
  // As committed by a process that died before it published.
  await service.app.pg.query(
    `with changed as (
       update smartlinks set version = nextval('smartlink_version'),
         content = '{"Url":{"shortener":{"url":"https://example.net/dead","protected":false}}}'
       where id = $1 returning version)
     insert into publish_outbox (slug_key, version) select $2, version from changed`,
    [id, slug],
  );
  await until(
    async () => (await published(slug))?.url === 'https://example.net/dead',
    'the change is published',
  );
});

test('several relays at once lose nothing and leave nothing', async () => {
  const others = await Promise.all([startServiceOn(databases), startServiceOn(databases)]);
  onTestFinished(async () => {
    await Promise.all(others.map(({ app }) => app.close()));
  });
  const { slug } = await create();
  await service.app.pg.query(
    `insert into publish_outbox (slug_key, version, created_at)
     select $1, 1, now() - interval '1 minute' from generate_series(1, 2000)`,
    [slug],
  );
  await untilPublished(service.app);
  expect(await published(slug)).toMatchObject({ status: 'Active' });
});

test('a change that Redis refuses stays in the outbox until Redis takes it', async () => {
  const { slug } = await create();
  await untilPublished(service.app);
  const key = `${databases.redisKeyPrefix}link:${slug}`;
  // The script that writes a snapshot fails on a key of another type.
  await redis.del(key);
  await redis.lpush(key, 'x');
  await service.app.pg.query(
    `insert into publish_outbox (slug_key, version, created_at) values ($1, 1, now() - interval '1 minute')`,
    [slug],
  );
  // Each attempt announces the change before the script fails.
  const told = () => messages.filter((message) => message.startsWith(`${slug} `)).length;
  const toldBefore = told();
  await until(() => told() >= toldBefore + 2, 'Redis has refused it and was asked again');
  await redis.del(key);
  await untilSnapshot(slug, { status: 'Active' });
});

test('a damaged link does not hold up the others', async () => {
  const bad = await create();
  await service.app.pg.query(`update smartlinks set content = '{}' where id = $1`, [bad.id]);
  await gate.kill();
  const good = await create();
  await service.app.pg.query(`insert into publish_outbox (slug_key, version) values ($1, 1)`, [bad.slug]);
  await gate.restore();
  await until(async () => (await published(good.slug))?.status === 'Active', 'the good link is published');
  await untilPublished(service.app);
  expect(service.logLines.join('')).toContain('damaged smartlink cannot be published');
});

test('the depth of the outbox and what was published are in the metrics', async () => {
  await killRedis();
  await create();
  // Changes of the last minute may have been put into it again, once Redis was back.
  const text = await until(async () => {
    const rows = await depth();
    const body = await service.app.metrics.registry.metrics();
    return rows > 0 && body.includes(`\nsmartlink_outbox_depth ${rows}\n`) && body;
  }, 'the metrics tell how many there are');
  expect(text).toMatch(/^smartlink_outbox_oldest_seconds (?!0$)\d+(?:\.\d+)?$/m);
  expect(text).toMatch(/^smartlink_published_slugs_total\{outcome="request"\} \d+$/m);
  expect(text).toMatch(/^smartlink_published_slugs_total\{outcome="relay"\} \d+$/m);
  expect(text).toMatch(/^smartlink_published_slugs_total\{outcome="failed"\} \d+$/m);
});

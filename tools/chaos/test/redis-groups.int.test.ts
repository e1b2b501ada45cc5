import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '@smartlink/test-support/raw-request';
import { type RedisServer, startRedisCluster } from '@smartlink/test-support/redis-groups';
import { until } from '@smartlink/test-support/until';
import { caller } from '../../../services/management/test/start-service.js';
import {
  describeTally,
  type GroupTrial,
  keysOf,
  LINKS,
  liveThrough,
  MANY,
  openGroupTrial,
  PROCESSES,
} from './redis-groups-trial.js';

/** Of the plan Starter. */
const REQUESTS_A_MINUTE = 60;
const PASSWORD = 'correct horse';
const TRIES_A_MINUTE = 5;

let cluster: GroupTrial;

beforeAll(async () => {
  cluster = await openGroupTrial(startRedisCluster);
});

afterAll(() => cluster.close());

test('on a cluster every process sees links created, changed and deleted, on all nodes', async () => {
  const slowestMs = await liveThrough(cluster, 'spread');
  const { group, redirect } = cluster;
  const counts = await Promise.all(group.servers.map(async (server) => (await keysOf(server)).length));
  console.log(
    `cluster: ${counts.join(', ')} links a node, the slowest change was seen after ${slowestMs.toFixed(0)} ms`,
  );
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count)).toBe(LINKS);
  const shared = () => redirect.metric('smartlink_redirect_visitor_salts{source="shared"}');
  await until(async () => (await shared()) === 2, 'both processes have the salt of the day');
  await until(async () => (await cluster.outboxDepth()) === 0, 'nothing is left to be published');
});

test('on a cluster all processes share the counts of requests and password tries', async () => {
  const { service, trial, redirect } = cluster;
  const { userId, apiKey } = await service.createUser('Starter');
  const api = caller(service.app, apiKey);
  // A request for which Redis takes longer than 100 ms is not counted.
  let [passed, counted] = [0, 0];
  await until(async () => {
    const { status, headers } = await api.get('/validate');
    if (status === 429) return true;
    expect(status).toBe(200);
    passed += 1;
    if (Number(headers['ratelimit-remaining']) < REQUESTS_A_MINUTE) counted += 1;
    return false;
  }, 'the requests of a minute are used up');
  expect(passed).toBeGreaterThanOrEqual(REQUESTS_A_MINUTE);
  expect(counted).toBeLessThanOrEqual(REQUESTS_A_MINUTE);
  const kept = async (rest: string) =>
    (await Promise.all(cluster.group.servers.map((server) => keysOf(server, rest)))).flat();
  expect(await kept(`usage:${userId}`)).toHaveLength(1);
  await trial.links.insert({ slug: 'locked', url: 'https://example.org/', password: PASSWORD });
  const tryWrong = async (): Promise<number> => {
    const lines = ['POST /locked HTTP/1.1', 'Host: a', 'Content-Type: application/x-www-form-urlencoded'];
    const body = 'password=wrong';
    return (await request(redirect.port, [...lines, `Content-Length: ${body.length}`, '', body])).status;
  };
  // Each on its own connection, so at either process. If Redis takes too long, a process counts alone.
  const tries: number[] = [];
  const countInRedis = async () => {
    const counts = cluster.group.servers.map(async (server) => {
      const [key] = await keysOf(server, 'unlock:*');
      return key === undefined ? 0 : server.client.llen(key);
    });
    return Math.max(...(await Promise.all(counts)));
  };
  await until(async () => {
    const isRefused = tries.push(await tryWrong()) > 7 && tries.at(-1) === 429;
    return isRefused && (await countInRedis()) >= TRIES_A_MINUTE;
  }, 'the tries are used up');
  expect(tries.slice(0, TRIES_A_MINUTE)).toEqual(Array.from({ length: TRIES_A_MINUTE }, () => 401));
  expect(new Set(tries)).toEqual(new Set([401, 429]));
  expect(tries.filter((status) => status === 401).length).toBeLessThanOrEqual(
    TRIES_A_MINUTE * Number(PROCESSES),
  );
  // Redis has counted the tries of both processes, without refused ones.
  expect(await kept('unlock:*')).toHaveLength(1);
  expect(await countInRedis()).toBe(TRIES_A_MINUTE);
  expect(await kept('unlock-network:*')).toHaveLength(1);
});

test('with one of three masters killed visits are right, changes are seen, and it recovers', async () => {
  const { group, redirect, untilSeen, create, change, outboxDepth, visitDuring } = cluster;
  const [lost] = group.servers;
  if (lost === undefined) throw new Error('no node');
  await visitDuring(() =>
    until(async () => (await keysOf(lost, 'link:many*')).length > MANY / 5, 'Redis knows the links'),
  );
  const hits = () => redirect.metric('smartlink_redirect_resolver_total{event="redis_hits"}');
  const queries = () => redirect.metric('smartlink_redirect_resolver_total{event="postgres_hits"}');
  const moving = await findOwn(lost, 'moving', create);
  let seenMs = 0;
  const before = [await hits(), await queries()] as const;
  const tally = await visitDuring(async () => {
    // In every L1, so it is looked up again only after a message of the change.
    await untilSeen(moving.slug, 'https://example.org/0');
    await lost.kill();
    await change(moving.id, 'https://example.org/1');
    seenMs = await untilSeen(moving.slug, 'https://example.org/1');
    await until(async () => (await hits()) - before[0] > MANY / 2, 'the others are found in Redis');
    await until(async () => (await queries()) - before[1] > MANY / 5, 'its links are found in Postgres');
    await until(async () => (await outboxDepth()) === 1, 'one change waits');
    await lost.start();
    await until(async () => (await outboxDepth()) === 0, 'the change is published');
    await until(async () => (await keysOf(lost, 'link:many*')).length > MANY / 5, 'it is used again');
  });
  console.log(
    `cluster, one of three masters killed: ${describeTally(tally)}; its change seen after ${seenMs.toFixed(0)} ms`,
  );
  expect(tally.wrong).toEqual([]);
  await change(moving.id, 'https://example.org/2');
  await untilSeen(moving.slug, 'https://example.org/2');
}, 120_000);

/** Creates links until the key of one is on `server`, and returns that one. */
async function findOwn(
  server: RedisServer,
  name: string,
  create: GroupTrial['create'],
): Promise<{ slug: string; id: string }> {
  for (let i = 0; i < 50; i += 1) {
    const slug = `${name}${i}`;
    const id = await create(slug, 'https://example.org/0');
    if ((await server.client.keys(`*link:${slug}`)).length > 0) return { slug, id };
  }
  throw new Error('none of fifty links is on this node');
}

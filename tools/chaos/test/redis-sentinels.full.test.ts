import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisServer, startRedisSentinels } from '@smartlink/test-support/redis-groups';
import { until } from '@smartlink/test-support/until';
import {
  describeTally,
  type GroupTrial,
  KEY_PREFIX,
  keysOf,
  liveThrough,
  MANY,
  openGroupTrial,
} from './redis-groups-trial.js';

/** More than a fail-over takes, on a busy machine too. */
const FAIL_OVER_DEADLINE_MS = 60_000;

let sentinels: GroupTrial;

beforeAll(async () => {
  sentinels = await openGroupTrial(startRedisSentinels);
});

afterAll(() => sentinels.close());

test('through a fail-over by sentinels every visit is answered rightly, and no change is lost', async () => {
  const { group, untilSeen, create, change, outboxDepth, visitDuring } = sentinels;
  const slowestMs = await liveThrough(sentinels, 'life');
  const id = await create('moving', 'https://example.org/0');
  const lostId = await create('lost', 'https://example.org/old');
  await untilSeen('moving', 'https://example.org/0');
  await untilSeen('lost', 'https://example.org/old');
  let seenMs = 0;
  let failedOverMs = 0;
  // A machine that is busy elsewhere for a second may have had a fail-over already.
  const servers = group.servers.slice(0, 3);
  const master = await findMaster(servers);
  const replicas = servers.filter((server) => server !== master);
  const tally = await visitDuring(async () => {
    await until(async () => (await keysOf(master, 'link:many*')).length === MANY, 'Redis knows the links');
    await master.client.call('WAIT', 2, 5_000);
    // From here on the replicas hear of nothing, as when they are behind.
    for (const { client } of replicas) await client.config('SET', 'masterauth', 'wrong');
    await master.client.call('CLIENT', 'KILL', 'TYPE', 'replica');
    await change(lostId, 'https://example.org/new');
    await until(async () => (await outboxDepth()) === 0, 'the change is published, to the master alone');
    const from = performance.now();
    await master.kill();
    await change(id, 'https://example.org/1');
    seenMs = await untilSeen('moving', 'https://example.org/1');
    await until(async () => (await outboxDepth()) === 0, 'the change is published', FAIL_OVER_DEADLINE_MS);
    failedOverMs = performance.now() - from;
  });
  const key = `${KEY_PREFIX}link:lost`;
  const promoted = await findMaster(replicas);
  // Published again: it had been the master's alone.
  await until(
    async () => (await promoted.client.get(key))?.includes('https://example.org/new'),
    'no change is lost',
  );
  console.log(
    `sentinels, slowest change before ${slowestMs.toFixed(0)} ms; master killed: ${describeTally(tally)}; a change made then seen after ` +
      `${seenMs.toFixed(0)} ms, published by the new master after ${failedOverMs.toFixed(0)} ms`,
  );
  expect(tally.wrong).toEqual([]);
  await change(id, 'https://example.org/2');
  await untilSeen('moving', 'https://example.org/2');
}, 240_000);

async function findMaster(servers: readonly RedisServer[]): Promise<RedisServer> {
  return until(async () => {
    const roles = await Promise.all(servers.map(({ client }) => client.role()));
    return servers.find((_, index) => roles[index]?.[0] === 'master');
  }, 'one of them is the master');
}

import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { isCluster } from './redis-cluster.js';
import { whenReady } from './redis-connection.js';
import type { RedisConnection } from './redis-connection.js';

const RETRY_MS = 50;

/**
 * Resolves when every node that keys live on has answered, for one who would rather wait than be refused: a cluster is
 * ready before its nodes are connected, and rejects what comes until then. Rejects after `limitMs`.
 */
export async function whenNodesReady(redis: RedisConnection, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  await whenReady(redis, limitMs);
  await Promise.all(nodesOf(redis).map((node) => whenAnswering(node, deadline)));
}

/** Returns the servers that keys live on now: one, or every master of a cluster. */
export function nodesOf(redis: RedisConnection): readonly Redis[] {
  if (isCluster(redis)) return redis.nodes('master');
  if (redis instanceof Redis) return [redis];
  throw new TypeError('Opened by something else than openRedis');
}

async function whenAnswering(node: Redis, deadline: number): Promise<void> {
  for (;;) {
    try {
      await node.ping();
      return;
    } catch (err) {
      if (performance.now() > deadline) throw err;
      await wait(RETRY_MS);
    }
  }
}

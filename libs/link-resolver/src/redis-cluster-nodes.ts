import type { Redis } from 'ioredis';
import type { HostAndPort } from './redis-address.js';

/**
 * Returns a connection, made by `open`, to one of a cluster's nodes, which goes to another each time it is made anew. The
 * nodes are `given` until the cluster has named those it has.
 *
 * ioredis' Cluster has a subscription of its own, and moves it to another node without a word: what was published
 * meanwhile would be missed by somebody who does not know that there is anything to miss. It also waits 10 s for a node
 * that does not answer.
 */
export function followNodes(
  given: readonly HostAndPort[],
  open: (node: HostAndPort & { retryStrategy: (attempt: number) => number }) => Redis,
  retryDelayMs: (attempt: number) => number,
): Redis {
  let nodes = given;
  let turn = Math.floor(Math.random() * nodes.length);
  const next = (): HostAndPort => {
    turn += 1;
    // Those that were given may be there again when all that were found are gone.
    const all = [...nodes, ...given.filter((node) => !nodes.some((other) => isSame(node, other)))];
    return all[turn % all.length] ?? { host: '', port: 0 };
  };
  const { host, port } = next();
  const redis = open({
    host,
    port,
    retryStrategy(attempt) {
      // ioredis reads both again whenever it connects.
      const node = next();
      redis.options.host = node.host;
      redis.options.port = node.port;
      return retryDelayMs(attempt);
    },
  });
  redis.on('ready', () => {
    const from = redis.options.host ?? '';
    redis.cluster('SLOTS').then(
      (slots) => {
        const found = readNodes(slots, from);
        if (found.length > 0) nodes = found;
      },
      // Then those that were known will do.
      () => undefined,
    );
  });
  return redis;
}

/** Reads an answer to CLUSTER SLOTS: [from, to, [host, port, …], replica…]… A node without a host is the one asked. */
function readNodes(slots: unknown, asked: string): readonly HostAndPort[] {
  const nodes = new Map<string, HostAndPort>();
  for (const range of Array.isArray(slots) ? (slots as unknown[]) : []) {
    for (const node of Array.isArray(range) ? (range as unknown[]).slice(2) : []) {
      const [name, port] = Array.isArray(node) ? (node as unknown[]) : [];
      const host = typeof name === 'string' && name !== '' ? name : asked;
      if (typeof port === 'number' && host !== '?') nodes.set(`${host}:${port}`, { host, port });
    }
  }
  return [...nodes.values()];
}

const isSame = (a: HostAndPort, b: HostAndPort): boolean => a.host === b.host && a.port === b.port;

import type { Redis } from 'ioredis';

// From an open connection to `ready` Redis is asked who it is, by commands that a subscribing connection gives no limit.
const READY_TIMEOUT_MS = 1_000;
// A connection is given up when so many pings in a row, one each interval, had no answer within the command timeout:
// one alone may be a pause of this process.
const PING_INTERVAL_MS = 500;
const PINGS_LOST_MAX = 2;

/** Ends a connection that was accepted and then not answered, as by a machine that stands still. */
export function limitHandshake(redis: Redis): void {
  let timer: NodeJS.Timeout | undefined;
  redis.on('connect', () => {
    timer = setTimeout(() => {
      redis.disconnect(true);
    }, READY_TIMEOUT_MS);
    timer.unref();
  });
  const clear = (): void => {
    clearTimeout(timer);
  };
  redis.on('ready', clear);
  redis.on('close', clear);
}

/**
 * Pings the connections that `list` returns until `owner` is closed for good, and ends those that do not answer: one that
 * is half dead says `ready` for ever; only a new one can tell. A connection that waits for its first use has it now.
 */
export function watchConnections(
  owner: { readonly once: (event: 'end', listener: () => void) => unknown },
  list: () => readonly Redis[],
): void {
  const lost = new WeakMap<Redis, number>();
  const watch = setInterval(() => {
    for (const redis of list()) {
      if (redis.status === 'ready' || redis.status === 'wait') ping(redis, lost);
    }
  }, PING_INTERVAL_MS);
  watch.unref();
  owner.once('end', () => {
    clearInterval(watch);
  });
}

function ping(redis: Redis, lost: WeakMap<Redis, number>): void {
  const stream = redis.stream;
  redis.ping().then(
    () => lost.delete(redis),
    () => {
      // Of a connection that was made anew meanwhile it says nothing.
      if (redis.stream !== stream || redis.status !== 'ready') {
        lost.delete(redis);
        return;
      }
      const count = (lost.get(redis) ?? 0) + 1;
      lost.set(redis, count);
      if (count < PINGS_LOST_MAX) return;
      lost.delete(redis);
      redis.disconnect(true);
    },
  );
}

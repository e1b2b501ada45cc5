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
 * Connects anew when ioredis has given up: a fail-over that sentinels tell of while they are asked for the master, or a
 * connection ended just as it begins, ends the client for good, with no try to follow. From now on only `disconnect()` does:
 * `onClosed`, which is returned, calls its listener then.
 */
export function reviveEnded(redis: Redis, delayMs: number): (listener: () => void) => void {
  const disconnect = redis.disconnect.bind(redis);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  redis.disconnect = (reconnect = false) => {
    if (!reconnect) {
      closing.abort();
      clearTimeout(timer);
    }
    disconnect(reconnect);
  };
  redis.on('end', () => {
    if (closing.signal.aborted) return;
    // What it fails with is an `error` of the client too.
    timer = setTimeout(() => void redis.connect().catch(() => undefined), delayMs);
  });
  return (listener) => {
    closing.signal.addEventListener('abort', listener, { once: true });
  };
}

/**
 * Pings the connections that `list` returns until `onClosed` calls, and ends those that do not answer: one that is half
 * dead says `ready` for ever; only a new one can tell. A connection that waits for its first use has it now.
 */
export function watchConnections(
  onClosed: (listener: () => void) => void,
  list: () => readonly Redis[],
): void {
  const lost = new WeakMap<Redis, number>();
  const watch = setInterval(() => {
    for (const redis of list()) {
      if (redis.status === 'ready' || redis.status === 'wait') ping(redis, lost);
    }
  }, PING_INTERVAL_MS);
  watch.unref();
  onClosed(() => {
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

import { Redis } from 'ioredis';
import type { Logger } from 'pino';

// A lost connection is tried again at once and then at most every 500 ms: ioredis' own back-off grows to 2 s, which
// would be 2 s of stale links after an outage (design.md, Change).
const RECONNECT_DELAY_MAX_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
// From there to `ready` Redis is asked who it is, by commands that a subscribing connection gives no time limit.
const READY_TIMEOUT_MS = 1_000;
// A connection is given up when so many pings in a row, one each interval, had no answer within the command timeout:
// one alone may be a pause of this process.
const PING_INTERVAL_MS = 500;
const PINGS_LOST_MAX = 2;

/**
 * Opens a connection that fails fast: a command on a dead connection rejects at once, one without an answer after
 * `commandTimeoutMs`. With a command timeout it is also made anew when its other end is gone without a word; a
 * connection without one (a subscribed one, which takes no commands) has to watch for that itself. Errors are logged
 * once an outage, not once a try. The caller closes it with `disconnect()`.
 */
export function openRedis(options: { url: string; log: Logger; commandTimeoutMs?: number }): Redis {
  const { url, log, commandTimeoutMs } = options;
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Who subscribes does it at every `ready`. ioredis would do it too, and a refusal of that one nobody could catch: it
    // ended every worker at once.
    autoResubscribe: false,
    retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_DELAY_MAX_MS),
    ...(commandTimeoutMs === undefined ? {} : { commandTimeout: commandTimeoutMs }),
  });
  let isDown = false;
  redis.on('error', (err: Error) => {
    if (!isDown) log.warn({ err: { message: err.message } }, 'redis is not reachable');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('redis is reachable again');
    isDown = false;
  });
  limitHandshake(redis);
  if (commandTimeoutMs !== undefined) watchConnection(redis);
  return redis;
}

/** Makes a connection anew that was accepted and then not answered, as by a machine that stands still. */
function limitHandshake(redis: Redis): void {
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

/** Pings until the connection is closed for good. One that is half dead says `ready` for ever; only a new one can tell. */
function watchConnection(redis: Redis): void {
  let lost = 0;
  const watch = setInterval(() => {
    if (redis.status !== 'ready') return;
    redis.ping().then(
      () => {
        lost = 0;
      },
      () => {
        lost += 1;
        if (lost >= PINGS_LOST_MAX && redis.status === 'ready') redis.disconnect(true);
      },
    );
  }, PING_INTERVAL_MS);
  watch.unref();
  redis.on('ready', () => {
    lost = 0;
  });
  redis.once('end', () => {
    clearInterval(watch);
  });
}

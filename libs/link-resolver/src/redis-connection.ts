import { Redis } from 'ioredis';
import type { Logger } from 'pino';

// A lost connection is tried again at once and then at most every 500 ms: ioredis' own back-off grows to 2 s, which
// would be 2 s of stale links after an outage (design.md, Change).
const RECONNECT_DELAY_MAX_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Opens a connection that fails fast: a command on a dead connection rejects at once, one without an answer after
 * `commandTimeoutMs`. Errors are logged once an outage, not once a try. The caller closes it with `disconnect()`.
 */
export function openRedis(options: { url: string; log: Logger; commandTimeoutMs?: number }): Redis {
  const { url, log, commandTimeoutMs } = options;
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
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
  return redis;
}

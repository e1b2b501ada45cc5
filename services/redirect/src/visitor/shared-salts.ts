import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { createVisitorSalts } from './visitor-salts.js';
import type { VisitorSalts } from './visitor-salts.js';

// Each time costs two commands; a salt that Redis lost is back as soon.
const REFRESH_INTERVAL_MS = 60_000;
// A cluster is ready before its nodes are, and a visitor must not be two for a minute because of it.
const RETRY_INTERVAL_MS = 1_000;
const SALT_FORM = /^[\w-]{43}$/;

export type SharedSalts = Pick<VisitorSalts, 'saltOf' | 'isShared'> & {
  /** Resolves when today's salt was agreed on, or after `limitMs`. */
  readonly wait: (limitMs: number) => Promise<void>;
  readonly close: () => void;
};

/**
 * Keeps the salts of this process those that all processes under `keyPrefix` have: now, whenever Redis is reachable
 * again, and once a minute. Redis is never waited for by a visit, and its failures are for its connection to log.
 */
export function shareSalts(options: {
  redis: RedisConnection;
  keyPrefix: string;
  /** Milliseconds since 1970. */
  now: () => number;
}): SharedSalts {
  const { redis, keyPrefix, now } = options;
  const salts = createVisitorSalts({
    now,
    async agree(day, offered, ttlMs) {
      const key = `${keyPrefix}visitor-salt:1:${day}`;
      await redis.set(key, offered.toString('base64url'), 'PX', ttlMs, 'NX');
      const kept = await redis.get(key);
      if (kept === null || !SALT_FORM.test(kept)) throw new Error('Redis holds no salt for this day');
      return Buffer.from(kept, 'base64url');
    },
  });
  let agreed: () => void;
  const first = new Promise<void>((resolve) => {
    agreed = resolve;
  });
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  const refresh = (): void => {
    clearTimeout(retry);
    // What fails where there is no connection is tried again when Redis is back.
    void salts.refresh().then(agreed, () => {
      if (redis.status === 'ready' && !isClosed) retry = setTimeout(refresh, RETRY_INTERVAL_MS).unref();
    });
  };
  redis.on('ready', refresh);
  const timer = setInterval(refresh, REFRESH_INTERVAL_MS).unref();
  refresh();
  return {
    saltOf: salts.saltOf,
    isShared: salts.isShared,
    async wait(limitMs) {
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, limitMs);
      });
      await Promise.race([first, late]);
      clearTimeout(limit);
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(timer);
      redis.off('ready', refresh);
    },
  };
}

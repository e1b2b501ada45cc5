import { sendHeartbeats } from '@smartlink/link-resolver/change-feed';
import { openRedis } from '@smartlink/link-resolver/redis-connection';
import type { Logger } from '@smartlink/process/logger';
import type { RedirectConfig } from './config.js';
import { createOverduePublisher } from './overdue-publisher.js';
import type { OverduePublisher } from './overdue-publisher.js';
import { openOutboxDatabase } from './postgres.js';

// A heartbeat that is so late is of no more use; without a bound those sent into a dead connection would pile up.
const HEARTBEAT_TIMEOUT_MS = 1_000;
// As long as management gives Redis for a part of what it publishes.
const PUBLISH_TIMEOUT_MS = 1_000;

type Addresses = Pick<RedirectConfig, 'DATABASE_URL' | 'REDIS_URL' | 'REDIS_KEY_PREFIX'>;

export type OwnConnections = {
  /** Begins to look for changes that management has left behind. */
  readonly start: () => void;
  /** Opens all of them anew at these addresses, and closes those before. Waits for nothing. */
  readonly renew: (addresses: Addresses) => void;
  readonly closeHeartbeats: () => void;
  readonly closeOverdue: () => void;
  /** Sums over all that were opened. */
  readonly overdueCounters: () => OverduePublisher['counters'];
};

/**
 * Opens what the primary itself asks of Redis and Postgres: heartbeats, and overdue changes with connections that nothing
 * else waits for. An engine that is away stops nothing. The caller closes both.
 */
export function openOwnConnections(addresses: Addresses, log: Logger): OwnConnections {
  let heartbeats = openHeartbeats(addresses, log);
  let overdue = openOverdue(addresses, log);
  let isStarted = false;
  const ended = { published: 0, damaged: 0, failures: 0 };
  const sums = () => {
    const { published, damaged, failures } = overdue.publisher.counters;
    return {
      published: ended.published + published,
      damaged: ended.damaged + damaged,
      failures: ended.failures + failures,
    };
  };
  return {
    start() {
      isStarted = true;
      overdue.publisher.start();
    },
    renew(next) {
      const before = { heartbeats, overdue };
      heartbeats = openHeartbeats(next, log);
      Object.assign(ended, sums());
      overdue = openOverdue(next, log);
      if (isStarted) overdue.publisher.start();
      before.heartbeats.close();
      before.overdue.close();
    },
    closeHeartbeats: () => {
      heartbeats.close();
    },
    closeOverdue: () => {
      overdue.close();
    },
    overdueCounters: sums,
  };
}

function openHeartbeats({ REDIS_URL, REDIS_KEY_PREFIX }: Addresses, log: Logger) {
  const redis = openRedis({ url: REDIS_URL, log, commandTimeoutMs: HEARTBEAT_TIMEOUT_MS });
  const heartbeats = sendHeartbeats(redis, REDIS_KEY_PREFIX);
  return {
    close: (): void => {
      heartbeats.close();
      redis.disconnect();
    },
  };
}

function openOverdue({ DATABASE_URL, REDIS_URL, REDIS_KEY_PREFIX }: Addresses, parentLog: Logger) {
  const log = parentLog.child({ component: 'overdue changes' });
  const redis = openRedis({ url: REDIS_URL, log, commandTimeoutMs: PUBLISH_TIMEOUT_MS });
  const db = openOutboxDatabase(DATABASE_URL);
  const publisher = createOverduePublisher({ db, redis, keyPrefix: REDIS_KEY_PREFIX, log });
  return {
    publisher,
    close: (): void => {
      publisher.stop();
      redis.disconnect();
      // Its connection ends with the process, or when what it was asked is answered.
      void db.end().catch(() => undefined);
    },
  };
}

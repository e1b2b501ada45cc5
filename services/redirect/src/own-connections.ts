import { sendHeartbeats } from '@smartlink/link-resolver/change-feed';
import { openRedis } from '@smartlink/link-resolver/redis-connection';
import type { Logger } from '@smartlink/process/logger';
import type { RedirectConfig } from './config.js';
import { createChangeFollower } from './change-follower.js';
import type { ChangeCounters } from './change-publisher.js';
import { createOverduePublisher } from './overdue-publisher.js';
import { openFirstDatabase, openOutboxDatabase } from './postgres.js';

// A heartbeat that is so late is of no more use; without a bound those sent into a dead connection would pile up.
const HEARTBEAT_TIMEOUT_MS = 1_000;
// As long as management gives Redis for a part of what it publishes.
const PUBLISH_TIMEOUT_MS = 1_000;

type Addresses = Pick<
  RedirectConfig,
  'DATABASE_URL' | 'DATABASE_REPLICA_URL' | 'REDIS_URL' | 'REDIS_KEY_PREFIX' | 'FOLLOW_CHANGES'
>;

export type OwnConnections = {
  /** Begins to look for changes to publish. */
  readonly start: () => void;
  /** Opens all of them anew at these addresses, and closes those before. Waits for nothing. */
  readonly renew: (addresses: Addresses) => void;
  readonly closeHeartbeats: () => void;
  readonly closeChanges: () => void;
  /** The metric (metrics.ts) of what follows. */
  readonly changesMetric: 'followed_changes_total' | 'overdue_changes_total';
  /** Sums over all that were opened. */
  readonly changeCounters: () => ChangeCounters;
};

/**
 * Opens what the primary itself asks of Redis and Postgres: heartbeats, and changes to publish, with connections that nothing
 * else waits for: all changes with FOLLOW_CHANGES, for a Redis that management does not know, else those that are overdue.
 * `sender` is who the heartbeats are of. An engine that is away stops nothing. The caller closes both.
 */
export function openOwnConnections(addresses: Addresses, sender: string, log: Logger): OwnConnections {
  let heartbeats = openHeartbeats(addresses, sender, log);
  let changes = openChanges(addresses, log);
  let isStarted = false;
  const ended = { published: 0, damaged: 0, failures: 0 };
  const sums = () => {
    const { published, damaged, failures } = changes.publisher.counters;
    return {
      published: ended.published + published,
      damaged: ended.damaged + damaged,
      failures: ended.failures + failures,
    };
  };
  return {
    start() {
      isStarted = true;
      changes.publisher.start();
    },
    renew(next) {
      const before = { heartbeats, changes };
      heartbeats = openHeartbeats(next, sender, log);
      Object.assign(ended, sums());
      changes = openChanges(next, log);
      if (isStarted) changes.publisher.start();
      before.heartbeats.close();
      before.changes.close();
    },
    closeHeartbeats: () => {
      heartbeats.close();
    },
    closeChanges: () => {
      changes.close();
    },
    changesMetric: addresses.FOLLOW_CHANGES ? 'followed_changes_total' : 'overdue_changes_total',
    changeCounters: sums,
  };
}

function openHeartbeats({ REDIS_URL, REDIS_KEY_PREFIX }: Addresses, sender: string, log: Logger) {
  const redis = openRedis({ url: REDIS_URL, log, commandTimeoutMs: HEARTBEAT_TIMEOUT_MS });
  const heartbeats = sendHeartbeats(redis, REDIS_KEY_PREFIX, sender);
  return {
    close: (): void => {
      heartbeats.close();
      redis.disconnect();
    },
  };
}

function openChanges(addresses: Addresses, parentLog: Logger) {
  const { DATABASE_URL, DATABASE_REPLICA_URL, REDIS_URL, REDIS_KEY_PREFIX, FOLLOW_CHANGES } = addresses;
  const log = parentLog.child({ component: FOLLOW_CHANGES ? 'followed changes' : 'overdue changes' });
  const redis = openRedis({ url: REDIS_URL, log, commandTimeoutMs: PUBLISH_TIMEOUT_MS });
  const db = FOLLOW_CHANGES
    ? openFirstDatabase([...DATABASE_REPLICA_URL, DATABASE_URL])
    : openOutboxDatabase(DATABASE_URL);
  const create = FOLLOW_CHANGES ? createChangeFollower : createOverduePublisher;
  const publisher = create({ db, redis, keyPrefix: REDIS_KEY_PREFIX, log });
  return {
    publisher,
    close: (): void => {
      publisher.stop();
      redis.disconnect();
      // Its connections end with the process, or when what they were asked is answered.
      void db.end().catch(() => undefined);
    },
  };
}

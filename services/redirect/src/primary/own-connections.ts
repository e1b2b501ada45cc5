import { sendHeartbeats } from '@smartlink/links/change-feed';
import { openRedis } from '@smartlink/links/redis';
import type { Logger } from '@smartlink/process/lifecycle';
import { createChangeFollower } from '../changes/change-follower.js';
import { createOverduePublisher } from '../changes/overdue-publisher.js';
import type { RedirectConfig } from '../config.js';
import { openFirstDatabase, openOutboxDatabase } from '../links/postgres.js';

// A later heartbeat is useless, and without a bound those sent into a dead connection would pile up.
const HEARTBEAT_TIMEOUT_MS = 1_000;
// As in management's publishing.
const PUBLISH_TIMEOUT_MS = 1_000;

type Addresses = Pick<
  RedirectConfig,
  | 'DATABASE_URL'
  | 'DATABASE_REPLICA_URL'
  | 'REDIS_URL'
  | 'REDIS_KEY_PREFIX'
  | 'CLICKHOUSE_URL'
  | 'FOLLOW_CHANGES'
>;

export type OwnConnections = ReturnType<typeof openOwnConnections>;

/**
 * Opens the primary's own connections: for heartbeats named `sender`, and for changes to publish: with FOLLOW_CHANGES
 * all, for a Redis that management does not know, else the overdue ones. An absent engine stops nothing. The caller
 * closes both.
 */
export function openOwnConnections(addresses: Addresses, sender: string, log: Logger) {
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
    /** Starts looking for changes to publish. */
    start() {
      isStarted = true;
      changes.publisher.start();
    },
    /** Reopens all at these addresses, and closes the previous ones without waiting. */
    renew(next: Addresses) {
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
    /** Name of the metric of `changeCounters`. */
    changesMetric: addresses.FOLLOW_CHANGES ? 'followed_changes_total' : 'overdue_changes_total',
    /** Sums over all connections since the start. */
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
      // Its connections end with the process, or with their query.
      void db.end().catch(() => undefined);
    },
  };
}

import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { openRedis, whenReady } from '@smartlink/link-resolver/redis-connection';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { ALL_DAYS, forgetVisits } from '@smartlink/visit-analytics/forget-visits';
import { addAuditEntry } from './audit-queries.js';
import { withClickhouse } from './clickhouse.js';
import { addToOutbox, deleteUser, lockSlugs, lockUser, removeFromOutbox } from './queries.js';
import { Problem } from './problem.js';
import { SLOW_DELETE, sayWhenSlow } from './say-when-slow.js';
import { describe, inTransaction } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { withoutRollups } from './without-rollups.js';

const REDIS_TIMEOUT_MS = 2_000;
const PUBLISH_BATCH_MAX = 500;

export type Erasure = { readonly slugs: number; readonly published: boolean };

/**
 * Removes a user with everything of theirs. Their slugs stay taken and lead nowhere: tombstones are published now,
 * or by the management service when Redis does not answer. Visits go last; when ClickHouse does not answer it throws
 * Problem, and the same command with the user's id does what is left.
 */
export async function eraseUser(terminal: Terminal, session: Session, userId: string): Promise<Erasure> {
  const { db, addresses } = session;
  if (addresses.clickhouseUrl === undefined) {
    throw new Problem(
      'CLICKHOUSE_URL is not set: the events of the user could not be deleted. Nothing was done.',
    );
  }
  const slugKeys = await inTransaction(db, async () => {
    // A create under way commits before this or fails, so that no slug is missed.
    const wasThere = (await lockUser(db, userId)) !== null;
    const keys = await lockSlugs(db, userId);
    await addToOutbox(db, keys);
    await deleteUser(db, userId);
    // The command is repeated to erase events that came later; the user is deleted once.
    if (wasThere) await addAuditEntry(db, 'user.delete', userId);
    return keys;
  });
  const published = await publishTombstones(session, slugKeys);
  await eraseVisits(terminal, session, userId);
  return { slugs: slugKeys.length, published };
}

// The person at the terminal is told by its outcome.
const SILENT = { info: () => undefined, warn: () => undefined };

async function publishTombstones(session: Session, slugKeys: readonly string[]): Promise<boolean> {
  const { db, addresses } = session;
  if (slugKeys.length === 0) return true;
  if (addresses.redisUrl === undefined) return false;
  const redis = openRedis({ url: addresses.redisUrl, log: SILENT, commandTimeoutMs: REDIS_TIMEOUT_MS });
  try {
    await whenReady(redis, REDIS_TIMEOUT_MS);
    for (let i = 0; i < slugKeys.length; i += PUBLISH_BATCH_MAX) {
      const batch = slugKeys.slice(i, i + PUBLISH_BATCH_MAX);
      await publishSnapshots(redis, addresses.redisKeyPrefix, await findSnapshots(db, batch));
      await removeFromOutbox(db, batch);
    }
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

async function eraseVisits(terminal: Terminal, session: Session, userId: string): Promise<void> {
  const scope = { ownerId: userId, smartlinkId: null, ...ALL_DAYS };
  try {
    await withClickhouse(session, (clickhouse) =>
      withoutRollups(terminal, session, () =>
        sayWhenSlow(terminal, SLOW_DELETE, forgetVisits(clickhouse, scope, { alsoLater: true })),
      ),
    );
  } catch (err) {
    throw new Problem(
      `The user is deleted, their events are not yet (${describe(err)}): run users delete ${userId} --yes again.`,
    );
  }
}

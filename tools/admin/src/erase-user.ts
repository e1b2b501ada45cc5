import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { Redis } from 'ioredis';
import { addAuditEntry } from './audit-queries.js';
import { addToOutbox, deleteUser, lockSlugs, lockUser, removeFromOutbox } from './queries.js';
import { Problem } from './problem.js';
import { describe, inTransaction } from './session.js';
import type { Session } from './session.js';

const REDIS_TIMEOUT_MS = 2_000;
const PUBLISH_BATCH_MAX = 500;
const ERASE_EVENTS_TIMEOUT_MS = 300_000;

export type Erasure = { readonly slugs: number; readonly published: boolean };

/**
 * Removes a user with everything of theirs. Their slugs stay taken and lead nowhere: tombstones are published now,
 * or by the management service when Redis does not answer. Events go last; when ClickHouse does not answer it throws
 * Problem, and the same command with the user's id does what is left.
 */
export async function eraseUser(session: Session, userId: string): Promise<Erasure> {
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
  await eraseEvents(addresses.clickhouseUrl, userId);
  return { slugs: slugKeys.length, published };
}

async function publishTombstones(session: Session, slugKeys: readonly string[]): Promise<boolean> {
  const { db, addresses } = session;
  if (slugKeys.length === 0) return true;
  if (addresses.redisUrl === undefined) return false;
  const redis = new Redis(addresses.redisUrl, {
    lazyConnect: true,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
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

async function eraseEvents(clickhouseUrl: string, userId: string): Promise<void> {
  const clickhouse = createClient({
    url: clickhouseUrl,
    request_timeout: ERASE_EVENTS_TIMEOUT_MS,
    // What fails is told in one line, below.
    log: { level: ClickHouseLogLevel.OFF },
  });
  try {
    await clickhouse.command({
      // The rows are gone from every answer when this returns, and from the disk with the next merges.
      query: 'delete from events where owner_id = {userId:UUID}',
      query_params: { userId },
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    });
  } catch (err) {
    throw new Problem(
      `The user is deleted, their events are not yet (${describe(err)}): run users delete ${userId} --yes again.`,
    );
  } finally {
    await clickhouse.close();
  }
}

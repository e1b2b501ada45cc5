import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { Logger } from '@smartlink/process/logger';

const INTERVAL_MS = 60_000;
// 167 changes a second in the long run, a process; a statement of so many rows takes some 20 ms.
const BATCH_MAX = 10_000;

// As long as a snapshot stays in Redis, and an hour more: who was away for longer finds nothing there that is old.
const REMOVE_FOLLOWED = `
delete from link_changes where ctid = any(array(
  select ctid from link_changes where created_at <= now() - interval '25 hours'
  order by created_at limit $1 for update skip locked))`;

/** Removes changes that nobody follows any more, at most 10,000 a minute a process. Returns what stops it. */
export function startLinkChangesCleanup(pg: Queryable, log: Logger): () => void {
  const timer = setInterval(() => {
    removeFollowedChanges(pg).catch((err: unknown) => {
      log.warn({ err }, 'followed changes could not be removed');
    });
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

/** Removes 10,000 at most of the changes that are older than 25 h. Rejects as the query does. */
export async function removeFollowedChanges(pg: Queryable): Promise<void> {
  await pg.query(REMOVE_FOLLOWED, [BATCH_MAX]);
}

import type { Queryable } from '@smartlink/process/database';
import { type Job, startJob } from '@smartlink/process/lifecycle';
import {
  type Change,
  type ChangePublisherOptions,
  createChangePublisher,
  PUBLISH_FAILURE,
} from './change-publisher.js';

// A change must be 5 s old, so it is published within 10 s; the promise is 30 s.
const POLL_INTERVAL_MS = 5_000;
// More may follow a full page, as after a long outage of Redis; 2,000 changes a second are little for all engines.
const NEXT_PAGE_MS = 250;
const PAGE_ROWS_MAX = 500;
// About 2 MiB. Changes beyond it are published again each round, which changes nothing.
const REMEMBERED_MAX = 20_000;

export type OverduePublisher = ReturnType<typeof createOverduePublisher>;

/**
 * Publishes committed changes that no management process has published in 5 s, for example because it was killed. It only
 * reads Postgres: outbox rows are left to management, and each is published once while it exists. Any number may run
 * beside management's relays, since Redis takes the newer version.
 *
 * It reads the outbox from the oldest row to the newest, a page at a time, and starts over, since a row may become
 * visible after younger ones. A chunk that fails is retried in halves, then in the next round.
 */
export function createOverduePublisher(options: ChangePublisherOptions) {
  const { db, redis } = options;
  const publisher = createChangePublisher({ ...options, rememberedMax: REMEMBERED_MAX });
  let afterId = FIRST_ID;
  let job: Job | undefined;

  async function takePage(): Promise<boolean> {
    const page = await listOverdue(db, afterId, PAGE_ROWS_MAX);
    await publisher.publish(page);
    if (page.length === PAGE_ROWS_MAX) {
      afterId = page.at(-1)?.id ?? FIRST_ID;
      return true;
    }
    publisher.endRound();
    afterId = FIRST_ID;
    return false;
  }

  async function publishPage(): Promise<boolean> {
    if (redis.status !== 'ready') return false;
    return takePage().catch((err: unknown) => {
      publisher.onFailure(err);
      return false;
    });
  }

  return {
    counters: publisher.counters,
    /** Reads one page. Resolves with whether more may wait; never rejects. */
    publishPage,
    start() {
      if (publisher.isStopped()) return;
      job ??= startJob({
        everyMs: POLL_INTERVAL_MS,
        run: async () => ((await publishPage()) ? NEXT_PAGE_MS : POLL_INTERVAL_MS),
        failure: PUBLISH_FAILURE,
        log: options.log,
      });
    },
    /** Does not wait for work in progress, which can be repeated. */
    stop() {
      publisher.stop();
      void job?.stop();
    },
  };
}

// Identities begin at 1.
const FIRST_ID = '0';

// Postgres' clock on both sides. Uses the primary key.
const LIST_OVERDUE = `
select id, slug_key as "slugKey" from publish_outbox
where created_at < now() - interval '5 seconds' and id > $1
order by id limit $2`;

async function listOverdue(db: Queryable, afterId: string, rowsMax: number): Promise<readonly Change[]> {
  return (await db.query(LIST_OVERDUE, [afterId, rowsMax])).rows as Change[];
}

import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { createChangePublisher } from './change-publisher.js';
import type { Change, ChangeCounters, ChangePublisherOptions } from './change-publisher.js';

// Together with the 5 s that a change has to wait: seen within 10 s, of the 30 that are promised (reliability.md, C10).
const LOOK_INTERVAL_MS = 5_000;
// Behind a full page more may wait, as after a long outage of Redis; 2,000 changes a second are little to all engines.
const NEXT_PAGE_MS = 250;
const PAGE_ROWS_MAX = 500;
// About 2 MiB. What is beyond is published again each round, which changes nothing.
const REMEMBERED_MAX = 20_000;

export type OverduePublisher = {
  /** Begins to look every 5 s. */
  readonly start: () => void;
  /** Ends it without waiting for what is under way: whatever is left undone can be done again. */
  readonly stop: () => void;
  /** Looks once. Resolves with whether more may wait; never rejects. */
  readonly look: () => Promise<boolean>;
  readonly counters: ChangeCounters;
};

/**
 * Returns what publishes changes that are committed and that no management process has published in 5 s: the only one
 * was killed, say. It only reads from Postgres; the rows of the outbox stay for management, and each is published once
 * as long as it is there. Any number of processes may run one, beside management's relays: Redis takes what is newer.
 *
 * It goes through the outbox from the oldest row to the newest, a page a look, and then begins anew, since a row may come
 * to be seen after younger ones. A chunk that fails is tried again by halves, and what still fails in the next round.
 */
export function createOverduePublisher(options: ChangePublisherOptions): OverduePublisher {
  const { db, redis } = options;
  const publisher = createChangePublisher({ ...options, rememberedMax: REMEMBERED_MAX });
  let afterId = FIRST_ID;
  let timer: NodeJS.Timeout | undefined;

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

  async function look(): Promise<boolean> {
    // Without Redis there is nothing to do but wait.
    if (redis.status !== 'ready') return false;
    return takePage().catch((err: unknown) => {
      publisher.onFailure(err);
      return false;
    });
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      void look().then((mayBeMore) => {
        if (!publisher.isStopped()) schedule(mayBeMore ? NEXT_PAGE_MS : LOOK_INTERVAL_MS);
      });
    }, delayMs);
  }

  return {
    counters: publisher.counters,
    look,
    start() {
      if (!publisher.isStopped()) schedule(LOOK_INTERVAL_MS);
    },
    stop() {
      publisher.stop();
      clearTimeout(timer);
    },
  };
}

// Identities begin at 1.
const FIRST_ID = '0';

// Postgres' own clock on both sides. The primary key serves it.
const LIST_OVERDUE = `
select id, slug_key as "slugKey" from publish_outbox
where created_at < now() - interval '5 seconds' and id > $1
order by id limit $2`;

async function listOverdue(db: Queryable, afterId: string, rowsMax: number): Promise<readonly Change[]> {
  return (await db.query(LIST_OVERDUE, [afterId, rowsMax])).rows as Change[];
}

import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { cutIntoChunks } from '@smartlink/link-resolver/snapshot-chunks';
import { findEachSnapshot, weighSnapshots } from '@smartlink/link-resolver/snapshot-query';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { Logger } from '@smartlink/process/logger';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createRememberedIds } from './remembered-ids.js';
import type { RememberedIds } from './remembered-ids.js';

// Together with the 5 s that a change has to wait: seen within 10 s, of the 30 that are promised (reliability.md, C10).
const LOOK_INTERVAL_MS = 5_000;
// Behind a full page more may wait, as after a long outage of Redis; 2,000 changes a second are little to all engines.
const NEXT_PAGE_MS = 250;
const PAGE_ROWS_MAX = 500;
// About 2 MiB. What is beyond is published again each round, which changes nothing.
const REMEMBERED_MAX = 20_000;
// A page is halved ten times until one change stands alone. More, and it is the engines that fail.
const FAILURES_MAX = 16;

export type OverduePublisher = {
  /** Begins to look every 5 s. */
  readonly start: () => void;
  /** Ends it without waiting for what is under way: whatever is left undone can be done again. */
  readonly stop: () => void;
  /** Looks once. Resolves with whether more may wait; never rejects. */
  readonly look: () => Promise<boolean>;
  readonly counters: Readonly<Record<'published' | 'damaged' | 'failures', number>>;
};

type OverdueChange = { readonly id: string; readonly slugKey: string };

/**
 * Returns what publishes changes that are committed and that no management process has published in 5 s: the only one
 * was killed, say. It only reads from Postgres; the rows of the outbox stay for management, and each is published once
 * as long as it is there. Any number of processes may run one, beside management's relays: Redis takes what is newer.
 *
 * It goes through the outbox from the oldest row to the newest, a page a look, and then begins anew, since a row may come
 * to be seen after younger ones. A chunk that fails is tried again by halves, and what still fails in the next round.
 */
export function createOverduePublisher(options: {
  readonly db: Queryable;
  readonly redis: RedisConnection;
  readonly keyPrefix: string;
  readonly log: Logger;
}): OverduePublisher {
  const { db, redis, log } = options;
  const counters = { published: 0, damaged: 0, failures: 0 };
  const done = createRememberedIds(REMEMBERED_MAX);
  const publishing: Publishing = { ...options, counters, done, onFailure, isStopped: () => isStopped };
  let afterId = FIRST_ID;
  let failuresOfRound = 0;
  let isLogged = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function onFailure(err: unknown): void {
    if (isStopped) return;
    counters.failures += 1;
    failuresOfRound += 1;
    // Logged once an outage. Redis' errors carry the command, which holds content: only the message is logged.
    const message = err instanceof Error ? err.message : String(err);
    if (!isLogged) log.warn({ err: { message } }, 'overdue changes could not be published');
    isLogged = true;
  }

  async function takePage(): Promise<boolean> {
    const page = await listOverdue(db, afterId, PAGE_ROWS_MAX);
    const changes = page.filter(({ id }) => !done.has(id));
    if (changes.length > 0) await publishAll(publishing, changes);
    if (page.length === PAGE_ROWS_MAX) {
      afterId = page.at(-1)?.id ?? FIRST_ID;
      return true;
    }
    done.endRound();
    if (failuresOfRound === 0) isLogged = false;
    failuresOfRound = 0;
    afterId = FIRST_ID;
    return false;
  }

  async function look(): Promise<boolean> {
    // Without Redis there is nothing to do but wait.
    if (redis.status !== 'ready') return false;
    return takePage().catch((err: unknown) => {
      onFailure(err);
      return false;
    });
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      void look().then((mayBeMore) => {
        if (!isStopped) schedule(mayBeMore ? NEXT_PAGE_MS : LOOK_INTERVAL_MS);
      });
    }, delayMs);
  }

  return {
    counters,
    look,
    start() {
      if (!isStopped) schedule(LOOK_INTERVAL_MS);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

type Publishing = {
  readonly db: Queryable;
  readonly redis: RedisConnection;
  readonly keyPrefix: string;
  readonly log: Logger;
  readonly counters: { published: number; damaged: number };
  readonly done: RememberedIds;
  readonly onFailure: (err: unknown) => void;
  readonly isStopped: () => boolean;
};

/** Publishes `changes` chunk by chunk, those that fail by halves. Rejects when Postgres cannot weigh them. */
async function publishAll(publishing: Publishing, changes: readonly OverdueChange[]): Promise<void> {
  const { db, redis, onFailure, isStopped } = publishing;
  const chunks = [...cutIntoChunks(changes, await weighSnapshots(db, slugKeysOf(changes)))];
  let failures = 0;
  for (let chunk = chunks.shift(); chunk !== undefined && !isStopped(); chunk = chunks.shift()) {
    try {
      await publishChunk(publishing, chunk);
    } catch (err) {
      onFailure(err);
      failures += 1;
      if (failures === FAILURES_MAX || redis.status !== 'ready') return;
      const half = Math.ceil(chunk.length / 2);
      if (half < chunk.length) chunks.push(chunk.slice(0, half), chunk.slice(half));
    }
  }
}

async function publishChunk(
  { db, redis, keyPrefix, log, counters, done }: Publishing,
  chunk: readonly OverdueChange[],
): Promise<void> {
  const snapshots = new Map<string, LinkSnapshot>();
  const damaged = new Map<string, Error>();
  for (const [slugKey, snapshot] of await findEachSnapshot(db, slugKeysOf(chunk))) {
    if (snapshot instanceof Error) damaged.set(slugKey, snapshot);
    else snapshots.set(slugKey, snapshot);
  }
  await publishSnapshots(redis, keyPrefix, snapshots);
  for (const { id } of chunk) done.add(id);
  for (const err of damaged.values()) log.error({ err }, 'a damaged smartlink cannot be published');
  counters.published += snapshots.size;
  counters.damaged += damaged.size;
}

// Identities begin at 1.
const FIRST_ID = '0';

// Postgres' own clock on both sides. The primary key serves it.
const LIST_OVERDUE = `
select id, slug_key as "slugKey" from publish_outbox
where created_at < now() - interval '5 seconds' and id > $1
order by id limit $2`;

async function listOverdue(
  db: Queryable,
  afterId: string,
  rowsMax: number,
): Promise<readonly OverdueChange[]> {
  return (await db.query(LIST_OVERDUE, [afterId, rowsMax])).rows as OverdueChange[];
}

function slugKeysOf(changes: readonly OverdueChange[]): readonly string[] {
  return [...new Set(changes.map(({ slugKey }) => slugKey))];
}

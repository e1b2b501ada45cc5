import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { findEachSnapshot, findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import type { Logger } from '@smartlink/process/logger';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { withTimeLimit } from '../time-limit.js';
import { withTransaction } from '../transaction.js';
import { removeFromOutbox, takeFromOutbox } from './outbox-queries.js';
import type { OutboxEntry } from './outbox-queries.js';

// design.md, Change: what a request may spend on publishing, and how often the relay looks for what is left.
const PUBLISH_BUDGET_MS = 150;
const RELAY_INTERVAL_MS = 250;
const RELAY_BATCH_MAX = 500;

export type Outbox = {
  /** Publishes a committed change; never rejects. What fails within 150 ms is left to the relay. */
  readonly publish: (entries: readonly OutboxEntry[]) => Promise<void>;
  /** Begins to publish every 250 ms what was left over, by this process or another. */
  readonly start: () => void;
  /** Ends the relay after the batch under way, and removes what was published from the outbox. */
  readonly stop: () => Promise<void>;
};

export type OutboxObserver = {
  readonly onPublished: (outcome: 'request' | 'relay' | 'failed', slugs: number, durationMs: number) => void;
};

type OutboxDeps = {
  readonly pg: Pool;
  readonly redis: Redis;
  readonly keyPrefix: string;
  readonly log: Logger;
  readonly observer: OutboxObserver;
};

/** Returns what brings committed changes to Redis. Any number of processes may run one. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { pg, redis, keyPrefix, log, observer } = deps;
  // Published by requests; their rows are removed together at the relay's next turn.
  let publishedIds: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let isStopped = false;
  let hasFailed = false;

  async function removePublished(): Promise<void> {
    if (publishedIds.length === 0) return;
    const ids = publishedIds;
    publishedIds = [];
    // Should this fail, the relay publishes them again, which changes nothing.
    await removeFromOutbox(pg, ids);
  }

  async function takeTurn(): Promise<void> {
    try {
      await removePublished();
      // Without Redis there is nothing to do but wait, and no reason to lock rows.
      while (redis.status === 'ready' && !isStopped && (await relayBatch(deps)));
      hasFailed = false;
    } catch (err) {
      // Logged once an outage. Redis' errors carry the command, which holds content: only the message is logged.
      if (!hasFailed) log.warn({ err: { message: messageOf(err) } }, 'the outbox relay could not publish');
      hasFailed = true;
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      turn = takeTurn().then(() => {
        if (!isStopped) schedule();
      });
    }, RELAY_INTERVAL_MS);
  }

  return {
    async publish(entries) {
      const startedAt = performance.now();
      const slugKeys = entries.map((entry) => entry.slugKey);
      try {
        await withTimeLimit(
          PUBLISH_BUDGET_MS,
          findSnapshots(pg, slugKeys).then((snapshots) => publishSnapshots(redis, keyPrefix, snapshots)),
        );
        publishedIds.push(...entries.map((entry) => entry.id));
        observer.onPublished('request', entries.length, performance.now() - startedAt);
      } catch {
        observer.onPublished('failed', entries.length, performance.now() - startedAt);
      }
    },
    start: schedule,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await turn;
      await removePublished().catch(() => undefined);
    },
  };
}

/** Publishes the oldest changes that are left, and returns whether more may be waiting. */
async function relayBatch({ pg, redis, keyPrefix, log, observer }: OutboxDeps): Promise<boolean> {
  const startedAt = performance.now();
  const count = await withTransaction(pg, async (client) => {
    const entries = await takeFromOutbox(client, RELAY_BATCH_MAX);
    if (entries.length === 0) return 0;
    const slugKeys = [...new Set(entries.map((entry) => entry.slugKey))];
    const snapshots = new Map<string, LinkSnapshot>();
    for (const [slugKey, snapshot] of await findEachSnapshot(client, slugKeys)) {
      // Tried again it would be damaged still, and everything behind it would wait.
      if (snapshot instanceof Error) log.error({ err: snapshot }, 'a damaged smartlink cannot be published');
      else snapshots.set(slugKey, snapshot);
    }
    await publishSnapshots(redis, keyPrefix, snapshots);
    await removeFromOutbox(
      client,
      entries.map((entry) => entry.id),
    );
    return entries.length;
  });
  if (count > 0) observer.onPublished('relay', count, performance.now() - startedAt);
  return count === RELAY_BATCH_MAX;
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

import type { Pool } from 'pg';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import { watchMasters } from '@smartlink/link-resolver/redis-cluster';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { cutIntoChunks } from '@smartlink/link-resolver/snapshot-chunks';
import { findEachSnapshot, findSnapshots, weighSnapshots } from '@smartlink/link-resolver/snapshot-query';
import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';
import { withTimeLimit } from '../time-limit.js';
import { withTransaction } from '../transaction.js';
import { listOutbox, removeFromOutbox, requeueRecent, takeFromOutbox } from './outbox-queries.js';

// design.md, Change: what a request may spend on publishing, and how often the relay looks for what is left.
const PUBLISH_BUDGET_MS = 150;
const RELAY_INTERVAL_MS = 250;
const RELAY_LIST_MAX = 500;
// A connection that breaks again and again asks for it once in so long.
const REQUEUE_INTERVAL_MS = 5_000;
const REQUEUE_CHANGES_MAX = 10_000;

export type Outbox = {
  /** Publishes a committed change; never rejects. What fails within 150 ms is left to the relay. */
  readonly publish: (entries: readonly OutboxEntry[]) => Promise<void>;
  /** Begins to publish every 250 ms what was left over, by this process or another. */
  readonly start: () => void;
  /** Ends the relay after the chunk under way, and removes what was published from the outbox. */
  readonly stop: () => Promise<void>;
};

export type OutboxObserver = {
  readonly onPublished: (outcome: 'request' | 'relay' | 'failed', slugs: number, durationMs: number) => void;
  /** A slug was published so long after its change had been committed. */
  readonly onDelay: (outcome: 'request' | 'relay', seconds: number) => void;
};

type OutboxDeps = {
  readonly pg: Pool;
  readonly redis: RedisConnection;
  readonly keyPrefix: string;
  readonly log: Logger;
  readonly observer: OutboxObserver;
};

/** Returns what brings committed changes to Redis. Any number of processes may run one. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { pg, redis, keyPrefix, observer } = deps;
  // Published by requests; their rows are removed together at the relay's next turn.
  let publishedIds: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let isStopped = false;
  const relay = createRelay(deps);
  const requeue = createRequeue(deps);

  async function removePublished(): Promise<void> {
    if (publishedIds.length === 0) return;
    const ids = publishedIds;
    publishedIds = [];
    // Should this fail, the relay publishes them again, which changes nothing.
    await removeFromOutbox(pg, ids);
  }

  async function takeTurn(): Promise<void> {
    // In this order an empty outbox means that nothing is left to do, also right after Redis was found.
    await requeue().catch(relay.onFailure);
    await removePublished().catch(relay.onFailure);
    await relay.run(() => isStopped);
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
      const unpublished = new Map(entries.map((entry) => [entry.slugKey, entry.id]));
      const onTaken = (slugKeys: readonly string[]): boolean => {
        for (const slugKey of slugKeys) {
          publishedIds.push(unpublished.get(slugKey) ?? '');
          unpublished.delete(slugKey);
          observer.onDelay('request', (performance.now() - startedAt) / 1_000);
        }
        // The rest of a large link under many addresses is left to the relay.
        return performance.now() - startedAt < PUBLISH_BUDGET_MS;
      };
      await withTimeLimit(
        PUBLISH_BUDGET_MS,
        findSnapshots(pg, [...unpublished.keys()]).then((snapshots) =>
          publishSnapshots(redis, keyPrefix, snapshots, onTaken),
        ),
      ).catch(() => undefined);
      const durationMs = performance.now() - startedAt;
      const taken = entries.length - unpublished.size;
      if (taken > 0) observer.onPublished('request', taken, durationMs);
      if (unpublished.size > 0) observer.onPublished('failed', unpublished.size, durationMs);
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

/**
 * Returns what is done at every turn: when Redis has, or may have, another master than before, the changes of the last
 * minute are put into the outbox again, once. For a master that is gone took some of them, and its replicas had not
 * heard of them: visitors would get what was before, for the 24 h of a snapshot.
 */
function createRequeue({ pg, redis }: OutboxDeps): () => Promise<void> {
  let isDue = false;
  let notBefore = 0;
  watchMasters(redis, () => {
    isDue = true;
  });
  return async () => {
    if (!isDue || redis.status !== 'ready' || performance.now() < notBefore) return;
    notBefore = performance.now() + REQUEUE_INTERVAL_MS;
    isDue = false;
    await requeueRecent(pg, REQUEUE_CHANGES_MAX).catch((err: unknown) => {
      isDue = true;
      throw err;
    });
  };
}

/**
 * Returns the relay. It goes through the outbox from the oldest row to the newest, chunk by chunk, each in a transaction
 * of its own; then it begins anew. A chunk that fails ends the turn, and the next turn goes on behind it: whatever is
 * the matter with it holds up nothing else, and the next round comes back to it.
 */
function createRelay(deps: OutboxDeps) {
  let chunks: (readonly OutboxEntry[])[] = [];
  let afterId = FIRST_ID;
  let failuresOfRound = 0;
  let isLogged = false;

  function onFailure(err: unknown): void {
    failuresOfRound += 1;
    // Logged once an outage. Redis' errors carry the command, which holds content: only the message is logged.
    if (!isLogged)
      deps.log.warn({ err: { message: failureMessage(err) } }, 'the outbox relay could not publish');
    isLogged = true;
  }

  /** Takes the next chunk, listing more when there is none; undefined at the end of a round. */
  async function next(): Promise<readonly OutboxEntry[] | undefined> {
    if (chunks.length > 0) return chunks.shift();
    await withTransaction(deps.pg, async (client) => {
      const entries = await listOutbox(client, afterId, RELAY_LIST_MAX);
      if (entries.length === 0) return;
      const slugKeys = entries.map(({ slugKey }) => slugKey);
      chunks = [...cutIntoChunks(entries, await weighSnapshots(client, slugKeys))];
      afterId = entries.at(-1)?.id ?? FIRST_ID;
    });
    if (chunks.length > 0) return chunks.shift();
    if (failuresOfRound === 0) isLogged = false;
    failuresOfRound = 0;
    afterId = FIRST_ID;
    return undefined;
  }

  return {
    onFailure,
    /** Publishes until a round has ended, a chunk fails, or `isStopped`. Never rejects. */
    async run(isStopped: () => boolean): Promise<void> {
      try {
        // Without Redis there is nothing to do but wait, and no reason to lock rows.
        while (deps.redis.status === 'ready' && !isStopped()) {
          const chunk = await next();
          if (chunk === undefined) return;
          await relayChunk(deps, chunk).catch((err: unknown) => {
            // Of a cluster a node is away: halves would fare no better, and others wait behind them.
            if (failureMessage(err) === CONNECTION_CLOSED) throw err;
            // Tried by halves next, until what cannot be published stands alone.
            const half = Math.ceil(chunk.length / 2);
            if (half < chunk.length) chunks.push(chunk.slice(0, half), chunk.slice(half));
            throw err;
          });
        }
      } catch (err) {
        onFailure(err);
      }
    },
  };
}

// ioredis' words for a node that refuses its connection.
const CONNECTION_CLOSED = 'Connection is closed.';

/** Publishes the changes of a chunk that are still unpublished. Rejects with what kept Redis from taking some. */
async function relayChunk(
  { pg, redis, keyPrefix, log, observer }: OutboxDeps,
  chunk: readonly OutboxEntry[],
): Promise<void> {
  const startedAt = performance.now();
  const { count, failure } = await withTransaction(pg, async (client) => {
    const entries = await takeFromOutbox(client, chunk);
    if (entries.length === 0) return { count: 0, failure: null };
    const slugKeys = [...new Set(entries.map((entry) => entry.slugKey))];
    const snapshots = new Map<string, LinkSnapshot>();
    for (const [slugKey, snapshot] of await findEachSnapshot(client, slugKeys)) {
      // Tried again it would be damaged still.
      if (snapshot instanceof Error) log.error({ err: snapshot }, 'a damaged smartlink cannot be published');
      else snapshots.set(slugKey, snapshot);
    }
    const unpublished = new Set(snapshots.keys());
    const onTaken = (taken: readonly string[]): boolean => {
      for (const slugKey of taken) unpublished.delete(slugKey);
      return true;
    };
    const publishing = publishSnapshots(redis, keyPrefix, snapshots, onTaken);
    const failed = await publishing.then(
      () => null,
      (err: unknown) => ({ err }),
    );
    const done = entries.filter((entry) => !unpublished.has(entry.slugKey));
    const tookSeconds = (performance.now() - startedAt) / 1_000;
    for (const { ageSeconds } of done) observer.onDelay('relay', ageSeconds + tookSeconds);
    const ids = done.map(({ id }) => id);
    await removeFromOutbox(client, ids);
    return { count: ids.length, failure: failed };
  });
  if (count > 0) observer.onPublished('relay', count, performance.now() - startedAt);
  if (failure !== null) throw failure.err;
}

// Identities begin at 1.
const FIRST_ID = '0';

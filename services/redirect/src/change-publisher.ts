import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { cutIntoChunks } from '@smartlink/link-resolver/snapshot-chunks';
import { findEachSnapshot, weighSnapshots } from '@smartlink/link-resolver/snapshot-query';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createRememberedIds } from './remembered-ids.js';

/** A committed change of an address. */
export type Change = {
  readonly id: string;
  readonly slugKey: string;
  /** What is older than this does not count as the change; any does when it is not given. */
  readonly version?: number;
};

export type ChangeCounters = Readonly<Record<'published' | 'damaged' | 'failures', number>>;

export type ChangePublisher = {
  /** Publishes those of `changes` that it has not published before. Rejects when Postgres cannot weigh them. */
  readonly publish: (changes: readonly Change[]) => Promise<void>;
  /** Notes a failure, which is logged once an outage. */
  readonly onFailure: (err: unknown) => void;
  /** All there is has been met once. Returns whether all of it is published. */
  readonly endRound: () => boolean;
  /** Has everything that is met again published again. */
  readonly forget: () => void;
  readonly stop: () => void;
  readonly isStopped: () => boolean;
  readonly counters: ChangeCounters;
};

export type ChangePublisherOptions = {
  readonly db: Queryable;
  readonly redis: RedisConnection;
  readonly keyPrefix: string;
  readonly log: Logger;
};

// A page is halved ten times until one change stands alone. More, and it is the engines that fail.
const FAILURES_MAX = 16;

type Publishing = ChangePublisherOptions & {
  readonly counts: { published: number; damaged: number; failures: number };
  readonly done: (id: string) => void;
  readonly onFailure: (err: unknown) => void;
  readonly isStopped: () => boolean;
};

/**
 * Returns what publishes changes for somebody who goes through them round by round and may meet one more than once:
 * `rememberedMax` that are done are remembered for as long as they are met. A chunk that fails is tried again by halves.
 */
export function createChangePublisher(
  options: ChangePublisherOptions & { readonly rememberedMax: number },
): ChangePublisher {
  const counts = { published: 0, damaged: 0, failures: 0 };
  let remembered = createRememberedIds(options.rememberedMax);
  let failuresOfRound = 0;
  let isLogged = false;
  let isStopped = false;

  function onFailure(err: unknown): void {
    if (isStopped) return;
    counts.failures += 1;
    failuresOfRound += 1;
    // Logged once an outage. Redis' errors carry the command, which holds content: only the message is logged.
    if (!isLogged)
      options.log.warn({ err: { message: failureMessage(err) } }, 'changes could not be published');
    isLogged = true;
  }

  const publishing = {
    ...options,
    counts,
    done: (id: string) => {
      remembered.add(id);
    },
    onFailure,
    isStopped: () => isStopped,
  };
  return {
    counters: counts,
    onFailure,
    async publish(changes) {
      const news = changes.filter(({ id }) => !remembered.has(id));
      if (news.length > 0) await publishAll(publishing, news);
    },
    endRound() {
      remembered.endRound();
      const isComplete = failuresOfRound === 0;
      if (isComplete) isLogged = false;
      failuresOfRound = 0;
      return isComplete;
    },
    forget() {
      remembered = createRememberedIds(options.rememberedMax);
    },
    stop() {
      isStopped = true;
    },
    isStopped: () => isStopped,
  };
}

async function publishAll(publishing: Publishing, changes: readonly Change[]): Promise<void> {
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

async function publishChunk(publishing: Publishing, chunk: readonly Change[]): Promise<void> {
  const { db, redis, keyPrefix, log, counts, done, onFailure } = publishing;
  const snapshots = new Map<string, LinkSnapshot>();
  const damaged = new Map<string, Error>();
  for (const [slugKey, snapshot] of await findEachSnapshot(db, slugKeysOf(chunk))) {
    if (snapshot instanceof Error) damaged.set(slugKey, snapshot);
    else snapshots.set(slugKey, snapshot);
  }
  await publishSnapshots(redis, keyPrefix, snapshots);
  for (const change of chunk) {
    const { id, slugKey, version = 0 } = change;
    if (damaged.has(slugKey) || (snapshots.get(slugKey)?.version ?? 0) >= version) done(id);
    // Another replica answered than the one that told of the change.
    else onFailure(new Error('Postgres told of a change and then did not know it'));
  }
  for (const err of damaged.values()) log.error({ err }, 'a damaged smartlink cannot be published');
  counts.published += snapshots.size;
  counts.damaged += damaged.size;
}

function slugKeysOf(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ slugKey }) => slugKey))];
}

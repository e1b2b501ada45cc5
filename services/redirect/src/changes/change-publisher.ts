import { cutIntoChunks, findEachSnapshot, publishSnapshots, weighSnapshots } from '@smartlink/links/publish';
import type { RedisConnection } from '@smartlink/links/redis';
import { failureMessage, type Queryable } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import type { LinkSnapshot } from '@smartlink/smartlink/document';

/** A committed change of an address. */
export type Change = {
  readonly id: string;
  readonly slugKey: string;
  /** The snapshot must be at least this version; without it any will do. */
  readonly version?: number;
};

export type ChangePublisherOptions = {
  readonly db: Queryable;
  readonly redis: RedisConnection;
  readonly keyPrefix: string;
  readonly log: Logger;
};

export const PUBLISH_FAILURE = 'changes could not be published';

// Ten halvings leave single changes. After more failures the engines are at fault.
const FAILURES_MAX = 16;

type Publishing = ChangePublisherOptions & {
  readonly counts: { published: number; damaged: number; failures: number };
  readonly done: (id: string) => void;
  readonly onFailure: (err: unknown) => void;
  readonly isStopped: () => boolean;
};

/**
 * Publishes changes for a caller that scans the table repeatedly: up to `rememberedMax` published changes are remembered
 * for as long as each scan finds them. A chunk that fails is retried in halves.
 */
export function createChangePublisher(options: ChangePublisherOptions & { readonly rememberedMax: number }) {
  const counts = { published: 0, damaged: 0, failures: 0 };
  let remembered = createRememberedIds(options.rememberedMax);
  let failuresOfRound = 0;
  let isLogged = false;
  let isStopped = false;

  function onFailure(err: unknown): void {
    if (isStopped) return;
    counts.failures += 1;
    failuresOfRound += 1;
    // Logged once an outage, and only the message: a Redis error also carries the command with its content.
    if (!isLogged) options.log.warn({ err: { message: failureMessage(err) } }, PUBLISH_FAILURE);
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
    /** Counts a failure; logged once an outage. */
    onFailure,
    /** Publishes the changes that are new. Rejects when Postgres does not answer. */
    async publish(changes: readonly Change[]) {
      const news = changes.filter(({ id }) => !remembered.has(id));
      if (news.length > 0) await publishAll(publishing, news);
    },
    /** Ends a round over all changes. Returns whether all of them are published. */
    endRound() {
      remembered.endRound();
      const isComplete = failuresOfRound === 0;
      if (isComplete) isLogged = false;
      failuresOfRound = 0;
      return isComplete;
    },
    /** Makes changes that are found again be published again. */
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
    // Another replica answered than the one that listed the change.
    else onFailure(new Error('snapshot is older than the announced change; the replica is probably behind'));
  }
  for (const err of damaged.values()) log.error({ err }, 'damaged smartlink cannot be published');
  counts.published += snapshots.size;
  counts.damaged += damaged.size;
}

function slugKeysOf(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ slugKey }) => slugKey))];
}

/** Remembers at most `idsMax` ids for a caller that scans a table repeatedly. */
export function createRememberedIds(idsMax: number) {
  let ofLastRound = new Set<string>();
  let ofThisRound = new Set<string>();
  const add = (id: string): void => {
    if (ofThisRound.size < idsMax) ofThisRound.add(id);
  };
  return {
    /** Whether `id` is remembered; keeps it for the next round. */
    has(id: string) {
      if (!ofLastRound.has(id)) return ofThisRound.has(id);
      add(id);
      return true;
    },
    /** Remembers `id`, unless the memory is full. */
    add,
    /** Forgets ids that were neither looked up nor added in this round. */
    endRound() {
      ofLastRound = ofThisRound;
      ofThisRound = new Set();
    },
  };
}

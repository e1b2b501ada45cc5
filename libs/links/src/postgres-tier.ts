import { createBreaker, ENGINE_BREAKER, type Queryable } from '@smartlink/process/database';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import {
  createReplicas,
  type RecentChanges,
  type Replica,
  REPLICA_LAG_MAX_MS,
  type ReplicaRead,
} from './replicas.js';
import type { ResolverCounters } from './resolver-counters.js';
import { findWithin, type Found, type Withheld } from './snapshot-query.js';

export type PostgresAnswer = {
  readonly snapshot: LinkSnapshot;
  readonly source: 'postgres' | 'replica';
  /** Maximum age in milliseconds; 0 from the primary. */
  readonly lagMs: number;
  /** Whether it may be written to Redis. */
  readonly isShareable: boolean;
};

export type PostgresTier = {
  /**
   * Snapshots of those of `slugKeys` that were ever used, by key; an Error for a row that could not be read or turned into
   * a snapshot. Reads at most `bytesMax` of content, shortest first; null reads all. Rejects if no server answers. With
   * `isLone`, failures are not reported to the breaker.
   */
  readonly find: (
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
    options: { readonly bytesMax: number | null; readonly isLone: boolean },
  ) => Promise<ReadonlyMap<string, PostgresAnswer | Withheld | Error>>;
  readonly lagSeconds: () => number;
  /** Whether the primary's circuit breaker is open. */
  readonly isBreakerOpen: () => boolean;
  readonly close: () => void;
};

export type ReplicaOptions = {
  /** One or more. */
  readonly replicas: readonly Replica[];
  /** Kept for at least REPLICA_LAG_MAX_MS. */
  readonly changes: RecentChanges;
};

/**
 * A primary and optional read replicas, which are queried first. A replica's answer counts if its lag is at most 5 s and
 * no caller or change message knows a newer version. Everything else is asked of the primary, and it alone decides that a
 * slug was never used. While the primary is down, replicas are believed at any lag, except for links known to be older.
 */
export function createPostgresTier(options: {
  readonly postgres: Queryable;
  readonly reading: ReplicaOptions | undefined;
  readonly counters: ResolverCounters;
  readonly now: () => number;
}): PostgresTier {
  const { postgres, reading, counters, now } = options;
  const breaker = createBreaker({ ...ENGINE_BREAKER, now });
  const isBreakerOpen = (): boolean => !breaker.allows();

  async function askPrimary(
    slugKeys: readonly string[],
    { bytesMax, isLone }: { bytesMax: number | null; isLone: boolean },
  ): Promise<ReadonlyMap<string, PostgresAnswer | Withheld | Error>> {
    // The probe is a batch: there is no cheaper question than the one that waits.
    if (!breaker.allows() && (isLone || !breaker.takesProbe())) throw new Error(LEFT_ALONE);
    counters.postgresQueries += 1;
    try {
      const found = await findWithin(postgres, slugKeys, bytesMax);
      if (!isLone) breaker.succeeded();
      return new Map([...found].map(([slugKey, one]) => [slugKey, fromPrimary(one)]));
    } catch (err) {
      if (!isLone) breaker.failed();
      throw err;
    }
  }

  if (reading === undefined) {
    const find: PostgresTier['find'] = (slugKeys, _minVersion, how) => askPrimary(slugKeys, how);
    return { find, lagSeconds: () => 0, isBreakerOpen, close: () => undefined };
  }
  const { changes } = reading;
  const onPrimary = (answers: boolean): void => {
    if (answers) breaker.succeeded();
    else breaker.failed();
  };
  const replicas = createReplicas({
    replicas: reading.replicas,
    primary: postgres,
    counters,
    onPrimary,
    now,
  });

  return {
    lagSeconds: replicas.lagSeconds,
    isBreakerOpen,
    close: replicas.close,
    async find(slugKeys, minVersion, how) {
      const needed = (slugKey: string): number => Math.max(minVersion(slugKey), changes.versionOf(slugKey));
      const read = await replicas.read(slugKeys, how.bytesMax);
      const answers = read === null ? new Map() : selectUsable(read, { needed, changes, counters });
      const rest = slugKeys.filter((slugKey) => !answers.has(slugKey));
      if (rest.length === 0) return answers;
      try {
        for (const [slugKey, answer] of await askPrimary(rest, how)) answers.set(slugKey, answer);
      } catch (err) {
        const late = read === null ? await replicas.read(rest, how.bytesMax, 'anyLag') : null;
        const taken = late === null ? new Map() : selectUsable(late, { needed, changes, counters });
        if (answers.size + taken.size === 0) throw err;
        if (late?.lagMs === null) counters.replicaUnchecked += countLinks(taken);
        const failure = err instanceof Error ? err : new Error(String(err));
        for (const slugKey of rest) answers.set(slugKey, taken.get(slugKey) ?? failure);
      }
      return answers;
    },
  };
}

const LEFT_ALONE = 'Postgres is left alone after failures';

function countLinks(taken: ReadonlyMap<string, PostgresAnswer | Withheld>): number {
  return [...taken.values()].filter((one) => !('withheldBytes' in one)).length;
}

function fromPrimary(found: Found): PostgresAnswer | Withheld | Error {
  if (found instanceof Error || 'withheldBytes' in found) return found;
  return { snapshot: found, source: 'postgres', lagMs: 0, isShareable: true };
}

/**
 * The part of a replica's answer that may be used; the rest is counted. A withheld size is always used: the link is read
 * again, and its version checked then.
 */
function selectUsable(
  { found, lagMs }: ReplicaRead,
  context: {
    readonly needed: (slugKey: string) => number;
    readonly changes: RecentChanges;
    readonly counters: ResolverCounters;
  },
): Map<string, PostgresAnswer | Withheld> {
  const { needed, changes, counters } = context;
  const taken = new Map<string, PostgresAnswer | Withheld>();
  // If a change message was missed, Redis may lack that snapshot too, and would keep an older one.
  const isShareable = lagMs !== null && changes.isComplete();
  for (const [slugKey, one] of found) {
    if (one instanceof Error) continue;
    if ('withheldBytes' in one) taken.set(slugKey, one);
    else if (one.version < needed(slugKey)) counters.replicaOutdated += 1;
    else {
      const answer = {
        snapshot: one,
        source: 'replica',
        lagMs: lagMs ?? REPLICA_LAG_MAX_MS,
        isShareable,
      } as const;
      taken.set(slugKey, answer);
    }
  }
  return taken;
}

// One query every 20 ms at most: 50 queries a second a process, however many unknown slugs are tried.
const GATHER_MS = 20;
// Larger sets are cut, so that no statement grows without bound.
const BATCH_MAX = 500;
// Bounds the queue while Postgres does not answer; further misses fail at once.
const WAITING_MAX = 10_000;

type Waiting<Answer> = {
  /** The newest version any waiter needs. */
  minVersion: number;
  readonly bytes: number;
  readonly waiters: Waiter<Answer>[];
};

type Waiter<Answer> = {
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Gathers look-ups into batches for `fetchBatch`. The first miss after 20 quiet ms is sent at once; those arriving while
 * it runs, or within 20 ms, share the next batch. Rejects with the batch, or with the batch's Error for this slug.
 * A batch holds at most `batchBytesMax` of expected `bytes`, or one slug.
 */
export function createMissQueue<Answer>(
  fetchBatch: (
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
  ) => Promise<ReadonlyMap<string, Answer | Error>>,
  batchBytesMax = Infinity,
): (slugKey: string, minVersion?: number, bytes?: number) => Promise<Answer | null> {
  const waiting = new Map<string, Waiting<Answer>>();
  let isBusy = false;

  function flush(): void {
    if (waiting.size === 0) {
      isBusy = false;
      return;
    }
    isBusy = true;
    const batch = new Map<string, Waiting<Answer>>();
    let batchBytes = 0;
    for (const [slugKey, entry] of waiting) {
      batchBytes += entry.bytes;
      if (batch.size === BATCH_MAX || (batch.size > 0 && batchBytes > batchBytesMax)) break;
      batch.set(slugKey, entry);
      waiting.delete(slugKey);
    }
    const startedAt = performance.now();
    void answerBatch(batch).then(() => {
      setTimeout(flush, Math.max(0, GATHER_MS - (performance.now() - startedAt)));
    });
  }

  async function answerBatch(batch: ReadonlyMap<string, Waiting<Answer>>): Promise<void> {
    try {
      const found = await fetchBatch([...batch.keys()], (slugKey) => batch.get(slugKey)?.minVersion ?? 0);
      for (const [slugKey, { waiters }] of batch) {
        const answer = found.get(slugKey) ?? null;
        for (const waiter of waiters) {
          if (answer instanceof Error) waiter.reject(answer);
          else waiter.resolve(answer);
        }
      }
    } catch (err) {
      for (const { waiters } of batch.values()) for (const waiter of waiters) waiter.reject(err);
    }
  }

  return (slugKey, minVersion = 0, bytes = 0) =>
    new Promise((resolve, reject) => {
      const known = waiting.get(slugKey);
      if (known) {
        known.minVersion = Math.max(known.minVersion, minVersion);
        known.waiters.push({ resolve, reject });
        return;
      }
      if (waiting.size >= WAITING_MAX) {
        reject(new Error(`More than ${WAITING_MAX} slugs wait for Postgres`));
        return;
      }
      waiting.set(slugKey, { minVersion, bytes, waiters: [{ resolve, reject }] });
      if (!isBusy) flush();
    });
}

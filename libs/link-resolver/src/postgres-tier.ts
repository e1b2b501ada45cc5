import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import type { RecentChanges } from './recent-changes.js';
import { createReplicas, REPLICA_LAG_MAX_MS } from './replicas.js';
import type { Replica, ReplicaRead } from './replicas.js';
import type { ResolverCounters } from './resolver-counters.js';
import { findWithin } from './snapshot-query.js';
import type { Found, Queryable, Withheld } from './snapshot-query.js';

/** What Postgres knows of a slug. */
export type PostgresAnswer = {
  readonly snapshot: LinkSnapshot;
  readonly source: 'postgres' | 'replica';
  /** By so many milliseconds it may be older than now; 0 from the primary. */
  readonly lagMs: number;
  /** Whether Redis may have it, for a day. */
  readonly isShareable: boolean;
};

export type PostgresTier = {
  /**
   * Returns what is known of those of `slugKeys` that were ever used, by key; a row that no snapshot can be made of,
   * or that nobody could read, is its Error. At most `bytesMax` of content are read, the shortest first, unless it is
   * null. Rejects when nobody answers. With `isLone` a failure says nothing of other reads.
   */
  readonly find: (
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
    options: { readonly bytesMax: number | null; readonly isLone: boolean },
  ) => Promise<ReadonlyMap<string, PostgresAnswer | Withheld | Error>>;
  readonly lagSeconds: () => number;
  /** Whether the primary is left alone now. */
  readonly isLeftAlone: () => boolean;
  readonly close: () => void;
};

export type ReplicaOptions = {
  /** One or more. */
  readonly replicas: readonly Replica[];
  /** Remembers for REPLICA_LAG_MAX_MS at least. */
  readonly changes: RecentChanges;
};

/**
 * Returns Postgres as the resolver sees it: a primary, and perhaps read replicas, which are asked first then.
 *
 * A replica's answer is taken when the replica is behind by 5 s at most, and the link is not older than its asker or a
 * change message knows of. For everything else the primary is asked, and it alone says that a slug was never used. While
 * the primary does not answer, a replica's links are taken however far it is behind; still none that is known to be older,
 * and a slug that it does not know may exist.
 */
export function createPostgresTier(options: {
  readonly postgres: Queryable;
  readonly reading: ReplicaOptions | undefined;
  readonly counters: ResolverCounters;
  readonly now: () => number;
}): PostgresTier {
  const { postgres, reading, counters, now } = options;
  const breaker = createBreaker({ ...ENGINE_BREAKER, now });
  const isLeftAlone = (): boolean => !breaker.allows();

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
    return { find, lagSeconds: () => 0, isLeftAlone, close: () => undefined };
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
    isLeftAlone,
    close: replicas.close,
    async find(slugKeys, minVersion, how) {
      const needed = (slugKey: string): number => Math.max(minVersion(slugKey), changes.versionOf(slugKey));
      const read = await replicas.read(slugKeys, how.bytesMax);
      const answers = read === null ? new Map() : take(read, { needed, changes, counters });
      const rest = slugKeys.filter((slugKey) => !answers.has(slugKey));
      if (rest.length === 0) return answers;
      try {
        for (const [slugKey, answer] of await askPrimary(rest, how)) answers.set(slugKey, answer);
      } catch (err) {
        const late = read === null ? await replicas.read(rest, how.bytesMax, 'anyLag') : null;
        const taken = late === null ? new Map() : take(late, { needed, changes, counters });
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
 * Returns of what a replica said that which may be believed, and counts the rest. How much a link comes to, no more, is
 * always believed: it is read again, and its version checked then.
 */
function take(
  { found, lagMs }: ReplicaRead,
  context: {
    readonly needed: (slugKey: string) => number;
    readonly changes: RecentChanges;
    readonly counters: ResolverCounters;
  },
): Map<string, PostgresAnswer | Withheld> {
  const { needed, changes, counters } = context;
  const taken = new Map<string, PostgresAnswer | Withheld>();
  // Of a change that we may not have heard of Redis may have lost the snapshot too: then an older one would stay there.
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

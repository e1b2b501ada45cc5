import { createBreaker, ENGINE_BREAKER } from './breaker.js';
import type { Breaker } from './breaker.js';
import type { ResolverCounters } from './resolver-counters.js';
import { findWithin } from './snapshot-query.js';
import type { Found, Queryable } from './snapshot-query.js';
import { createWalPositions, findReplayed, findWritten } from './wal-positions.js';
import type { WalPositions } from './wal-positions.js';

/** A streaming replica of Postgres. */
export type Replica = {
  /** Returns what `work` returns, which has one connection, to one server, for itself. Rejects with it, and without one. */
  readonly withConnection: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;
};

export type ReplicaRead = {
  readonly found: ReadonlyMap<string, Found>;
  /** By so many milliseconds what was found may be older than now; null: nobody knows. */
  readonly lagMs: number | null;
};

export type Replicas = {
  /**
   * Reads slugs from a replica, at most `bytesMax` of content. Returns null when it does not answer and, unless `anyLag`, when
   * all are left alone or the one that was asked is behind by more than REPLICA_LAG_MAX_MS. Never rejects.
   */
  readonly read: (
    slugKeys: readonly string[],
    bytesMax: number | null,
    anyLag?: 'anyLag',
  ) => Promise<ReplicaRead | null>;
  /**
   * By how many seconds the worst replica is behind, at most: the time since the latest moment of which it is known to know
   * everything. It grows while nobody knows.
   */
  readonly lagSeconds: () => number;
  readonly close: () => void;
};

/** A replica that is further behind, or may be, is not believed while the primary answers. In ms. */
export const REPLICA_LAG_MAX_MS = 5_000;
// Two small questions a second to each server, by each process; they are the probes of the breakers too.
const LOOK_INTERVAL_MS = 500;

type Member = {
  readonly replica: Replica;
  readonly breaker: Breaker;
  /** Everything that was committed before this monotonic time is known to be there. */
  asOf: number;
};

/**
 * Returns the read replicas of a primary, which are asked in turn. How far one is behind is known without a clock of
 * Postgres' and without a right to write: the primary is asked twice a second how far its log goes, and each read asks the
 * replica, on the same connection, up to where it has replayed that. `onPrimary` hears whether the primary answers. The
 * caller closes it.
 */
export function createReplicas(options: {
  readonly replicas: readonly Replica[];
  readonly primary: Queryable;
  readonly counters: ResolverCounters;
  readonly onPrimary: (answers: boolean) => void;
  readonly now: () => number;
}): Replicas {
  const { primary, counters, onPrimary, now } = options;
  const positions = createWalPositions({ keptMs: REPLICA_LAG_MAX_MS, now });
  const members = options.replicas.map((replica): Member => ({
    replica,
    breaker: createBreaker({ ...ENGINE_BREAKER, now }),
    asOf: now(),
  }));
  let turn = 0;

  /** Returns the next one that is not left alone. */
  function next(): Member | undefined {
    turn += 1;
    const order = members.map((_, index) => members[(turn + index) % members.length]);
    return order.find((member) => member?.breaker.allows() === true);
  }

  return {
    async read(slugKeys, bytesMax, anyLag) {
      // With nobody else left to ask, one that has failed is tried all the same.
      const member = next() ?? (anyLag === undefined ? undefined : members[turn % members.length]);
      if (member === undefined) {
        counters.replicaSkipped += 1;
        return null;
      }
      try {
        const read = await member.replica.withConnection(async (db) => {
          const lagMs = await measureLag(db, positions);
          if (lagMs === null && anyLag === undefined) return null;
          counters.replicaQueries += 1;
          return { found: await findWithin(db, slugKeys, bytesMax), lagMs };
        });
        member.breaker.succeeded();
        if (read === null) counters.replicaLagging += 1;
        return read;
      } catch {
        // That a large link, which is read by itself, takes too long says nothing of the others.
        if (bytesMax !== null) member.breaker.failed();
        counters.replicaFailures += 1;
        return null;
      }
    },
    lagSeconds: () => Math.max(...members.map(({ asOf }) => now() - asOf)) / 1_000,
    close: lookAgainAndAgain(() => look({ members, primary, positions, onPrimary, now })),
  };
}

async function measureLag(db: Queryable, positions: WalPositions): Promise<number | null> {
  const replayed = await findReplayed(db);
  return replayed === null ? null : positions.lagOf(replayed);
}

/** Asks the primary how far its log goes, and each replica how far it is behind that. Never rejects. */
async function look(options: {
  readonly members: readonly Member[];
  readonly primary: Queryable;
  readonly positions: WalPositions;
  readonly onPrimary: (answers: boolean) => void;
  readonly now: () => number;
}): Promise<void> {
  const { members, primary, positions, onPrimary, now } = options;
  const askedAt = now();
  const written = findWritten(primary).then(
    (position) => {
      positions.note(askedAt, position);
      onPrimary(true);
    },
    (err: unknown) => {
      if (!isAnswer(err)) onPrimary(false);
    },
  );
  const measured = members.map(async (member) => {
    try {
      const lagMs = await member.replica.withConnection((db) => measureLag(db, positions));
      if (lagMs !== null) member.asOf = now() - lagMs;
      member.breaker.succeeded();
    } catch {
      member.breaker.failed();
    }
  });
  await Promise.all([written, ...measured]);
}

// It starts, stops or is a replica; 53300: it has no connection to spare.
const NO_ANSWER = /^(?:08...|55000|57P0.|53300)$/;

/**
 * Whether the primary answered, if only that it will not tell how far its log goes: without the right to ask that it may
 * still know links. Its breaker hears nothing then, neither good nor bad.
 */
function isAnswer(err: unknown): boolean {
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NO_ANSWER.test(code);
}

/** Calls `work` now and LOOK_INTERVAL_MS after each time it has ended, until what is returned is called. */
function lookAgainAndAgain(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const run = (): void => {
    void work().then(() => {
      if (!isClosed) timer = setTimeout(run, LOOK_INTERVAL_MS).unref();
    });
  };
  run();
  return () => {
    isClosed = true;
    clearTimeout(timer);
  };
}

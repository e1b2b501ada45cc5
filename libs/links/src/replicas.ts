import { type Breaker, createBreaker, ENGINE_BREAKER, type Queryable } from '@smartlink/process/database';
import { startJob } from '@smartlink/process/lifecycle';
import type { ResolverCounters } from './resolver-counters.js';
import { findWithin, type Found } from './snapshot-query.js';

/** A streaming replica of Postgres. */
export type Replica = {
  /** Runs `work` on one connection of its own, to one server. Rejects with `work`, or without a connection. */
  readonly withConnection: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;
};

export type ReplicaRead = {
  readonly found: ReadonlyMap<string, Found>;
  /** Maximum age of the result in milliseconds; null: unknown. */
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
   * Maximum lag of the slowest replica in seconds: the time since the latest moment up to which it is known to be
   * complete. Grows while the lag is unknown.
   */
  readonly lagSeconds: () => number;
  readonly close: () => void;
};

/** Replicas with a larger or unknown lag are not believed while the primary answers. In ms. */
export const REPLICA_LAG_MAX_MS = 5_000;
// Two small queries a second per server and process; they also probe for the breakers.
const LOOK_INTERVAL_MS = 500;

type Member = {
  readonly replica: Replica;
  readonly breaker: Breaker;
  /** Everything committed before this monotonic time is known to be replayed. */
  asOf: number;
};

/**
 * Read replicas of a primary, queried in turn. Lag is measured without Postgres' clocks and without write access: the
 * primary reports its log position twice a second, and each read first asks the replica, on the same connection, for its
 * replayed position. `onPrimary` gets whether the primary answers. The caller closes it.
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
  const looking = startJob({
    everyMs: LOOK_INTERVAL_MS,
    firstAfterMs: 0,
    run: () => checkReplicas({ members, primary, positions, onPrimary, now }),
    // Never: the breakers and the counters hear of failures.
    failure: '',
    log: { warn: () => undefined },
  });
  let turn = 0;

  function next(): Member | undefined {
    turn += 1;
    const order = members.map((_, index) => members[(turn + index) % members.length]);
    return order.find((member) => member?.breaker.allows() === true);
  }

  return {
    async read(slugKeys, bytesMax, anyLag) {
      // Without any other server, a failed replica is tried too.
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
        // A slow large link, read by itself, says nothing about the others.
        if (bytesMax !== null) member.breaker.failed();
        counters.replicaFailures += 1;
        return null;
      }
    },
    lagSeconds: () => Math.max(...members.map(({ asOf }) => now() - asOf)) / 1_000,
    close: () => void looking.stop(),
  };
}

async function measureLag(db: Queryable, positions: WalPositions): Promise<number | null> {
  const replayed = await findReplayed(db);
  return replayed === null ? null : positions.lagOf(replayed);
}

/** Measures the primary's log position and each replica's lag. Never rejects. */
async function checkReplicas(options: {
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

// The server starts, stops or is a replica; 53300: too many connections.
const NO_ANSWER = /^(?:08...|55000|57P0.|53300)$/;

/**
 * Whether the primary answered at all: without the privilege to read its log position it can still serve links. The
 * breaker gets no report then.
 */
function isAnswer(err: unknown): boolean {
  const code = err instanceof Error && 'code' in err ? err.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NO_ANSWER.test(code);
}

/**
 * Positions of the primary's WAL by time. A replica that has replayed a position has everything committed before its
 * time.
 */
export type WalPositions = {
  /** The primary was asked at `askedAt`, in monotonic milliseconds, and answered `position`. */
  readonly note: (askedAt: number, position: bigint) => void;
  /**
   * Maximum lag, in milliseconds, of a replica that has replayed up to `replayed`; null if above `keptMs` or unknown.
   */
  readonly lagOf: (replayed: bigint) => number | null;
};

/** Keeps the positions of the last `keptMs`, by this process's clock. */
export function createWalPositions(options: {
  readonly keptMs: number;
  readonly now: () => number;
}): WalPositions {
  const { keptMs, now } = options;
  const notes: { readonly askedAt: number; readonly position: bigint }[] = [];
  return {
    note(askedAt, position) {
      const newest = notes.at(-1);
      // Overtaken by a later answer.
      if (newest !== undefined && askedAt <= newest.askedAt) return;
      // Another primary has taken over and lost the end of the log.
      if (newest !== undefined && position < newest.position) notes.length = 0;
      notes.push({ askedAt, position });
      while (notes.length > 0 && now() - (notes[0]?.askedAt ?? 0) > keptMs) notes.shift();
    },
    lagOf(replayed) {
      const reached = notes.findLast(({ position }) => position <= replayed);
      const lagMs = reached === undefined ? Infinity : now() - reached.askedAt;
      return lagMs <= keptMs ? lagMs : null;
    },
  };
}

// A commit is visible once it is in the log's buffers, before it is written: the insert position counts.
const FIND_WRITTEN = `
select (pg_current_wal_insert_lsn() - '0/0')::text as position, current_setting('wal_block_size') as "pageBytes"`;

/** The primary's log position in bytes. Rejects on a replica. */
export async function findWritten(primary: Queryable): Promise<bigint> {
  const { rows } = await primary.query(FIND_WRITTEN, []);
  const { position, pageBytes } = rows[0] as { position: string; pageBytes: string };
  return beforeHeader(BigInt(position), BigInt(pageBytes));
}

// Each page of the log begins with a header, the first one of a segment with a longer one (xlog_internal.h).
const HEADER_BYTES: readonly bigint[] = [24n, 40n];

/**
 * The page boundary if only the page's header precedes `position`, else `position`. After a full page or a closed segment
 * (archive_timeout), Postgres inserts behind the header of a page it has not sent: a complete replica stays at the boundary
 * until the next record. No record ends in between.
 */
export function beforeHeader(position: bigint, pageBytes: bigint): bigint {
  const offset = position % pageBytes;
  return HEADER_BYTES.includes(offset) ? position - offset : position;
}

// A promoted replica has a log of its own: the position is null.
const FIND_REPLAYED = `
select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position`;

/** Replayed position of the primary's log; null if the server is not a replica. */
export async function findReplayed(replica: Queryable): Promise<bigint | null> {
  const { rows } = await replica.query(FIND_REPLAYED, []);
  const { position } = rows[0] as { position: string | null };
  return position === null ? null : BigInt(position);
}

/** Versions announced by recent change messages. */
export type RecentChanges = {
  readonly onChange: (slugKey: string, version: number) => void;
  /** Messages may have been missed. */
  readonly onGap: () => void;
  /** The newest announced version of a slug, 0 if none. */
  readonly versionOf: (slugKey: string) => number;
  /** Whether every change announced in the last `windowMs` is remembered. */
  readonly isComplete: () => boolean;
};

/**
 * Remembers change messages for at least `windowMs` and at most twice that, so that a read replica that has not replayed
 * a change is not believed. More than `changesMax` slugs per window count as a gap. `now` is in monotonic milliseconds.
 */
export function createRecentChanges(options: {
  readonly windowMs: number;
  readonly changesMax: number;
  readonly now: () => number;
}): RecentChanges {
  const { windowMs, changesMax, now } = options;
  let older = new Map<string, number>();
  let newer = new Map<string, number>();
  let windowEndsAt = now() + windowMs;
  // Nothing was heard before the start.
  let gapAt = now();

  function turnPage(): void {
    const time = now();
    if (time < windowEndsAt) return;
    older = time < windowEndsAt + windowMs ? newer : new Map<string, number>();
    newer = new Map();
    windowEndsAt = time + windowMs;
  }

  const known = (slugKey: string): number => Math.max(newer.get(slugKey) ?? 0, older.get(slugKey) ?? 0);

  return {
    onChange(slugKey, version) {
      turnPage();
      if (newer.size < changesMax || newer.has(slugKey)) {
        newer.set(slugKey, Math.max(newer.get(slugKey) ?? 0, version));
      } else {
        gapAt = now();
      }
    },
    onGap() {
      gapAt = now();
    },
    versionOf(slugKey) {
      turnPage();
      return known(slugKey);
    },
    isComplete: () => now() - gapAt >= windowMs,
  };
}

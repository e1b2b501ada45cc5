import type { Queryable } from './snapshot-query.js';

/**
 * Where the primary's log of changes (WAL) stood at which time. A replica that has replayed up to a position knows
 * everything that was committed before that time.
 */
export type WalPositions = {
  /** The primary was asked at `askedAt`, in monotonic milliseconds, and stood at `position` or later before it answered. */
  readonly note: (askedAt: number, position: bigint) => void;
  /**
   * Returns by how many milliseconds, at most, a replica is behind that has replayed up to `replayed`; null when it is by
   * more than `keptMs`, or nobody knows.
   */
  readonly lagOf: (replayed: bigint) => number | null;
};

/** Returns a memory of positions of the last `keptMs`. No clock but our own is asked. */
export function createWalPositions(options: {
  readonly keptMs: number;
  readonly now: () => number;
}): WalPositions {
  const { keptMs, now } = options;
  const notes: { readonly askedAt: number; readonly position: bigint }[] = [];
  return {
    note(askedAt, position) {
      const newest = notes.at(-1);
      // An answer that a later question has overtaken says nothing new.
      if (newest !== undefined && askedAt <= newest.askedAt) return;
      // Behind the same address stands another primary, which has lost the end of the log.
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

// What is committed is visible once it is in the log's buffers, before it is written: the position of insertion counts.
const FIND_WRITTEN = `
select (pg_current_wal_insert_lsn() - '0/0')::text as position, current_setting('wal_block_size') as "pageBytes"`;

/** Returns how far the primary's log goes, in bytes. Rejects when it cannot answer, and when it is a replica. */
export async function findWritten(primary: Queryable): Promise<bigint> {
  const { rows } = await primary.query(FIND_WRITTEN, []);
  const { position, pageBytes } = rows[0] as { position: string; pageBytes: string };
  return beforeHeader(BigInt(position), BigInt(pageBytes));
}

// Each page of the log begins with a header, the first one of a segment with a longer one (xlog_internal.h).
const HEADER_BYTES: readonly bigint[] = [24n, 40n];

/**
 * Returns the boundary of the page when nothing but its header stands before `position`, else `position`. Where a page is
 * full, or a segment was closed (archive_timeout), Postgres inserts next behind the header of a page that it has not sent:
 * a replica that has everything stands at the boundary until there is a next record. No record ends in between.
 */
export function beforeHeader(position: bigint, pageBytes: bigint): bigint {
  const offset = position % pageBytes;
  return HEADER_BYTES.includes(offset) ? position - offset : position;
}

// After a promotion it replays nothing more, and its log is another one: then the position is null.
const FIND_REPLAYED = `
select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position`;

/** Returns up to where a replica has replayed the primary's log, null when it is no replica. Rejects as the query does. */
export async function findReplayed(replica: Queryable): Promise<bigint | null> {
  const { rows } = await replica.query(FIND_REPLAYED, []);
  const { position } = rows[0] as { position: string | null };
  return position === null ? null : BigInt(position);
}

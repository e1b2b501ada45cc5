import { randomUUID } from 'node:crypto';
import { followedPlaceKey, followerLeaseKey, isOfOtherType } from '@smartlink/links/publish';
import { watchMasters } from '@smartlink/links/redis';
import type { Queryable } from '@smartlink/process/database';
import { type Job, startJob } from '@smartlink/process/lifecycle';
import {
  type Change,
  type ChangePublisherOptions,
  createChangePublisher,
  PUBLISH_FAILURE,
} from './change-publisher.js';

const POLL_INTERVAL_MS = 250;
const PAGE_ROWS_MAX = 500;
// About 10 MiB: changes found by every scan while a transaction stays open. Beyond it, changes are published
// repeatedly.
const REMEMBERED_MAX = 100_000;
// The follower renews its lease within this time; otherwise another process takes over.
const LEASE_MS = 3_000;
// The life of a snapshot: after an expired position, no older snapshot is left in Redis.
const POSITION_TTL_SECONDS = 24 * 3600;

export type ChangeFollower = ReturnType<typeof createChangeFollower>;

/**
 * Replicates committed changes into a region's own Redis, which management does not know. It reads them from Postgres (a
 * replica will do) and publishes them as management does.
 *
 * One process per Redis follows at a time, under a lease; two would do no harm. The position is kept in Redis beside the
 * snapshots, so that the next process continues there, and a Redis that lost its latest writes gets them again. Without a
 * position it begins with the oldest change kept.
 *
 * The cursor advances to the oldest transaction in progress at the start of the scan. Changes of younger transactions are
 * published too, found again by the next scan, and remembered until then. While a transaction stays open and scans take
 * long, they become rarer.
 */
export function createChangeFollower(options: ChangePublisherOptions) {
  const { db, redis, keyPrefix } = options;
  const publisher = createChangePublisher({ ...options, rememberedMax: REMEMBERED_MAX });
  const self = randomUUID();
  const takeLease = async (): Promise<boolean> =>
    (await redis.eval(TAKE_LEASE, 1, followerLeaseKey(keyPrefix), self, LEASE_MS)) === 1;
  const place = keepPlace(options, followedPlaceKey(keyPrefix));
  let mayLackWrites = false;
  let restsUntil = 0;
  let job: Job | undefined;
  watchMasters(redis, () => {
    mayLackWrites = true;
  });

  /** Publishes all changes after `start`. Returns the oldest transaction running at first, null if it was stopped. */
  async function readOn(start: Position): Promise<string | null> {
    let page = await listChanges(db, start, PAGE_ROWS_MAX);
    // From the first page: a transaction that ended later may precede what was read since.
    const { oldestRunningXid } = page;
    for (;;) {
      await publisher.publish(page.changes);
      if (publisher.isStopped()) return null;
      if (page.last === null || page.changes.length < PAGE_ROWS_MAX) return oldestRunningXid;
      if (!(await takeLease())) return null;
      page = await listChanges(db, page.last, PAGE_ROWS_MAX);
    }
  }

  async function followPage(): Promise<boolean> {
    const goesBack = mayLackWrites;
    const from = performance.now();
    try {
      if (redis.status !== 'ready' || !(await takeLease())) return false;
      mayLackWrites = false;
      if (goesBack) publisher.forget();
      const oldestRunningXid = await readOn(await place.find(goesBack));
      if (publisher.endRound() && oldestRunningXid !== null) {
        const moved = await place.moveTo(oldestRunningXid);
        if (moved === 'stays') restsUntil = performance.now() + restAfter(performance.now() - from);
        // The remembered ids may belong to another history.
        mayLackWrites = moved === 'lost';
        return moved !== 'lost';
      }
    } catch (err) {
      publisher.onFailure(err);
      publisher.endRound();
    }
    mayLackWrites ||= goesBack;
    return false;
  }

  /** Looks, or while resting renews the lease, so that no other process starts with an empty memory. */
  async function pollOrRenewLease(): Promise<void> {
    if (performance.now() >= restsUntil) await followPage();
    else await takeLease().catch(() => false);
  }

  return {
    counters: publisher.counters,
    /** Publishes new changes, unless another process follows. Resolves with whether it did; never rejects. */
    followPage,
    start() {
      if (publisher.isStopped()) return;
      const { log } = options;
      job ??= startJob({ everyMs: POLL_INTERVAL_MS, run: pollOrRenewLease, failure: PUBLISH_FAILURE, log });
    },
    /** Does not wait for work in progress: it will be done again. */
    stop() {
      publisher.stop();
      void job?.stop();
    },
  };
}

// Looks that find nothing new take a fifth of the time, up to a maximum delay of changes.
const REST_SHARE = 4;
const REST_MS_MAX = 10_000;

/** Pause in ms after a look of `durationMs` without progress. */
export function restAfter(durationMs: number): number {
  return Math.min(Math.max(POLL_INTERVAL_MS, REST_SHARE * durationMs), REST_MS_MAX);
}

// After every change of a transaction.
const LAST_ID = String(2n ** 63n - 1n);
// Postgres rejects a transaction number beyond 64 bits, and every look would fail.
const XID_MAX = 2n ** 64n - 1n;

/** Whether this is the number of a transaction. */
export function isXid(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= XID_MAX;
}

/** The position reached, kept in Redis alone: another process may have followed since, or Redis may have been emptied. */
function keepPlace({ db, redis, log }: ChangePublisherOptions, key: string) {
  let found = BEGINNING;
  // Looks come every 250 ms; the cause, such as a replica behind another, may persist.
  let isLogged = false;

  async function read(): Promise<Position> {
    const stored = await redis.get(key).catch((err: unknown) => {
      if (isOfOtherType(err)) return '';
      throw err;
    });
    if (stored !== null && isXid(stored)) return { xid: stored, id: LAST_ID };
    if (stored !== null && !isLogged) {
      isLogged = true;
      log.warn({ key }, 'change follower position is not readable');
    }
    return BEGINNING;
  }

  return {
    /** Where to continue; with `goesBack` at least a minute before the last change. */
    async find(goesBack: boolean): Promise<Position> {
      found = await read();
      if (!goesBack) return found;
      const before = await findMinuteBefore(db);
      // On a quiet Postgres the last change belongs to the very transaction reached.
      return BigInt(before.xid) <= BigInt(found.xid) ? before : found;
    },
    /**
     * Stores the position before this transaction. If Postgres is behind the position found (restored, or a replica
     * further behind), the position is lost: the same numbers may have meant something else.
     */
    async moveTo(oldestRunningXid: string): Promise<'moved' | 'stays' | 'lost'> {
      const xid = BigInt(oldestRunningXid) - 1n;
      const isLost = xid < BigInt(found.xid);
      await redis.set(key, isLost ? BEGINNING.xid : String(xid), 'EX', POSITION_TTL_SECONDS);
      if (isLost) {
        const fields = { key, place: found.xid, reached: String(xid) };
        if (!isLogged) log.warn(fields, 'change follower position is ahead of Postgres');
        isLogged = true;
        return 'lost';
      }
      isLogged = false;
      return xid === BigInt(found.xid) ? 'stays' : 'moved';
    },
  };
}

/**
 * Takes or renews a lease: KEYS[1], ARGV the holder and milliseconds. Returns 1 on success. A value that is no text or
 * never expires is not ours, and is overwritten.
 */
const TAKE_LEASE = `
local holder = redis.pcall('get', KEYS[1])
local isOurs = type(holder) == 'string' and redis.call('pttl', KEYS[1]) >= 0
if isOurs and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1
`;

/** A place in link_changes, in the order of transactions. */
type Position = { readonly xid: string; readonly id: string };

/** Before everything kept, which is a day: as long as a snapshot stays in Redis. */
const BEGINNING: Position = { xid: '0', id: '0' };

type ChangesPage = {
  readonly changes: readonly Change[];
  /** Position of the last change, null if there is none. */
  readonly last: Position | null;
  /** A reader at this position has seen every change of older transactions. */
  readonly oldestRunningXid: string;
};

type PageRow = {
  oldestRunningXid: string;
  id: string | null;
  slugKey: string;
  version: string;
  xid: string;
};

// One snapshot for both: whatever it does not show belongs to a transaction not older than its xmin. On a replica, xmin
// is the oldest transaction whose end it has not replayed. Transactions of another cluster, from which this one was
// restored, may have higher numbers than exist here: they are ignored. Uses the index of (xid, id).
const LIST_CHANGES = `
select pg_snapshot_xmin(at.snapshot)::text as "oldestRunningXid", page.*
from (select pg_current_snapshot() as snapshot) as at
left join lateral (
  select id::text, slug_key as "slugKey", version::text, xid::text from link_changes
  where (link_changes.xid, link_changes.id) > ($1::xid8, $2::bigint)
    and link_changes.xid < pg_snapshot_xmax(at.snapshot)
  order by link_changes.xid, link_changes.id limit $3
) as page on true`;

/** Up to `rowsMax` changes after `after`, oldest transactions first. */
async function listChanges(db: Queryable, after: Position, rowsMax: number): Promise<ChangesPage> {
  const rows = (await db.query(LIST_CHANGES, [after.xid, after.id, rowsMax])).rows as PageRow[];
  const changes = rows.flatMap(({ id, slugKey, version }) =>
    id === null ? [] : [{ id, slugKey, version: Number(version) }],
  );
  const last = rows.at(-1);
  return {
    changes,
    last: last === undefined || last.id === null ? null : { xid: last.xid, id: last.id },
    oldestRunningXid: rows[0]?.oldestRunningXid ?? BEGINNING.xid,
  };
}

const FIND_MINUTE_BEFORE = `
select coalesce(min(xid), '0')::text as xid from link_changes
where created_at > (select max(created_at) from link_changes) - interval '1 minute'`;

/** The position before the last minute with changes. */
async function findMinuteBefore(db: Queryable): Promise<Position> {
  const { rows } = await db.query(FIND_MINUTE_BEFORE, []);
  return { xid: (rows[0] as { xid: string }).xid, id: BEGINNING.id };
}

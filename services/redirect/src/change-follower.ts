import { randomUUID } from 'node:crypto';
import { isOfOtherType } from '@smartlink/link-resolver/cached-snapshots';
import { followedPlaceKey, followerLeaseKey } from '@smartlink/link-resolver/redis-codec';
import { watchMasters } from '@smartlink/link-resolver/redis-cluster';
import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { createChangePublisher } from './change-publisher.js';
import type { ChangeCounters, ChangePublisherOptions } from './change-publisher.js';
import { BEGINNING, findMinuteBefore, listChanges } from './followed-changes.js';
import type { Position } from './followed-changes.js';

const LOOK_INTERVAL_MS = 250;
const PAGE_ROWS_MAX = 500;
// About 10 MiB: what a transaction that does not end leaves to be met again at each look. More is published again each time.
const REMEMBERED_MAX = 100_000;
// Who follows for the region says so that often; when it is gone another one begins.
const LEASE_MS = 3_000;
// As long as a snapshot: where Redis has none left, nothing in it can be older than what was followed.
const POSITION_TTL_SECONDS = 24 * 3600;

export type ChangeFollower = {
  readonly start: () => void;
  /** Ends it without waiting for what is under way: whatever is left undone is done again. */
  readonly stop: () => void;
  /** Publishes everything that is new, unless another process follows. Resolves with whether it did; never rejects. */
  readonly look: () => Promise<boolean>;
  readonly counters: ChangeCounters;
};

/**
 * Returns what brings changes to a Redis that management does not know: that of another region. It reads which changes were
 * committed from Postgres, a replica will do, and publishes them as management does.
 *
 * Of all processes with the same Redis one follows at a time, under a lease in it; two would do no harm. How far it has come
 * stands in Redis beside what it brought there, so that the next process goes on from there, and so that a Redis which has
 * lost its latest writes is given them again. Where that is not known it begins with the oldest change that is kept.
 *
 * It comes so far as the oldest transaction that was running when it looked. Changes of younger ones are published too, and
 * met again at the next look; they are remembered until then. While one stays open, and looks take long for all that is met
 * again, there are fewer of them.
 */
export function createChangeFollower(options: ChangePublisherOptions): ChangeFollower {
  const { db, redis, keyPrefix } = options;
  const publisher = createChangePublisher({ ...options, rememberedMax: REMEMBERED_MAX });
  const lease = createLease(redis, followerLeaseKey(keyPrefix));
  const place = keepPlace(options, followedPlaceKey(keyPrefix));
  let mayLackWrites = false;
  let restsUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  watchMasters(redis, () => {
    mayLackWrites = true;
  });

  /** Publishes all changes behind `start`. Returns the oldest transaction that ran at first, null when it had to stop. */
  async function readOn(start: Position): Promise<string | null> {
    let page = await listChanges(db, start, PAGE_ROWS_MAX);
    // That of the first page: what ended later may stand before what was read since.
    const { oldestRunningXid } = page;
    for (;;) {
      await publisher.publish(page.changes);
      if (publisher.isStopped()) return null;
      if (page.last === null || page.changes.length < PAGE_ROWS_MAX) return oldestRunningXid;
      if (!(await lease.take())) return null;
      page = await listChanges(db, page.last, PAGE_ROWS_MAX);
    }
  }

  async function look(): Promise<boolean> {
    const goesBack = mayLackWrites;
    const from = performance.now();
    try {
      if (redis.status !== 'ready' || !(await lease.take())) return false;
      mayLackWrites = false;
      if (goesBack) publisher.forget();
      const oldestRunningXid = await readOn(await place.find(goesBack));
      if (publisher.endRound() && oldestRunningXid !== null) {
        const moved = await place.moveTo(oldestRunningXid);
        if (moved === 'stays') restsUntil = performance.now() + restAfter(performance.now() - from);
        // What was remembered may be of another history.
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

  /** Looks, or while it rests says that it is still there, so that no other one begins with nothing remembered. */
  async function lookOrRest(): Promise<void> {
    if (performance.now() >= restsUntil) await look();
    else await lease.take().catch(() => false);
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void lookOrRest().then(() => {
        if (!publisher.isStopped()) schedule();
      });
    }, LOOK_INTERVAL_MS);
  }

  return {
    counters: publisher.counters,
    look,
    start() {
      if (!publisher.isStopped()) schedule();
    },
    stop() {
      publisher.stop();
      clearTimeout(timer);
    },
  };
}

// Looks that meet the same again take a fifth of the time, until changes would be seen later than this for it.
const REST_SHARE = 4;
const REST_MS_MAX = 10_000;

/** Returns for how many ms to rest after a look of `durationMs` that has brought us no further. */
export function restAfter(durationMs: number): number {
  return Math.min(Math.max(LOOK_INTERVAL_MS, REST_SHARE * durationMs), REST_MS_MAX);
}

// Behind every change of a transaction.
const LAST_ID = String(2n ** 63n - 1n);
// Postgres refuses a statement with a number of a transaction that does not fit 64 bits, and with it each look.
const XID_MAX = 2n ** 64n - 1n;

/** Returns whether this is the number of a transaction, as it would be written. */
export function isXid(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= XID_MAX;
}

/**
 * Returns what knows how far changes have been brought to Redis. It stands there alone: another process may have followed
 * since, and a Redis that was emptied knows of nothing.
 */
function keepPlace({ db, redis, log }: ChangePublisherOptions, key: string) {
  let found = BEGINNING;
  // Looks follow each other at 250 ms. While Postgres is away nothing takes the place of what was found, and of two replicas
  // one may be behind the other at every look.
  let isLogged = false;

  async function read(): Promise<Position> {
    const stored = await redis.get(key).catch((err: unknown) => {
      if (isOfOtherType(err)) return '';
      throw err;
    });
    if (stored !== null && isXid(stored)) return { xid: stored, id: LAST_ID };
    if (stored !== null && !isLogged) {
      isLogged = true;
      log.warn({ key }, 'the place up to which changes were followed cannot be read');
    }
    return BEGINNING;
  }

  return {
    /** Returns where to go on, at least a minute before the last change with `goesBack`. */
    async find(goesBack: boolean): Promise<Position> {
      found = await read();
      if (!goesBack) return found;
      const before = await findMinuteBefore(db);
      // On a quiet Postgres the last change is of the very transaction that was reached, and comes before its end.
      return BigInt(before.xid) <= BigInt(found.xid) ? before : found;
    },
    /**
     * Of transactions from this one on some may be seen yet. Where Postgres has come less far than what was found, one that was
     * restored or a replica further behind, the place is lost: what had the same numbers may have been something else.
     */
    async moveTo(oldestRunningXid: string): Promise<'moved' | 'stays' | 'lost'> {
      const xid = BigInt(oldestRunningXid) - 1n;
      const isLost = xid < BigInt(found.xid);
      await redis.set(key, isLost ? BEGINNING.xid : String(xid), 'EX', POSITION_TTL_SECONDS);
      if (isLost) {
        const fields = { key, place: found.xid, reached: String(xid) };
        if (!isLogged) log.warn(fields, 'the place up to which changes were followed is ahead of Postgres');
        isLogged = true;
        return 'lost';
      }
      isLogged = false;
      return xid === BigInt(found.xid) ? 'stays' : 'moved';
    },
  };
}

/**
 * Takes or keeps a lease: KEYS[1], ARGV the holder and milliseconds. Returns 1 if it has it. What is no text, or ends never,
 * nobody of ours has put there, and it would be in the way for good.
 */
const TAKE_LEASE = `
local holder = redis.pcall('get', KEYS[1])
local isOurs = type(holder) == 'string' and redis.call('pttl', KEYS[1]) >= 0
if isOurs and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1
`;

/** Returns what tells whether this process is the one, of those with this Redis, that works now. */
function createLease(redis: RedisConnection, key: string) {
  const self = randomUUID();
  return {
    take: async (): Promise<boolean> => (await redis.eval(TAKE_LEASE, 1, key, self, LEASE_MS)) === 1,
  };
}

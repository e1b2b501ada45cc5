import { createClockMap } from './clock-map.js';
import type { Held } from './clock-map.js';
import { COARSE_CLOCK_TICK_MS } from './coarse-clock.js';
import { createLinkFlights } from './link-flights.js';
import type { FillStart, LinkFlightsOptions } from './link-flights.js';
import type { ServedLink } from './served-link.js';

/**
 * An entry lives so long from the moment its fill began, never longer by being used: 30 s (design.md, Change), less what
 * the clock may have been behind then and now.
 */
export const ENTRY_LIFE_MS = 30_000 - 2 * COARSE_CLOCK_TICK_MS;
/** From this age on a visit sets off a fill behind it, so that a busy link never waits for one. */
export const REFRESH_AGE_MS = 25_000;
/** So long is what we knew served when neither Redis nor Postgres answers. */
export const STALE_MAX_MS = 3_600_000;
/** After a failed fill a stale entry is served at once for so long; then the next visits wait for one fill first. */
export const RETRY_AFTER_FAILURE_MS = 1_000;
// Slugs that lead nowhere: enough to absorb a scan, and apart, so that no scan evicts a link.
const ABSENT_ENTRIES_MAX = 20_000;
const ABSENT_BYTES = 120;

export type LinkCacheOptions = {
  readonly resolve: LinkFlightsOptions['resolve'];
  /** Makes a snapshot ready to be served, once for each version that a fill brings. */
  readonly prepare: LinkFlightsOptions['prepare'];
  /** Monotonic milliseconds, COARSE_CLOCK_TICK_MS behind at most. */
  readonly now: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
};

export type LinkCache = {
  /**
   * Returns the link of a slug (by slugKey), null when the slug was never used: at once when that is known here,
   * else a promise. The promise rejects when neither Redis nor Postgres answers and nothing stale is left.
   */
  readonly find: (slugKey: string) => ServedLink | null | Promise<ServedLink | null>;
  /** A change was published: whatever is older than `version` is dropped, kept or on its way. */
  readonly onChange: (slugKey: string, version: number) => void;
  /** Changes may have been missed: every entry is looked up again before it is next served. */
  readonly onGap: () => void;
  readonly counters: Readonly<LinkCacheCounters>;
  readonly gauges: () => { entries: number; bytes: number; absentEntries: number; evictions: number };
};

export type LinkCacheCounters = {
  hits: number;
  absentHits: number;
  misses: number;
  /** Fills behind a visit that had its answer. */
  refreshes: number;
  /** Visits answered at once from an entry past its life, and fills that ended in one. */
  staleServed: number;
  overtakenFills: number;
  failedFills: number;
  /** Fills that brought an older version than the one held, which stays. */
  olderAnswers: number;
  gaps: number;
};

// In one object: what a visit touches of a link that was not asked for lately comes from memory piece by piece.
type Entry = Held &
  FillStart & {
    readonly link: ServedLink | null;
    /** 0, or, after a failed fill, when the next one may be tried. */
    retryAt: number;
  };

/**
 * The links this process knows, ready to serve (L1 of design.md).
 *
 * An entry is *fresh* for ENTRY_LIFE_MS from the start of its fill, unless a gap came since. A fresh entry is served
 * at once. One that is not is looked up again first, by one flight a slug that all its visitors share. When the flight
 * fails the old entry is *stale* and served for up to an hour. A change drops an older entry and makes a flight that it
 * overtakes ask again; an older version never takes the place of a newer one. A failure is never remembered as absence.
 */
export function createLinkCache(options: LinkCacheOptions): LinkCache {
  const { now } = options;
  const shelves = createShelves(options);
  const counters = noCounts();
  const flights = createLinkFlights({
    resolve: options.resolve,
    prepare: options.prepare,
    start: () => ({ at: now(), gaps: counters.gaps }),
    // A version that has been held past its stale time is let go: a Postgres restored from a backup is the truth again.
    held: (slugKey) => shelves.held(slugKey, now())?.link ?? null,
    keep: shelves.keep,
    recover(slugKey, err) {
      counters.failedFills += 1;
      return serveStale(slugKey, err);
    },
    onOlder(slugKey) {
      counters.olderAnswers += 1;
      return serveStale(slugKey, new Error('The link that was held is gone'));
    },
    onOvertaken() {
      counters.overtakenFills += 1;
    },
  });

  function find(slugKey: string): ServedLink | null | Promise<ServedLink | null> {
    const entry = shelves.links.get(slugKey) ?? shelves.absent.get(slugKey);
    if (entry === undefined) return fly(slugKey);
    entry.wasUsed = true;
    const time = now();
    const age = time - entry.at;
    if (age < ENTRY_LIFE_MS && entry.gaps === counters.gaps) {
      if (entry.link === null) counters.absentHits += 1;
      else counters.hits += 1;
      if (age > REFRESH_AGE_MS) refreshBehind(slugKey);
      return entry.link;
    }
    // The last fill failed a moment ago: nobody waits for another one yet.
    if (time < entry.retryAt && age <= STALE_MAX_MS) {
      counters.staleServed += 1;
      return entry.link;
    }
    return fly(slugKey);
  }

  function serveStale(slugKey: string, err: unknown): ServedLink | null {
    const entry = shelves.held(slugKey, now());
    if (entry === undefined) throw err;
    entry.retryAt = now() + RETRY_AFTER_FAILURE_MS;
    counters.staleServed += 1;
    return entry.link;
  }

  function fly(slugKey: string): Promise<ServedLink | null> {
    counters.misses += 1;
    return flights.fly(slugKey);
  }

  function refreshBehind(slugKey: string): void {
    if (flights.isUnderWay(slugKey)) return;
    counters.refreshes += 1;
    // `recover` has counted its failure; the visit that set it off has its answer.
    flights.fly(slugKey).catch(() => undefined);
  }

  return {
    find,
    onChange(slugKey, version) {
      shelves.dropOlder(slugKey, version);
      flights.announce(slugKey, version);
    },
    onGap() {
      counters.gaps += 1;
    },
    counters,
    gauges: shelves.gauges,
  };
}

/** The two places for entries: links, and slugs that lead nowhere. A slug stands in one of them at most. */
function createShelves(options: LinkCacheOptions) {
  const links = createClockMap<Entry>({ entriesMax: options.entriesMax, bytesMax: options.bytesMax });
  const absent = createClockMap<Entry>({
    entriesMax: ABSENT_ENTRIES_MAX,
    bytesMax: ABSENT_ENTRIES_MAX * ABSENT_BYTES,
  });
  return {
    links,
    absent,
    /** Returns the entry of a link that may still be served, stale if need be. */
    held: (slugKey: string, time: number): Entry | undefined => {
      const entry = links.get(slugKey);
      return entry !== undefined && time - entry.at <= STALE_MAX_MS ? entry : undefined;
    },
    keep: (slugKey: string, link: ServedLink | null, start: FillStart): void => {
      const bytes = link === null ? ABSENT_BYTES : link.bytes + slugKey.length;
      (link === null ? links : absent).delete(slugKey);
      (link === null ? absent : links).set(slugKey, {
        link,
        at: start.at,
        gaps: start.gaps,
        retryAt: 0,
        wasUsed: false,
        bytes,
      });
    },
    dropOlder: (slugKey: string, version: number): void => {
      // The slug exists now, whatever was known before.
      absent.delete(slugKey);
      const held = links.get(slugKey)?.link;
      if (held && held.version < version) links.delete(slugKey);
    },
    gauges: () => ({
      entries: links.size(),
      bytes: links.bytes() + absent.bytes(),
      absentEntries: absent.size(),
      evictions: links.evictions(),
    }),
  };
}

function noCounts(): LinkCacheCounters {
  return {
    hits: 0,
    absentHits: 0,
    misses: 0,
    refreshes: 0,
    staleServed: 0,
    overtakenFills: 0,
    failedFills: 0,
    olderAnswers: 0,
    gaps: 0,
  };
}

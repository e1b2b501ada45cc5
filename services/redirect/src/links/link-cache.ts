import { addressKey, inDomain } from '@smartlink/smartlink/model';
import { createClockMap, type Held } from '../bounded-maps.js';
import { createLinkFlights, type FillStart, type LinkFlightsOptions } from './link-flights.js';
import type { ServedLink } from './served-link.js';

/** Maximum lag of the coarse clock, besides that of the event loop. */
const COARSE_CLOCK_TICK_MS = 50;

/**
 * Starts a monotonic clock in milliseconds that moves in ticks: reading the system's takes 50 ns, as long as a visit's
 * whole look-up. The caller stops it.
 */
export function startCoarseClock(): { readonly now: () => number; readonly stop: () => void } {
  let time = performance.now();
  const timer = setInterval(() => {
    time = performance.now();
  }, COARSE_CLOCK_TICK_MS).unref();
  return {
    now: () => time,
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Life of an entry from the start of its fill, never extended by use: 30 s less the clock's lag at both ends. */
export const ENTRY_LIFE_MS = 30_000 - 2 * COARSE_CLOCK_TICK_MS;
/** From this age on a visit triggers a fill behind it, so that a busy link never waits for one. */
export const REFRESH_AGE_MS = 25_000;
/** How long a stale entry is served while neither Redis nor Postgres answers. */
export const STALE_MAX_MS = 3_600_000;
/** How long a stale entry is served at once after a failed fill; then the next visits wait for a fill. */
export const RETRY_AFTER_FAILURE_MS = 1_000;
// Unused slugs: enough to absorb a scan, and separate, so that no scan evicts a link.
const ABSENT_ENTRIES_MAX = 20_000;
const ABSENT_BYTES = 120;

type LinkCacheOptions = {
  readonly resolve: LinkFlightsOptions['resolve'];
  /** Prepares a snapshot, once for each version that a fill brings. */
  readonly prepare: LinkFlightsOptions['prepare'];
  /** Monotonic milliseconds, at most COARSE_CLOCK_TICK_MS behind. */
  readonly now: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
};

export type LinkCache = ReturnType<typeof createLinkCache>;

// One object: a link not used lately is read from memory piece by piece.
type Entry = Held &
  FillStart & {
    readonly link: ServedLink | null;
    /** After a failed fill: time of the next attempt; else 0. */
    retryAt: number;
  };

/**
 * The links this process knows, ready to serve (L1).
 *
 * An entry is *fresh* for ENTRY_LIFE_MS from the start of its fill, unless a gap followed. A fresh entry is served at
 * once; any other is first looked up again, by one flight per slug that all its visitors share. If the flight fails, the
 * old entry is *stale* and served for up to an hour. A change drops an older entry and makes a flight that it overtakes
 * ask again; an older version never replaces a newer one. A failure is never remembered as absence.
 */
export function createLinkCache(options: LinkCacheOptions) {
  const { now } = options;
  const shelves = createShelves(options);
  const counters = createCacheCounters();
  const flights = createLinkFlights({
    resolve: options.resolve,
    prepare: options.prepare,
    start: () => ({ at: now(), gaps: counters.gaps }),
    // A version held beyond its stale time is dropped: Postgres, restored from a backup, is the truth again.
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
    // The last fill failed a moment ago: no visit waits for another yet.
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
    // `recover` has counted the failure, and the visit has its answer.
    flights.fly(slugKey).catch(() => undefined);
  }

  return {
    /**
     * The link of a slugKey, null if the slug was never used: at once when known here, else a promise, which rejects when
     * neither Redis nor Postgres answers and nothing stale is left.
     */
    find,
    /** A change was published: drops older versions, held or in flight. */
    onChange: (slugKey: string, version: number) => {
      shelves.dropOlder(slugKey, version);
      flights.announce(slugKey, version);
    },
    /** Changes may have been missed: every entry is looked up again before its next use. */
    onGap: () => {
      counters.gaps += 1;
    },
    counters,
    gauges: shelves.gauges,
  };
}

/**
 * The link at an address as typed, in a domain or, with null, at the instance's own host. An imported address that differs from a slug only in case comes first, but not below
 * `/q/`: QR codes are in upper case.
 */
export function findByAddress(
  links: Pick<LinkCache, 'find'>,
  address: string,
  isScan: boolean,
  domainNumber: number | null,
): ServedLink | null | Promise<ServedLink | null> {
  const found = links.find(inDomain(addressKey(address), domainNumber));
  if (found instanceof Promise) return found.then((link) => preferExact(links, link, address, isScan));
  return preferExact(links, found, address, isScan);
}

function preferExact(
  links: Pick<LinkCache, 'find'>,
  link: ServedLink | null,
  address: string,
  isScan: boolean,
): ServedLink | null | Promise<ServedLink | null> {
  if (link === null || !link.isConditional || link.exact === null || isScan) return link;
  const key = Object.hasOwn(link.exact, address) ? link.exact[address] : undefined;
  return key === undefined ? link : links.find(key);
}

/** Links and unused slugs; a slug is in at most one of the two. */
function createShelves(options: LinkCacheOptions) {
  const links = createClockMap<Entry>({ entriesMax: options.entriesMax, bytesMax: options.bytesMax });
  const absent = createClockMap<Entry>({
    entriesMax: ABSENT_ENTRIES_MAX,
    bytesMax: ABSENT_ENTRIES_MAX * ABSENT_BYTES,
  });
  return {
    links,
    absent,
    /** A link's entry that may be served, even if stale. */
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
      // The slug exists now.
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

export function createCacheCounters() {
  return {
    hits: 0,
    absentHits: 0,
    misses: 0,
    /** Fills behind a visit that was already answered. */
    refreshes: 0,
    /** Visits answered at once from an entry past its life, and fills that ended in one. */
    staleServed: 0,
    overtakenFills: 0,
    failedFills: 0,
    /** Fills that brought an older version than the one held, which stays. */
    olderAnswers: 0,
    gaps: 0,
  };
}

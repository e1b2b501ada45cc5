import type { Resolution } from '@smartlink/link-resolver/link-resolver';
import { compileLink } from '@smartlink/visit-routing/decide';
import type { CompiledLink } from '@smartlink/visit-routing/decide';
import { createClockMap } from './clock-map.js';
import type { Held } from './clock-map.js';

/** An entry lives so long from the moment its fill began, never longer by being used (design.md, Change). */
export const ENTRY_LIFE_MS = 30_000;
/** From this age on a visit sets off a fill in the background, so that a busy link never waits for one. */
const REFRESH_AGE_MS = 25_000;
/** So long is what we knew served when neither Redis nor Postgres answers. */
export const STALE_MAX_MS = 3_600_000;
/** After a failed fill a stale entry is served at once for so long, and one fill tries again behind it. */
const RETRY_AFTER_FAILURE_MS = 1_000;
/** How often a fill that a change has overtaken is done again before its visitor gets what it found. */
const FILLS_MAX = 3;
// Slugs that lead nowhere: enough to absorb a scan, and apart, so that no scan evicts a link.
const ABSENT_ENTRIES_MAX = 20_000;
const ABSENT_BYTES = 120;

export type LinkCacheOptions = {
  /** Looks a slug up beyond this process; rejects when nobody can say. What is older than `minVersion` is no answer. */
  readonly resolve: (slugKey: string, minVersion: number) => Promise<Resolution>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
};

export type LinkCache = {
  /**
   * Returns the link of a slug (by slugKey), null when the slug was never used: at once when that is known here,
   * else a promise. The promise rejects when neither Redis nor Postgres answers and nothing stale is left.
   */
  readonly find: (slugKey: string) => CompiledLink | null | Promise<CompiledLink | null>;
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
  refreshes: number;
  staleServed: number;
  overtakenFills: number;
  failedFills: number;
  gaps: number;
};

type Entry = Held & {
  readonly link: CompiledLink | null;
  /** When the fill that brought it began. */
  readonly filledAt: number;
  /** The count of gaps at that moment. */
  readonly gapsSeen: number;
  /** Until then a stale entry is served without asking again. */
  retryAt: number;
};

type Flight = {
  promise: Promise<CompiledLink | null>;
  /** The newest version that was announced while it lasted; 0 when none was. */
  announced: number;
};

/**
 * The links this process knows, ready to serve (L1 of design.md).
 *
 * An entry is *fresh* for ENTRY_LIFE_MS from the start of its fill, unless a gap came since. A fresh entry is served
 * at once. One that is not is looked up again first, by one flight a slug that all its visitors share. When the flight
 * fails the old entry is *stale* and served for up to an hour. A change drops an older entry; a flight that it
 * overtakes asks again for at least that version, FILLS_MAX times at most, and what it then found is served and not
 * kept. A failure is never remembered as absence.
 */
export function createLinkCache(options: LinkCacheOptions): LinkCache {
  const { resolve, now } = options;
  const links = createClockMap<Entry>({ entriesMax: options.entriesMax, bytesMax: options.bytesMax });
  const absent = createClockMap<Entry>({
    entriesMax: ABSENT_ENTRIES_MAX,
    bytesMax: ABSENT_ENTRIES_MAX * ABSENT_BYTES,
  });
  const flights = new Map<string, Flight>();
  const counters: LinkCacheCounters = {
    hits: 0,
    absentHits: 0,
    misses: 0,
    refreshes: 0,
    staleServed: 0,
    overtakenFills: 0,
    failedFills: 0,
    gaps: 0,
  };

  function find(slugKey: string): CompiledLink | null | Promise<CompiledLink | null> {
    const entry = links.get(slugKey) ?? absent.get(slugKey);
    if (entry === undefined) {
      counters.misses += 1;
      return fill(slugKey);
    }
    entry.wasUsed = true;
    const time = now();
    const age = time - entry.filledAt;
    if (age < ENTRY_LIFE_MS && entry.gapsSeen === counters.gaps) {
      if (entry.link === null) counters.absentHits += 1;
      else counters.hits += 1;
      if (age > REFRESH_AGE_MS) refreshBehind(slugKey);
      return entry.link;
    }
    if (entry.link === null) {
      absent.delete(slugKey);
      counters.misses += 1;
      return fill(slugKey);
    }
    return findStale(slugKey, entry, time);
  }

  function findStale(slugKey: string, entry: Entry, time: number) {
    if (time - entry.filledAt > STALE_MAX_MS) {
      links.delete(slugKey);
    } else if (entry.retryAt > 0) {
      // The last fill failed: nobody waits for the next one, which goes off behind this visit when it is due.
      if (time >= entry.retryAt) refreshBehind(slugKey);
      counters.staleServed += 1;
      return entry.link;
    }
    counters.misses += 1;
    return fill(slugKey);
  }

  function refreshBehind(slugKey: string): void {
    if (flights.has(slugKey)) return;
    counters.refreshes += 1;
    // Its failure is counted in the flight; this visit has its answer.
    fill(slugKey).catch(() => undefined);
  }

  function fill(slugKey: string): Promise<CompiledLink | null> {
    const known = flights.get(slugKey);
    if (known !== undefined) return known.promise;
    const flight: Flight = { promise: Promise.resolve(null), announced: 0 };
    flights.set(slugKey, flight);
    flight.promise = fly(slugKey, flight).finally(() => {
      flights.delete(slugKey);
    });
    return flight.promise;
  }

  async function fly(slugKey: string, flight: Flight): Promise<CompiledLink | null> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const filledAt = now();
        const gapsSeen = counters.gaps;
        // What Redis holds may be older than what we hold, after it was restored from its disk say.
        const known = links.get(slugKey)?.link?.version ?? 0;
        const { snapshot } = await resolve(slugKey, Math.max(flight.announced, known));
        const link = snapshot === null ? null : compileLink(snapshot);
        if ((link?.version ?? 0) >= flight.announced) {
          keep(slugKey, {
            link,
            filledAt,
            gapsSeen,
            retryAt: 0,
            wasUsed: false,
            bytes: entryBytes(slugKey, link),
          });
          return link;
        }
        counters.overtakenFills += 1;
        if (attempt === FILLS_MAX) return link;
      }
    } catch (err) {
      counters.failedFills += 1;
      return serveStale(slugKey, err);
    }
  }

  function keep(slugKey: string, entry: Entry): void {
    // A slug stands in one of the two, or a 404 could hide behind a link.
    (entry.link === null ? links : absent).delete(slugKey);
    (entry.link === null ? absent : links).set(slugKey, entry);
  }

  function serveStale(slugKey: string, err: unknown): CompiledLink | null {
    const entry = links.get(slugKey);
    if (entry === undefined || now() - entry.filledAt > STALE_MAX_MS) throw err;
    entry.retryAt = now() + RETRY_AFTER_FAILURE_MS;
    counters.staleServed += 1;
    return entry.link;
  }

  function onChange(slugKey: string, version: number): void {
    const entry = links.get(slugKey);
    if (entry?.link && entry.link.version < version) links.delete(slugKey);
    // The slug exists now, whatever was known before.
    absent.delete(slugKey);
    const flight = flights.get(slugKey);
    if (flight === undefined) return;
    flight.announced = Math.max(flight.announced, version);
  }

  return {
    find,
    onChange,
    onGap() {
      counters.gaps += 1;
    },
    counters,
    gauges: () => ({
      entries: links.size(),
      bytes: links.bytes() + absent.bytes(),
      absentEntries: absent.size(),
      evictions: links.evictions(),
    }),
  };
}

function entryBytes(slugKey: string, link: CompiledLink | null): number {
  return link === null ? ABSENT_BYTES : link.bytes + slugKey.length;
}

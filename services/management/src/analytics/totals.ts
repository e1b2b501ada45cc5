import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { createBreaker, type Queryable } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { findTotals, NO_TOTALS, type RollupStateReader, type Totals } from '@smartlink/visits/analytics';

/** A smartlink with its last known totals; null if never read. */
type Counted = { readonly id: string; readonly known_totals: Totals | null };

export type TotalsReader = {
  /** Totals of an owner's smartlinks by id. Never rejects. */
  readonly read: (ownerId: string, smartlinks: readonly Counted[]) => Promise<ReadonlyMap<string, Totals>>;
};

// A list must not wait for totals: after a second it shows the last known ones.
const TOTALS_LIMIT_MS = 1_000;
const FAILURES_MAX = 3;
const PAUSE_MS = 2_000;
// The request holds at most this many ids; above it the owner's totals are all read.
export const TOTALS_IDS_MAX = 500;

/** Reads totals from ClickHouse, or the last known ones from Postgres while it does not answer. */
export function createTotalsReader(deps: {
  clickhouse: ClickHouseClient;
  pg: Queryable;
  readState: RollupStateReader;
  log: Logger;
}): TotalsReader {
  const { clickhouse, pg, readState, log } = deps;
  const breaker = createBreaker({
    failuresMax: FAILURES_MAX,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });

  async function queryTotals(
    ownerId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Totals> | null> {
    // The probe is a read like any other, with the same time limit.
    if (!breaker.allows() && !breaker.takesProbe()) return null;
    try {
      const leftMs = startLimit(TOTALS_LIMIT_MS);
      const state = await readState(leftMs());
      const which = { ownerId, ids: ids.length <= TOTALS_IDS_MAX ? ids : null };
      const found = await findTotals(clickhouse, state, which, leftMs());
      breaker.succeeded();
      return found;
    } catch {
      breaker.failed();
      return null;
    }
  }

  return {
    async read(ownerId, smartlinks) {
      if (smartlinks.length === 0) return new Map();
      const found = await queryTotals(
        ownerId,
        smartlinks.map(({ id }) => id),
      );
      if (found === null) {
        return new Map(smartlinks.map(({ id, known_totals }) => [id, known_totals ?? NO_TOTALS]));
      }
      const totals = new Map(smartlinks.map(({ id }) => [id, found.get(id) ?? NO_TOTALS]));
      const changed = smartlinks.filter(({ id, known_totals }) => {
        const now = totals.get(id) ?? NO_TOTALS;
        return known_totals === null ? now !== NO_TOTALS : !isSame(now, known_totals);
      });
      // Not awaited: a failure only leaves older totals for the next outage.
      saveTotals(
        pg,
        changed.map(({ id }) => ({ id, ...(totals.get(id) ?? NO_TOTALS) })),
      ).catch((err: unknown) => {
        log.warn({ err }, 'totals could not be saved');
      });
      return totals;
    },
  };
}

function isSame(a: Totals, b: Totals): boolean {
  return a.clicks === b.clicks && a.scans === b.scans && a.fallbacks === b.fallbacks;
}

/** The ms left of `limitMs` at each call, at least 1. */
export function startLimit(limitMs: number): () => number {
  const endsAt = performance.now() + limitMs;
  return () => Math.max(1, Math.ceil(endsAt - performance.now()));
}

// About 150 bytes each.
const KEPT_MAX = 50_000;

type Kept = { readonly totals: Totals; readonly until: number };

/**
 * Caches totals for `ageMaxMs`, 0 for no cache: a query costs ClickHouse some milliseconds, and busy clients read the same
 * links repeatedly. `now` is in milliseconds.
 */
export function keepTotals(
  reader: TotalsReader,
  { ageMaxMs, now }: { readonly ageMaxMs: number; readonly now: () => number },
): TotalsReader {
  const kept = new LRUCache<string, Kept>({ max: KEPT_MAX });
  return {
    async read(ownerId, smartlinks) {
      const time = now();
      const fresh = new Map<string, Totals>();
      for (const { id } of smartlinks) {
        const known = kept.get(id);
        if (known !== undefined && known.until > time) fresh.set(id, known.totals);
      }
      const missing = smartlinks.filter(({ id }) => !fresh.has(id));
      if (missing.length === 0) return fresh;
      const found = await reader.read(ownerId, missing);
      // The age counts from before the query, so that no figure is older than allowed.
      for (const [id, totals] of found) kept.set(id, { totals, until: time + ageMaxMs });
      return new Map([...fresh, ...found]);
    },
  };
}

// One statement for all. The join skips smartlinks erased since they were read.
const SAVE_TOTALS = `
insert into smartlink_totals (smartlink_id, clicks, scans, fallbacks)
select totals.id, totals.clicks, totals.scans, totals.fallbacks
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) as totals (id, clicks, scans, fallbacks)
join smartlinks on smartlinks.id = totals.id
order by totals.id
on conflict (smartlink_id) do update
  set clicks = excluded.clicks, scans = excluded.scans, fallbacks = excluded.fallbacks, updated_at = now()
  where (smartlink_totals.clicks, smartlink_totals.scans, smartlink_totals.fallbacks)
        is distinct from (excluded.clicks, excluded.scans, excluded.fallbacks)`;

/** Stores the last known totals, which lists show while ClickHouse does not answer. */
export async function saveTotals(
  db: Queryable,
  totals: readonly { id: string; clicks: number; scans: number; fallbacks: number }[],
): Promise<void> {
  if (totals.length === 0) return;
  await db.query(SAVE_TOTALS, [
    totals.map((row) => row.id),
    totals.map((row) => row.clicks),
    totals.map((row) => row.scans),
    totals.map((row) => row.fallbacks),
  ]);
}

import type { ClickHouseClient } from '@clickhouse/client';
import { createBreaker } from '@smartlink/link-resolver/breaker';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { Logger } from '@smartlink/process/logger';
import type { RollupStateReader } from '@smartlink/visit-analytics/rollup-state';
import { NO_TOTALS, findTotals } from '@smartlink/visit-analytics/totals';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { startLimit } from './availability.js';
import { saveTotals } from './queries.js';

/** A smartlink, and its totals when they were last read; null: never. */
export type Counted = { readonly id: string; readonly known_totals: Totals | null };

export type TotalsReader = {
  /** Returns the totals of some of an owner's smartlinks, by id; never rejects. */
  readonly read: (ownerId: string, smartlinks: readonly Counted[]) => Promise<ReadonlyMap<string, Totals>>;
};

// A list must not wait for figures: after a second it shows the last known ones (decisions.md, Analytics).
const TOTALS_LIMIT_MS = 1_000;
const FAILURES_MAX = 3;
const PAUSE_MS = 2_000;
// Up to so many ids travel in the request; for more the owner's whole set is read.
const IDS_MAX = 100;

/** Returns a reader of totals: ClickHouse's, and the last known ones from Postgres while it does not answer. */
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

  async function ask(ownerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Totals> | null> {
    // The probe is a read like any other: it waits for a second at the most.
    if (!breaker.allows() && !breaker.takesProbe()) return null;
    try {
      const leftMs = startLimit(TOTALS_LIMIT_MS);
      const state = await readState(leftMs());
      const which = { ownerId, ids: ids.length <= IDS_MAX ? ids : null };
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
      const found = await ask(
        ownerId,
        smartlinks.map(({ id }) => id),
      );
      if (found === null)
        return new Map(smartlinks.map(({ id, known_totals }) => [id, known_totals ?? NO_TOTALS]));
      const totals = new Map(smartlinks.map(({ id }) => [id, found.get(id) ?? NO_TOTALS]));
      const changed = smartlinks.filter(({ id, known_totals }) => {
        const now = totals.get(id) ?? NO_TOTALS;
        return known_totals === null ? now !== NO_TOTALS : !isSame(now, known_totals);
      });
      // Not awaited: the answer does not depend on it, and a failure only leaves older figures for a bad day.
      saveTotals(
        pg,
        changed.map(({ id }) => ({ id, ...(totals.get(id) ?? NO_TOTALS) })),
      ).catch((err: unknown) => {
        log.warn({ err }, 'the last known totals could not be saved');
      });
      return totals;
    },
  };
}

function isSame(a: Totals, b: Totals): boolean {
  return a.clicks === b.clicks && a.scans === b.scans && a.fallbacks === b.fallbacks;
}

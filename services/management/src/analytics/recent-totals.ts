import type { Totals } from '@smartlink/visit-analytics/totals';
import type { TotalsReader } from './totals-reader.js';

// Some 150 bytes each. When the limit is reached everything is dropped, and asked for again.
const KEPT_MAX = 50_000;

type Kept = { readonly totals: Totals; readonly until: number };

/**
 * Returns `reader` with totals kept for `ageMaxMs`, 0 for not at all: a question costs the engine some milliseconds, and a
 * busy client asks for the same links again and again. `now` is in milliseconds.
 */
export function keepTotals(
  reader: TotalsReader,
  { ageMaxMs, now }: { readonly ageMaxMs: number; readonly now: () => number },
): TotalsReader {
  const kept = new Map<string, Kept>();
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
      if (kept.size + found.size > KEPT_MAX) kept.clear();
      // Counted from when it was asked, so that no figure is older than it may be.
      for (const [id, totals] of found) kept.set(id, { totals, until: time + ageMaxMs });
      return new Map([...fresh, ...found]);
    },
  };
}

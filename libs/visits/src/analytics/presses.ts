import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './clickhouse.js';
import { IS_PRESS } from './figures.js';
import { type RollupState, shareOut } from './rollup-state.js';
import {
  allOf,
  availableFrom,
  type Days,
  hasFilters,
  isSelected,
  isWithinDates,
  isWithinDays,
  passesFilters,
  type Selection,
  type VisitFilters,
} from './selection.js';

// A page has some hundred buttons; former versions had others.
const BUTTONS_MAX = 10_000;

export type Presses = {
  /** Most presses first, then by button. */
  readonly buttons: readonly { readonly button: string; readonly presses: number }[];
  /** See availableFrom. */
  readonly availableFrom: string | null;
};

/**
 * Counts presses of a smartlink's buttons within days: from cells for UTC days without filters, otherwise from `events`, as far
 * back as those are kept. Rejects after `limitMs`.
 */
export async function countPresses(
  clickhouse: ClickHouseClient,
  state: RollupState,
  request: Days & { readonly selection: Selection; readonly filters: VisitFilters },
  limitMs: number,
): Promise<Presses> {
  const selected = isSelected(request.selection);
  const isInCells = request.timeZone === 'UTC' && !hasFilters(request.filters);
  const shares = isInCells
    ? shareOut(state, request.selection.ownerId)
    : { rolledUp: 'false', raw: 'true', params: {} };
  const inCells = { sql: shares.rolledUp, params: shares.params };
  const raw = { sql: `${shares.raw} and ${IS_PRESS}`, params: shares.params };
  const cells = allOf(selected, isWithinDates(request), inCells);
  const events = allOf(selected, isWithinDays(request, state), passesFilters(request.filters), raw);
  const query = `
select button, sum(n) as presses
from (
  select pair.1 as button, pair.2 as n
  from (
    select arrayJoin(CAST(presses, 'Array(Tuple(String, UInt64))')) as pair from visits_daily final where ${cells.sql}
  )
  union all
  select toString(button) as button, toUInt64(1) as n from events final where ${events.sql}
)
group by button
order by presses desc, button
limit ${BUTTONS_MAX}`;
  const params = { ...cells.params, ...events.params };
  const buttons = await selectRows<Presses['buttons'][number]>(clickhouse, query, params, limitMs);
  return { buttons, availableFrom: isInCells ? null : availableFrom(request, state) };
}

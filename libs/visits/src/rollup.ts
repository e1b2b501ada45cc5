export { carryTotals } from './analytics/carry-totals.js';
export type { CarriedTotals } from './analytics/carry-totals.js';
export { ALL_DAYS, countRememberedVisits, forgetVisits } from './analytics/forget-visits.js';
export type { RememberedVisits, VisitScope } from './analytics/forget-visits.js';
export {
  FORGOTTEN_HOURS,
  findForgotten,
  isOneOf,
  noteForgotten,
  whoseOf,
} from './analytics/forgotten-visits.js';
export { findLocalTables } from './analytics/clickhouse.js';
export type { VisitTable } from './analytics/clickhouse.js';
export { rollUp } from './analytics/roll-up.js';
export { measureRollup } from './analytics/rollup-state.js';
export { withRollupLock } from './analytics/rollup-progress.js';
export type { HoldsLock } from './analytics/rollup-progress.js';
export type { RollupStep } from './analytics/rollup-progress.js';
export { STATEMENT_MS_MAX } from './analytics/clickhouse.js';
export { countVisitedLinks, findTotalsOf, findVisitedLinks, VISITED_LINKS_MAX } from './analytics/totals.js';
export type { VisitedLink } from './analytics/totals.js';

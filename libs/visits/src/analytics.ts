export {
  INTERVALS,
  addDays,
  findTimeZone,
  hourLabelOf,
  isDate,
  labelOf,
  labelsBetween,
} from './analytics/calendar.js';
export type { Interval } from './analytics/calendar.js';
export { NO_FIGURES, addFigures } from './analytics/figures.js';
export type { Entry, Figures } from './analytics/figures.js';
export { findRecentVisits } from './analytics/series.js';
export type { RecentVisit, VisitCursor } from './analytics/series.js';
export { createRollupStateReader, readRollupState } from './analytics/rollup-state.js';
export type { RollupState, RollupStateReader } from './analytics/rollup-state.js';
export { selectRows } from './analytics/clickhouse.js';
export { ENTRIES_MAX, findSeries } from './analytics/series.js';
export type { Series, SeriesRequest } from './analytics/series.js';
export { NO_TOTALS, findTotals } from './analytics/series.js';
export type { Totals } from './analytics/series.js';
export { countBySmartlink, findBreakdown } from './analytics/breakdown.js';
export type { BreakdownRow, CountsBySmartlink, Dimension, VisitCounts } from './analytics/breakdown.js';
export { findRealtime } from './analytics/realtime.js';
export type { Realtime } from './analytics/realtime.js';
export { availableFrom, hasFilters } from './analytics/selection.js';
export type { Days, Selection, VisitFilters } from './analytics/selection.js';
export { findSeriesOfMany } from './analytics/series-of-many.js';
export type { ManySeries } from './analytics/series-of-many.js';
export { findAccountTotals } from './analytics/totals.js';

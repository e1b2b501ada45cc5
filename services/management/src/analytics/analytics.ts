// The front file of the feature: what the rest of the service may use.
export { keepTotals } from './recent-totals.js';
export { startRollups } from './rollups.js';
export type { RollupObserver } from './rollups.js';
export { FALLBACKS } from './response-schemas.js';
export { createTotalsReader } from './totals-reader.js';
export type { TotalsReader } from './totals-reader.js';

// The front file of the feature: what the rest of the service may use.
export type { Totals } from './event-queries.js';
export { keepTotals } from './recent-totals.js';
export { FALLBACKS } from './response-schemas.js';
export { NO_TOTALS, createTotalsReader } from './totals-reader.js';
export type { TotalsReader } from './totals-reader.js';

import type { Answer } from './answers.js';
import type { Call } from './call.js';
import type {
  Analytics,
  AnalyticsCounts,
  Breakdown,
  Presses,
  Query,
  Realtime,
  SmartlinkAnalytics,
  SmartlinkCounts,
  Summary,
} from './operation-types.js';
import type { Form } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type AnalyticsQuery = Omit<Query<'readAnalytics'>, 'id' | 'format' | 'fields'>;
export type AccountAnalyticsQuery = Omit<Query<'readAccountAnalytics'>, 'format' | 'fields'>;
export type BreakdownQuery = Omit<Query<'readBreakdown'>, 'by' | 'format'>;
export type PressesQuery = Omit<BreakdownQuery, 'id' | 'fill'>;
export type RealtimeQuery = Query<'readRealtime'>;
type Dimension = Exclude<NonNullable<Query<'readBreakdown'>['by']>, 'button'>;

const CSV: Form<string> = { read: 'text', mediaType: 'text/csv' };

/** The calls of analytics. Several values of a parameter have commas between them. */
export function analyticsMethods(call: Call) {
  return {
    /** The visits of a smartlink: totals over all time, and entries by day or `interval`. */
    get: async (
      id: string,
      query?: AnalyticsQuery,
      options?: CallOptions,
    ): Promise<Answer<SmartlinkAnalytics>> => {
      const answer = await call('readAnalytics', { query: { ...query, id } }, options);
      // Without `fields` all of them are answered.
      return answer as Answer<SmartlinkAnalytics>;
    },

    /** Clicks, scans and fallbacks alone. */
    counts: async (
      id: string,
      query?: AnalyticsQuery,
      options?: CallOptions,
    ): Promise<Answer<SmartlinkCounts>> =>
      call('readAnalytics', { query: { ...query, id, fields: 'counts' } }, options),

    /** The same entries as CSV. */
    csv: (id: string, query?: AnalyticsQuery, options?: CallOptions): Promise<Answer<string>> =>
      call('readAnalytics', { query: { ...query, id, format: 'csv' } }, options, CSV),

    /** The visits of all smartlinks, or of those that the filters choose: totals and entries of the range. */
    ofAccount: async (query?: AccountAnalyticsQuery, options?: CallOptions): Promise<Answer<Analytics>> => {
      const answer = await call('readAccountAnalytics', { query: { ...query } }, options);
      // Without `fields` all of them are answered.
      return answer as Answer<Analytics>;
    },

    /** The same entries as CSV. */
    csvOfAccount: (query?: AccountAnalyticsQuery, options?: CallOptions): Promise<Answer<string>> =>
      call('readAccountAnalytics', { query: { ...query, format: 'csv' } }, options, CSV),

    /** Clicks, scans and fallbacks alone. */
    countsOfAccount: async (
      query?: AccountAnalyticsQuery,
      options?: CallOptions,
    ): Promise<Answer<AnalyticsCounts>> =>
      call('readAccountAnalytics', { query: { ...query, fields: 'counts' } }, options),

    /** Visits by the values of a dimension, the most first. */
    breakdown: async (
      by: Dimension,
      query?: BreakdownQuery,
      options?: CallOptions,
    ): Promise<Answer<Breakdown>> => {
      const answer = await call('readBreakdown', { query: { ...query, by } }, options);
      return answer as Answer<Breakdown>;
    },

    /** The same rows as CSV. */
    breakdownCsv: (by: Dimension, query?: BreakdownQuery, options?: CallOptions): Promise<Answer<string>> =>
      call('readBreakdown', { query: { ...query, by, format: 'csv' } }, options, CSV),

    /** Presses of the buttons of a smartlink's page, the most first. */
    presses: async (id: string, query?: PressesQuery, options?: CallOptions): Promise<Answer<Presses>> => {
      const answer = await call('readBreakdown', { query: { ...query, by: 'button', id } }, options);
      return answer as Answer<Presses>;
    },

    /** The same rows as CSV. */
    pressesCsv: (id: string, query?: PressesQuery, options?: CallOptions): Promise<Answer<string>> =>
      call('readBreakdown', { query: { ...query, by: 'button', id, format: 'csv' } }, options, CSV),

    /** The last 30 whole minutes and the present one. */
    realtime: (query?: RealtimeQuery, options?: CallOptions): Promise<Answer<Realtime>> =>
      call('readRealtime', { query: { ...query } }, options),

    /** The totals of all Active and Paused smartlinks, and the newest visits. */
    summary: (options?: CallOptions): Promise<Answer<Summary>> => call('readSummary', {}, options),
  };
}

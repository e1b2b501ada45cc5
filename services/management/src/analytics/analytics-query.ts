import { INTERVALS, addDays, findTimeZone, hourLabelOf, isDate } from '@smartlink/visit-analytics/calendar';
import type { Interval } from '@smartlink/visit-analytics/calendar';
import { z } from 'zod';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { textField } from '../query-fields.js';
import { smartlinkIdSchema } from '../smartlink-id.js';

const date = textField().refine(isDate, 'Must be a date as YYYY-MM-DD, from 1970 to 2199').optional();

/** The query of GET /smartlink/analytics. */
export const analyticsQuerySchema = z.object({
  id: smartlinkIdSchema,
  from: date.meta({ description: 'First day, in `tz`; included.', format: 'date' }),
  to: date.meta({ description: 'Last day, in `tz`; included.', format: 'date' }),
  tz: textField()
    .transform((name, context) => {
      const timeZone = findTimeZone(name);
      if (timeZone !== null) return timeZone;
      context.addIssue({ code: 'custom', message: 'Must be an IANA time zone' });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: 'IANA time zone in which days begin, such as `Asia/Baku`; UTC if not given.',
    }),
  interval: z
    .enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}`)
    .optional()
    .meta({ description: 'Span of one entry; `day` if not given.' }),
  fill: z
    .literal('zero', 'Must be "zero"')
    .optional()
    .meta({ description: 'Entries for spans without visits too, at most 10,000.' }),
  format: z
    .enum(['json', 'csv'], 'Must be json or csv')
    .optional()
    .meta({ description: 'Form of the answer; `json` if not given.' }),
});

export type AnalyticsQuery = z.output<typeof analyticsQuerySchema>;

/** What is asked for, with defaults filled in. */
export type Range = {
  /** YYYY-MM-DD in timeZone; null is open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string;
  readonly interval: Interval;
  /** The label of the present hour. */
  readonly nowLabel: string;
};

/** Throws VALIDATION_FAILED when the range ends before it begins. */
export function requireOrder(query: AnalyticsQuery): void {
  if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
    throw fault('from', 'Must not be after to');
  }
}

/** Returns the range of a query within what the plan allows. Throws PLAN_RESTRICTED (decisions.md, Keys, users, plans). */
export function planRange(query: AnalyticsQuery, plan: Principal['plan'], nowMs: number): Range {
  const timeZone = query.tz ?? 'UTC';
  const nowLabel = hourLabelOf(nowMs, timeZone);
  const daysMax = plan.analyticsDaysMax;
  const today = nowLabel.slice(0, 10);
  const isRestricted =
    (!plan.advancedAllowed && (query.interval === 'hour' || query.format === 'csv')) ||
    (daysMax !== null && query.from !== undefined && query.from < addDays(today, -daysMax));
  if (isRestricted) throw new ApiError('PLAN_RESTRICTED');
  return {
    from: query.from ?? (daysMax === null ? null : addDays(today, 1 - daysMax)),
    to: query.to ?? null,
    timeZone,
    interval: query.interval ?? 'day',
    nowLabel,
  };
}

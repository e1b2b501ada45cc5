import { z } from 'zod';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { addDays, findTimeZone, hourLabelOf, type Interval, INTERVALS } from '@smartlink/visits/analytics';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { timestamp } from '../operation.js';
import { dateField, smartlinkIdSchema, textField } from '../requests.js';

const date = dateField();

/** The query of GET /smartlink/analytics. */
export const analyticsQuerySchema = z.object({
  id: smartlinkIdSchema,
  from: date.meta({ description: 'First day, inclusive, in `tz`.', format: 'date' }),
  to: date.meta({ description: 'Last day, inclusive, in `tz`.', format: 'date' }),
  tz: textField()
    .transform((name, context) => {
      const timeZone = findTimeZone(name);
      if (timeZone !== null) return timeZone;
      context.addIssue({ code: 'custom', message: 'Must be an IANA time zone' });
      return z.NEVER;
    })
    .optional()
    .meta({ description: 'IANA time zone of the days, such as `Asia/Baku`; UTC by default.' }),
  interval: z
    .enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}`)
    .optional()
    .meta({ description: 'Time span of an entry; `day` by default.' }),
  fill: z
    .literal('zero', 'Must be "zero"')
    .optional()
    .meta({ description: 'Also return entries for spans without visits; at most 10,000 entries.' }),
  format: z
    .enum(['json', 'csv'], 'Must be json or csv')
    .optional()
    .meta({ description: 'Format of the answer; `json` by default.' }),
});

export type AnalyticsQuery = z.output<typeof analyticsQuerySchema>;

/** The requested range, with defaults filled in. */
export type Range = {
  /** YYYY-MM-DD in timeZone; null for an open range. */
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string;
  readonly interval: Interval;
  /** Label of the current hour. */
  readonly nowLabel: string;
};

/** Throws VALIDATION_FAILED when the range ends before it begins. */
export function requireOrder(query: AnalyticsQuery): void {
  if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
    throw fault('from', 'Must not be after to');
  }
}

/** Limits a query to the plan. Throws PLAN_RESTRICTED. */
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

const count = () => z.int().min(0);

const countsBy = (description: string, example: Readonly<Record<string, number>>) =>
  z.record(z.string(), count()).meta({ description, example });

const extras = () => ({
  uniqueVisitors: count().meta({
    description:
      'Distinct visitors per UTC day; for a longer span, the sum of its days. Visitors with `Sec-GPC: 1` or `DNT: 1` are ' +
      'not included.',
  }),
  referrers: countsBy('Visits by referring host; `direct` without one, `other` for the rest.', {
    direct: 3,
    'example.net': 2,
  }),
  operatingSystems: countsBy('Visits by operating system; `other` if unknown.', {
    Android: 3,
    iOS: 2,
  }),
  excluded: countsBy('Visits not counted, by reason.', { bot: 4 }),
  languages: countsBy(
    'Visits by the first language of the browser; those without one are left out, `other` is the rest. Absent when empty, ' +
      'as are the maps below.',
    { az: 3, 'en-US': 1 },
  ).optional(),
  utmSources: countsBy('Visits by `utm_source`, like `languages`.', { newsletter: 2 }).optional(),
  utmMediums: countsBy('Visits by `utm_medium`, like `languages`.', { email: 2 }).optional(),
  utmCampaigns: countsBy('Visits by `utm_campaign`, like `languages`.', { spring: 2 }).optional(),
  domains: countsBy(
    'Visits by custom host; `default` is the own host of the instance. Absent if all came by that.',
    {
      default: 3,
      'go.example.com': 2,
    },
  ).optional(),
});

export const FALLBACKS =
  'Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores.';

export function analyticsSchema() {
  const entry = z
    .strictObject({
      date: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:00)?$/)
        .meta({
          description:
            'Start of the span: `YYYY-MM-DD` for a day, the Monday of a week or the first of a month; `YYYY-MM-DDTHH:00` for an hour.',
          example: '2026-03-10',
        }),
      clicks: count(),
      qrScans: count(),
      fallbacks: count().meta({ description: FALLBACKS }),
      countries: countsBy('Clicks and scans by country code; `XX` if unknown.', { AZ: 4, XX: 1 }),
      devices: countsBy(
        'Clicks and scans by device class: mobile, tablet, desktop, tv, wearable, console, other.',
        { mobile: 4, desktop: 1 },
      ),
      browsers: countsBy('Clicks and scans by browser; `other` if unknown.', { Chrome: 3, Safari: 2 }),
      ...extras(),
    })
    .meta({ id: 'AnalyticsEntry' });
  return z
    .strictObject({
      smartlinkId: z.string(),
      smartlinkName: z.string(),
      totalClicks: count(),
      totalQrCodeScans: count(),
      totalFallBack: count().meta({ description: FALLBACKS }),
      ...extras(),
      analyticsData: z
        .array(entry)
        .meta({ description: 'Oldest first. Without `fill`, only spans with visits.' }),
    })
    .meta({ id: 'SmartlinkAnalytics', description: 'Totals cover all time, regardless of the range.' });
}

export function summarySchema() {
  return z
    .strictObject({
      user: z.strictObject({
        id: z.string(),
        email: z.string(),
        subscription: z.string().meta({ description: 'Name of the plan.', example: 'Professional' }),
      }),
      summary: z.strictObject({
        totalSmartlinks: count().meta({ description: 'Number of Active and Paused smartlinks.' }),
        totalClicks: count(),
        totalQrCodeScans: count(),
        totalFallbacks: count(),
      }),
      smartlinks: z
        .array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            type: z.enum(SMARTLINK_TYPES),
            clicks: count(),
            qrScans: count(),
          }),
        )
        .max(1_000)
        .meta({ description: 'Newest first, at most 1,000.' }),
      recentActivity: z
        .array(
          z.strictObject({
            smartlinkId: z.string(),
            action: z.enum(['click', 'qr_scan', 'fallback']),
            timestamp: timestamp('When the visit occurred, in UTC.'),
            country: z.string().meta({ description: 'Country code; `XX` if unknown.', example: 'AZ' }),
            device: z.string().meta({ description: 'Device class.', example: 'mobile' }),
          }),
        )
        .max(20)
        .meta({ description: 'The newest visits, at most 20.' }),
    })
    .meta({ id: 'Summary' });
}

import { z } from 'zod';
import { findTimeZone, SMARTLINK_STATUSES, SMARTLINK_TYPES, VISIT_SOURCES } from '@smartlink/smartlink/model';
import {
  addDays,
  hasFilters,
  hourLabelOf,
  type Interval,
  INTERVALS,
  type VisitFilters,
} from '@smartlink/visits/analytics';
import { VISIT_OUTCOMES } from '@smartlink/visits/event';
import type { Principal } from '../accounts/accounts.js';
import { ApiError, fault } from '../errors.js';
import { commaListField, dateField, smartlinkIdSchema, textField, wholeNumberField } from '../requests.js';
import { linkFilterShape } from '../smartlinks/smartlinks.js';

const date = dateField();

const dayFields = {
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
  format: z
    .enum(['json', 'csv'], 'Must be json or csv')
    .optional()
    .meta({ description: 'Format of the answer; `json` by default.' }),
};

const seriesFields = {
  interval: z
    .enum(INTERVALS, `Must be one of ${INTERVALS.join(', ')}`)
    .optional()
    .meta({ description: 'Time span of an entry; `day` by default.' }),
  fill: z
    .literal('zero', 'Must be "zero"')
    .optional()
    .meta({ description: 'Also return entries for spans without visits; at most 10,000 entries.' }),
  fields: z
    .literal('counts', 'Must be "counts"')
    .optional()
    .meta({ description: 'Answer with clicks, scans and fallbacks alone, which is faster.' }),
};

const list = (description: string, options: Parameters<typeof commaListField>[0] = {}) =>
  commaListField(options)
    .optional()
    .meta({ description: `${description} Separate several with commas.` });

/** Filters of visits: those with one of the values. */
const visitFields = {
  country: list('Visits from these countries.'),
  device: list('Visits with these classes of device.'),
  browser: list('Visits with these browsers.'),
  os: list('Visits with these operating systems.'),
  language: list('Visits whose first language is one of these.'),
  referrer: list('Visits from these hosts; `direct` is no referrer.'),
  source: list('Visits by `click` or `scan`.', { allowed: VISIT_SOURCES }),
  outcome: list('Visits that ended in `target`, `page` or `fallback`.', {
    allowed: VISIT_OUTCOMES.filter((outcome) => outcome !== 'excluded'),
  }),
  utmSource: list('Visits with these values of `utm_source`.'),
  utmMedium: list('Visits with these values of `utm_medium`.'),
  utmCampaign: list('Visits with these values of `utm_campaign`.'),
  rule: list('Visits that these routing rules decided, by id.'),
  variant: list('Visits that drew these variants, by id.'),
};

const IDS_MAX = 100;

/** Filters of smartlinks, by what they are now. */
const smartlinkFields = {
  ...linkFilterShape,
  id: list('These smartlinks, at most 100.', { max: IDS_MAX }),
  type: list('Smartlinks of these types.', { allowed: SMARTLINK_TYPES }),
  status: list('Smartlinks in these states.', { allowed: SMARTLINK_STATUSES }),
};

/** The query of GET /smartlink/analytics. */
export const analyticsQuerySchema = z.object({
  id: smartlinkIdSchema,
  ...dayFields,
  ...seriesFields,
  ...visitFields,
});

/** The query of GET /analytics. */
export const accountQuerySchema = z.object({
  ...dayFields,
  ...seriesFields,
  compare: z
    .literal('previous', 'Must be "previous"')
    .optional()
    .meta({ description: 'Also return the totals of as many days before `from`. Needs `from` and `to`.' }),
  ...smartlinkFields,
  ...visitFields,
});

export const DIMENSIONS = [
  ...([
    'smartlink',
    'tag',
    'folder',
    'country',
    'device',
    'browser',
    'os',
    'language',
    'referrer',
    'source',
  ] as const),
  ...([
    'utmSource',
    'utmMedium',
    'utmCampaign',
    'utmTerm',
    'utmContent',
    'domain',
    'rule',
    'variant',
    'button',
    'hourOfWeek',
  ] as const),
];

const ROWS_MAX = 1_000;

/** The query of GET /analytics/breakdown. */
export const breakdownQuerySchema = z.object({
  by: z
    .enum(DIMENSIONS, {
      error: ({ input }) => (input === undefined ? 'Required' : `Must be one of ${DIMENSIONS.join(', ')}`),
    })
    .meta({
      description:
        'What the visits are broken down by; `hourOfWeek` in `tz`; `button` has presses and needs one `id`.',
    }),
  limit: wholeNumberField(1, ROWS_MAX).optional().meta({ description: 'Most rows; 100 by default.' }),
  fill: z
    .literal('zero', 'Must be "zero"')
    .optional()
    .meta({ description: 'With `by=hourOfWeek`: also return hours without visits.' }),
  ...dayFields,
  ...smartlinkFields,
  ...visitFields,
});

/** The query of GET /analytics/realtime. */
export const realtimeQuerySchema = z.object({ ...smartlinkFields, ...visitFields });

export type AnalyticsQuery = z.output<typeof analyticsQuerySchema>;
export type AccountQuery = z.output<typeof accountQuerySchema>;
export type BreakdownQuery = z.output<typeof breakdownQuerySchema>;
export type RealtimeQuery = z.output<typeof realtimeQuerySchema>;
/** The parameters that choose smartlinks. */
export type SmartlinkFilters = Omit<RealtimeQuery, keyof typeof visitFields>;

/** The filters of visits in a query. */
export function visitFiltersOf(query: Pick<RealtimeQuery, keyof typeof visitFields>): VisitFilters {
  const names = Object.keys(visitFields) as (keyof typeof visitFields)[];
  return Object.fromEntries(names.map((name) => [name, query[name]]));
}

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

/** Throws VALIDATION_FAILED when the range ends before it begins, or is needed and open. */
export function requireOrder(query: Pick<AccountQuery, 'from' | 'to' | 'compare'>): void {
  if (query.compare !== undefined && (query.from === undefined || query.to === undefined)) {
    throw fault('compare', 'Needs from and to');
  }
  if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
    throw fault('from', 'Must not be after to');
  }
}

/** Limits a query to the plan. Throws PLAN_RESTRICTED. */
export function planRange(
  query: Pick<BreakdownQuery, 'from' | 'to' | 'tz' | 'format' | keyof typeof visitFields> & {
    readonly interval?: Interval | undefined;
    readonly by?: BreakdownQuery['by'];
  },
  plan: Principal['plan'],
  nowMs: number,
): Range {
  const timeZone = query.tz ?? 'UTC';
  const nowLabel = hourLabelOf(nowMs, timeZone);
  const daysMax = plan.analyticsDaysMax;
  const today = nowLabel.slice(0, 10);
  const isRestricted =
    (!plan.advancedAllowed && isAdvanced(query)) ||
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

function isAdvanced(query: Parameters<typeof planRange>[0]): boolean {
  const { interval, format, by } = query;
  return interval === 'hour' || format === 'csv' || by === 'hourOfWeek' || hasFilters(visitFiltersOf(query));
}

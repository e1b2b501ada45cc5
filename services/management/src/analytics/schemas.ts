import { z } from 'zod';
import { SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { onFirstCall, timestamp } from '../operation.js';

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
  routes: countsBy(
    'Visits by routing: `rule:<id>`, `variant:<id>`, or `rule:<id>/variant:<id>`; `default` by neither, `other` for the rest. ' +
      'Absent if there was no other.',
    { default: 2, 'rule:de-phones': 2, 'variant:new': 1 },
  ).optional(),
  buttons: z
    .record(z.string(), z.strictObject({ title: buttonTitle(), presses: count() }))
    .meta({
      description:
        'Presses by button of the page: its kind and its place from 0 in the array (`button:3`, `contact:1` of a DigiCard), or ' +
        'the member of its store (`store:appStoreLink`). A press is no visit. Only for one smartlink; absent without presses.',
      example: { 'button:0': { title: 'Book a table', presses: 3 } },
    })
    .optional(),
});

const buttonTitle = () =>
  z.string().nullable().meta({
    description:
      'The title that the present version has at this place, or the name of the store; null if it has no such button.',
    example: 'Book a table',
  });

export const PRESS_FILTERS =
  'Filters of visits choose presses by their own country, device, browser, system, language, source and campaign; with a filter ' +
  'of referrer, outcome, rule or variant there are none.';

export const FALLBACKS =
  'Clicks and scans of an App link from devices without a matching store: they led to its `fallBackLink` or, without one, to the page of stores.';

const countsOf = () => ({
  clicks: count(),
  qrScans: count(),
  fallbacks: count().meta({ description: FALLBACKS }),
});

const totals = () => ({
  totalClicks: count(),
  totalQrCodeScans: count(),
  totalFallBack: count().meta({ description: FALLBACKS }),
});

const spanStart = () =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:00)?$/)
    .meta({
      description:
        'Start of the span: `YYYY-MM-DD` for a day, the Monday of a week or the first of a month; `YYYY-MM-DDTHH:00` for an hour.',
      example: '2026-03-10',
    });

const ENTRIES = 'Oldest first. Without `fill`, only spans with visits, counted or not, or presses.';

const day = (description: string) => z.string().meta({ description, format: 'date', example: '2026-03-10' });

const availableFrom = () =>
  day(
    'The first day whose visits are kept, in `tz`: present if the range begins before it, and the figures need single visits. They ' +
      'begin there.',
  ).optional();

const entrySchema = onFirstCall(() =>
  z
    .strictObject({
      date: spanStart(),
      ...countsOf(),
      countries: countsBy('Clicks and scans by country code; `XX` if unknown.', { AZ: 4, XX: 1 }),
      devices: countsBy(
        'Clicks and scans by device class: mobile, tablet, desktop, tv, wearable, console, other.',
        { mobile: 4, desktop: 1 },
      ),
      browsers: countsBy('Clicks and scans by browser; `other` if unknown.', { Chrome: 3, Safari: 2 }),
      ...extras(),
    })
    .meta({ id: 'AnalyticsEntry' }),
);

const countsEntrySchema = onFirstCall(() =>
  z.strictObject({ date: spanStart(), ...countsOf() }).meta({ id: 'AnalyticsCountsEntry' }),
);

const LINK = { smartlinkId: z.string(), smartlinkName: z.string() };
const LINK_TOTALS =
  'Totals cover all time, regardless of the range; with filters of visits, all visits that are kept.';

export function analyticsSchema() {
  const full = z
    .strictObject({
      ...{ ...LINK, ...totals(), ...extras(), availableFrom: availableFrom() },
      analyticsData: z.array(entrySchema()).meta({ description: ENTRIES }),
    })
    .meta({ id: 'SmartlinkAnalytics', description: LINK_TOTALS });
  const counts = z
    .strictObject({
      ...{ ...LINK, ...totals(), availableFrom: availableFrom() },
      analyticsData: z.array(countsEntrySchema()).meta({ description: ENTRIES }),
    })
    .meta({ id: 'SmartlinkCounts', description: `With \`fields=counts\`. ${LINK_TOTALS}` });
  return z.union([full, counts]);
}

/** The answer of GET /analytics. */
export function accountAnalyticsSchema() {
  const range = { from: day('First day.'), to: day('Last day.') };
  const full = z
    .strictObject({
      ...totals(),
      ...extras(),
      previous: z
        .strictObject({ ...range, ...totals(), ...extras() })
        .meta({ description: 'With `compare=previous`: the totals of as many days before `from`.' })
        .optional(),
      availableFrom: availableFrom(),
      analyticsData: z.array(entrySchema()).meta({ description: ENTRIES }),
    })
    .meta({ id: 'Analytics', description: 'Totals are those of the range.' });
  const counts = z
    .strictObject({
      ...totals(),
      previous: z.strictObject({ ...range, ...totals() }).optional(),
      availableFrom: availableFrom(),
      analyticsData: z.array(countsEntrySchema()).meta({ description: ENTRIES }),
    })
    .meta({ id: 'AnalyticsCounts', description: 'With `fields=counts`. Totals are those of the range.' });
  return z.union([full, counts]);
}

const fourCounts = () => ({
  ...countsOf(),
  visits: count().meta({ description: 'Clicks and scans.' }),
});

/** The answer of GET /analytics/breakdown. */
export function breakdownSchema() {
  const row = z
    .strictObject({
      value: z
        .string()
        .nullable()
        .meta({
          description:
            'The value; null for visits without one. The id of a smartlink or folder, the name of a tag; ' +
            '`direct` is no referrer, `Mon-09` an hour of the week.',
          example: 'DE',
        }),
      name: z.string().optional().meta({ description: 'Of a smartlink or folder.' }),
      relink: z.string().optional().meta({ description: 'The address of a smartlink.' }),
      ...fourCounts(),
      uniqueVisitors: count().optional().meta({
        description:
          'With `by=smartlink`: distinct visitors per day; for a longer span, the sum of its days.',
      }),
    })
    .meta({ id: 'BreakdownRow' });
  const counts = z.strictObject(fourCounts()).meta({ id: 'VisitCounts' });
  const visits = z
    .strictObject({
      rows: z.array(row).max(1_000).meta({ description: 'Most visits first, then by value.' }),
      other: counts,
      total: counts,
      availableFrom: availableFrom(),
    })
    .meta({
      id: 'Breakdown',
      description:
        '`other` is what the rows leave of `total`: values beyond `limit`, of past days those beyond the 1,000 with the most ' +
        'visits, and visits of old days whose value is not kept.',
    });
  return z.union([visits, pressesSchema()]);
}

function pressesSchema() {
  const row = z
    .strictObject({
      value: z.string().meta({ description: 'The button, as in `buttons`.', example: 'button:0' }),
      title: buttonTitle(),
      presses: count(),
    })
    .meta({ id: 'PressesRow' });
  const counts = z.strictObject({ presses: count() }).meta({ id: 'PressCount' });
  return z
    .strictObject({
      rows: z.array(row).max(1_000).meta({ description: 'Most presses first, then by button.' }),
      ...{ other: counts, total: counts, availableFrom: availableFrom() },
    })
    .meta({ id: 'Presses', description: 'With `by=button`. `other` are the buttons beyond `limit`.' });
}

/** The answer of GET /analytics/realtime. */
export function realtimeSchema() {
  const value = z.string();
  const top = (description: string) =>
    z
      .array(z.strictObject({ value, visits: count() }))
      .max(10)
      .meta({ description: `${description}; the ten with the most visits.` });
  return z
    .strictObject({
      visits: count().meta({ description: 'Clicks and scans within these minutes.' }),
      minutes: z
        .array(
          z.strictObject({
            time: timestamp('Start of the minute, in UTC.'),
            clicks: count(),
            qrScans: count(),
          }),
        )
        .length(31)
        .meta({ description: 'The last 30 whole minutes and the present one, oldest first.' }),
      smartlinks: z
        .array(
          z.strictObject({
            ...{ value, visits: count() },
            name: z.string().optional(),
            relink: z.string().optional(),
          }),
        )
        .max(10)
        .meta({ description: 'By id; the ten with the most visits.' }),
      countries: top('By country code'),
      devices: top('By device class'),
      referrers: top('By referring host, `direct` without one'),
    })
    .meta({ id: 'Realtime' });
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

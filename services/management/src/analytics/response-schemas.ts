import { SMARTLINK_TYPES } from '@smartlink/smartlink/smartlink-type';
import { z } from 'zod';
import { timestamp } from '../envelope-schemas.js';

const count = () => z.int().min(0);

const countsBy = (description: string, example: Readonly<Record<string, number>>) =>
  z.record(z.string(), count()).meta({ description, example });

const extras = () => ({
  uniqueVisitors: count().meta({
    description:
      'Visitors told apart within a UTC day; of a longer span the sum of its days. Who sends `Sec-GPC: 1` or `DNT: 1` ' +
      'is not among them.',
  }),
  referrers: countsBy('Visits by the host that led here; `direct` without one, `other` for the rest.', {
    direct: 3,
    'example.net': 2,
  }),
  operatingSystems: countsBy('Visits by operating system; `other` is unknown.', {
    Android: 3,
    iOS: 2,
  }),
  excluded: countsBy('Visits that did not count, by reason.', { bot: 4 }),
});

/** What a fallback is, for people. */
export const FALLBACKS =
  'Clicks and scans of an App link that no store fitted: they got its `fallBackLink` or, without one, the page of stores.';

/** Returns the schema of one smartlink's analytics. */
export function analyticsSchema() {
  const entry = z
    .strictObject({
      date: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:00)?$/)
        .meta({
          description:
            '`YYYY-MM-DD`: the day, the Monday of the week, the first of the month; or `YYYY-MM-DDTHH:00`.',
          example: '2026-03-10',
        }),
      clicks: count(),
      qrScans: count(),
      fallbacks: count().meta({ description: FALLBACKS }),
      countries: countsBy('Clicks and scans by country code; `XX` is unknown.', { AZ: 4, XX: 1 }),
      devices: countsBy(
        'Clicks and scans by class of device: mobile, tablet, desktop, tv, wearable, console, other.',
        {
          mobile: 4,
          desktop: 1,
        },
      ),
      browsers: countsBy('Clicks and scans by browser; `other` is unknown.', {
        Chrome: 3,
        Safari: 2,
      }),
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
        .meta({ description: 'Oldest first. Without `fill` only what had visits.' }),
    })
    .meta({ id: 'SmartlinkAnalytics', description: 'Totals are over all time, whatever the range.' });
}

/** Returns the schema of an owner's summary. */
export function summarySchema() {
  return z
    .strictObject({
      user: z.strictObject({
        id: z.string(),
        email: z.string(),
        subscription: z.string().meta({ description: 'Name of the plan.', example: 'Professional' }),
      }),
      summary: z.strictObject({
        totalSmartlinks: count().meta({ description: 'Active and Paused ones.' }),
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
            timestamp: timestamp('When the visit was, in UTC.'),
            country: z.string().meta({ description: 'Country code; `XX` is unknown.', example: 'AZ' }),
            device: z.string().meta({ description: 'Class of device.', example: 'mobile' }),
          }),
        )
        .max(20)
        .meta({ description: 'The newest visits, at most 20.' }),
    })
    .meta({ id: 'Summary' });
}

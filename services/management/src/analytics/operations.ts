import { z } from 'zod';
import { EXAMPLE_ID, EXAMPLE_TIME, EXAMPLE_USER_ID } from '../envelope-schemas.js';
import type { Operation } from '../operation.js';
import { analyticsQuerySchema } from './analytics-query.js';
import { toCsv } from './csv.js';
import { analyticsSchema, summarySchema } from './response-schemas.js';

/** GET /smartlink/analytics, as the reference shows it. */
export function analyticsOperation(): Operation {
  return {
    operationId: 'readAnalytics',
    summary: 'Read the analytics of a smartlink',
    description:
      'Its visits by day, or by `interval`, in UTC unless `tz` says otherwise; the whole history unless `from` or `to` ' +
      'do. Totals are over all time, whatever the range, and the same as in every other answer. `clicks` and `qrScans` ' +
      'add up to the visits; `fallbacks` are among them. Bots and previews are not counted: `excluded` has them by ' +
      'reason. Works for a smartlink in any status.\n\nA plan may hold this to so many days back, and to neither hours ' +
      'nor CSV; asked for more it is `PLAN_RESTRICTED`, and without `from` it begins with the first day allowed.',
    tag: 'Analytics',
    needsKey: true,
    query: analyticsQuerySchema,
    success: {
      status: 200,
      description: 'The figures.',
      headers: ['CsvDisposition'],
      data: {
        schema: analyticsSchema(),
        examples: {
          days: { summary: 'By day', message: 'Analytics retrieved', data: analyticsExample() },
        },
      },
      otherContent: {
        'text/csv': {
          schema: z.string().meta({
            description:
              'With `format=csv`: RFC 4180, a heading first. A map is one cell, the largest first.',
          }),
          examples: { days: { summary: 'By day', value: csvExample() } },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        range: {
          summary: 'A range that ends before it begins',
          details: [{ path: 'from', message: 'Must not be after to' }],
        },
        parameters: {
          summary: 'Bad parameters',
          details: [
            { path: 'from', message: 'Must be a date as YYYY-MM-DD, from 1970 to 2199' },
            { path: 'tz', message: 'Must be an IANA time zone' },
          ],
        },
      },
      PLAN_RESTRICTED: {},
      NOT_FOUND: {},
    },
  };
}

/** GET /analytics/summary, as the reference shows it. */
export function summaryOperation(): Operation {
  return {
    operationId: 'readSummary',
    summary: 'Read the summary over all smartlinks',
    description: 'Active and Paused smartlinks, newest first, their totals, and the newest visits.',
    tag: 'Analytics',
    needsKey: true,
    success: {
      status: 200,
      description: 'The summary.',
      data: {
        schema: summarySchema(),
        examples: {
          summary: { summary: 'One smartlink', message: 'Summary retrieved', data: SUMMARY_EXAMPLE },
        },
      },
    },
    errors: {},
  };
}

const FIGURES = {
  clicks: 4,
  fallbacks: 0,
  countries: { AZ: 4, XX: 1 },
  devices: { mobile: 4, desktop: 1 },
  browsers: { Chrome: 3, Safari: 2 },
};
const EXTRAS = {
  uniqueVisitors: 3,
  referrers: { direct: 3, 'example.net': 2 },
  operatingSystems: { Android: 3, iOS: 2 },
  excluded: { bot: 1 },
};

function analyticsExample() {
  return {
    smartlinkId: EXAMPLE_ID,
    smartlinkName: 'Handbook',
    totalClicks: 4,
    totalQrCodeScans: 1,
    totalFallBack: 0,
    ...EXTRAS,
    analyticsData: [{ date: '2026-03-10', qrScans: 1, ...FIGURES, ...EXTRAS }],
  };
}

const csvExample = () => toCsv([{ date: '2026-03-10', scans: 1, ...FIGURES, ...EXTRAS }]);

const SUMMARY_EXAMPLE = {
  user: { id: EXAMPLE_USER_ID, email: 'a@example.com', subscription: 'Professional' },
  summary: { totalSmartlinks: 1, totalClicks: 4, totalQrCodeScans: 1, totalFallbacks: 0 },
  smartlinks: [{ id: EXAMPLE_ID, name: 'Handbook', type: 'Url', clicks: 4, qrScans: 1 }],
  recentActivity: [
    { smartlinkId: EXAMPLE_ID, action: 'click', timestamp: EXAMPLE_TIME, country: 'AZ', device: 'mobile' },
  ],
};

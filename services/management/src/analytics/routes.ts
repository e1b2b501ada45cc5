import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { EXAMPLE_ID, EXAMPLE_TIME, EXAMPLE_USER_ID, type Operation } from '../operation.js';
import { parseQuery } from '../requests.js';
import { toCsv, toCsvHeaders, toSeries } from './answers.js';
import { analyticsQuerySchema } from './queries.js';
import { createAnalyticsReader, createSummaryReader, lightRangeDaysMax } from './read-analytics.js';
import { analyticsSchema, PRESS_FILTERS, summarySchema } from './schemas.js';

const access: Access = { scope: 'analytics:read', role: 'Viewer' };

/** GET /smartlink/analytics and /analytics/summary. */
export function analyticsRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  const { clickhouse, pg, figures } = app;
  const deps = { clickhouse, pg, readState: figures.readState, now: Date.now };
  const rangeDaysMax = lightRangeDaysMax(app);
  const readAnalytics = createAnalyticsReader({ ...deps, rangeDaysMax });
  const readSummary = createSummaryReader(deps);

  app.get(
    '/smartlink/analytics',
    { config: { operation: analyticsOperation, access } },
    async (request, reply) => {
      const query = parseQuery(analyticsQuerySchema, request);
      const analytics = await readAnalytics(principalOf(request), query);
      if (query.format === 'csv') {
        return reply
          .headers(toCsvHeaders(`analytics-${analytics.smartlinkId}`))
          .send(toCsv(analytics.entries, query));
      }
      const { smartlinkId, smartlinkName } = analytics;
      return success('Analytics retrieved', { smartlinkId, smartlinkName, ...toSeries(analytics, query) });
    },
  );

  app.get('/analytics/summary', { config: { operation: summaryOperation, access } }, async (request) =>
    success('Summary retrieved', await readSummary(principalOf(request))),
  );
  done();
}

function analyticsOperation(): Operation {
  return {
    operationId: 'readAnalytics',
    summary: 'Read the analytics of a smartlink',
    description:
      'Visits by day or by `interval`, in UTC or `tz`, over the whole history or the range of `from` and `to`. Totals cover ' +
      'all time, regardless of the range, and equal those of every other answer. `clicks` and `qrScans` add up to the ' +
      'visits and include `fallbacks`. Bots and previews are not counted; `excluded` lists them by reason. Works for a ' +
      'smartlink in any status. `buttons` has the presses of its page, which are no visits. ' +
      `${PRESS_FILTERS}\n\n` +
      'A plan may limit the number of days back and exclude hours and CSV. A request beyond ' +
      'the plan fails with `PLAN_RESTRICTED`; without `from`, the range starts with the first day allowed.',
    tag: 'Analytics',
    query: analyticsQuerySchema,
    success: {
      status: 200,
      description: 'The analytics.',
      headers: ['CsvDisposition'],
      data: {
        schema: analyticsSchema(),
        examples: {
          days: { summary: 'By day', message: 'Analytics retrieved', data: analyticsExample() },
          buttons: {
            summary: 'A page whose buttons were pressed',
            message: 'Analytics retrieved',
            data: buttonsExample(),
          },
        },
      },
      otherContent: {
        'text/csv': {
          schema: z.string().meta({
            description:
              'With `format=csv`: RFC 4180 with a header. A map is one cell, largest first. `buttons` is a column if any ' +
              'was pressed.',
          }),
          examples: { days: { summary: 'By day', value: csvExample() } },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        range: {
          summary: 'A range that ends before it starts',
          details: [{ path: 'from', message: 'Must not be after to' }],
        },
        parameters: {
          summary: 'Invalid parameters',
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

function summaryOperation(): Operation {
  return {
    operationId: 'readSummary',
    summary: 'Read the summary of all smartlinks',
    description: 'Active and Paused smartlinks, newest first, with their totals, and the newest visits.',
    tag: 'Analytics',
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
  languages: { az: 3, 'en-US': 1 },
  utmSources: { newsletter: 2 },
  utmMediums: { email: 2 },
  utmCampaigns: { spring: 2 },
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

function buttonsExample() {
  const { analyticsData, ...totals } = analyticsExample();
  const buttons = {
    'button:0': { title: 'Book a table', presses: 3 },
    'button:4': { title: null, presses: 1 },
  };
  return {
    ...{ ...totals, smartlinkName: 'Our house', buttons },
    analyticsData: analyticsData.map((entry) => ({ ...entry, buttons })),
  };
}

const csvExample = () =>
  toCsv([{ date: '2026-03-10', scans: 1, ...FIGURES, ...EXTRAS, domains: {}, routes: {}, presses: {} }]);

const SUMMARY_EXAMPLE = {
  user: { id: EXAMPLE_USER_ID, email: 'a@example.com', subscription: 'Professional' },
  summary: { totalSmartlinks: 1, totalClicks: 4, totalQrCodeScans: 1, totalFallbacks: 0 },
  smartlinks: [{ id: EXAMPLE_ID, name: 'Handbook', type: 'Url', clicks: 4, qrScans: 1 }],
  recentActivity: [
    { smartlinkId: EXAMPLE_ID, action: 'click', timestamp: EXAMPLE_TIME, country: 'AZ', device: 'mobile' },
  ],
};

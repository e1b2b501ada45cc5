import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Access } from '../accounts/access.js';
import { principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { EXAMPLE_ID, EXAMPLE_TIME, type Operation } from '../operation.js';
import { parseQuery } from '../requests.js';
import {
  toBreakdown,
  toBreakdownCsv,
  toCsv,
  toCsvHeaders,
  toPresses,
  toPressesCsv,
  toSeries,
} from './answers.js';
import { accountQuerySchema, breakdownQuerySchema, realtimeQuerySchema } from './queries.js';
import { createAccountReader } from './read-account-analytics.js';
import { lightRangeDaysMax } from './read-analytics.js';
import { accountAnalyticsSchema, breakdownSchema, PRESS_FILTERS, realtimeSchema } from './schemas.js';

const access: Access = { scope: 'analytics:read', role: 'Viewer' };

/** GET /analytics, /analytics/breakdown and /analytics/realtime. */
export function accountAnalyticsRoutes(
  app: FastifyInstance,
  { publicBaseUrl }: { readonly publicBaseUrl: string },
  done: () => void,
): void {
  const { clickhouse, pg, figures } = app;
  const { readAnalytics, readBreakdown, readPresses, readRealtime } = createAccountReader({
    ...{ clickhouse, pg, readState: figures.readState, now: Date.now, publicBaseUrl },
    rangeDaysMax: lightRangeDaysMax(app),
  });

  app.get('/analytics', { config: { operation: analyticsOperation, access } }, async (request, reply) => {
    const query = parseQuery(accountQuerySchema, request);
    const found = await readAnalytics(principalOf(request), query);
    if (query.format === 'csv') {
      return reply.headers(toCsvHeaders('analytics')).send(toCsv(found.entries, query));
    }
    return success('Analytics retrieved', toSeries(found, query));
  });

  app.get(
    '/analytics/breakdown',
    { config: { operation: breakdownOperation, access } },
    async (request, reply) => {
      const query = parseQuery(breakdownQuerySchema, request);
      const { by, format } = query;
      const sendCsv = (csv: string) => reply.headers(toCsvHeaders(`analytics-by-${by}`)).send(csv);
      if (by === 'button') {
        const presses = await readPresses(principalOf(request), query);
        return format === 'csv'
          ? sendCsv(toPressesCsv(presses))
          : success('Breakdown retrieved', toPresses(presses));
      }
      const found = await readBreakdown(principalOf(request), { ...query, by });
      return format === 'csv'
        ? sendCsv(toBreakdownCsv(found, by))
        : success('Breakdown retrieved', toBreakdown(found));
    },
  );

  app.get('/analytics/realtime', { config: { operation: realtimeOperation, access } }, async (request) => {
    const query = parseQuery(realtimeQuerySchema, request);
    return success('Visits retrieved', await readRealtime(principalOf(request), query));
  });
  done();
}

const FILTERS =
  'Filters of smartlinks choose by what they are now; without any, all smartlinks count, deleted ones too. ' +
  'More than 50,000 that match are `VALIDATION_FAILED`, but for `status` and `archived` alone. Filters of visits read single visits, as far back as ' +
  'they are kept.';
const PLAN =
  'A plan may limit the number of days back and exclude filters of visits, hours, real time and CSV: `PLAN_RESTRICTED`. ' +
  'Without `from`, the range starts with the first day allowed.';

const csv = (example: string) => ({
  'text/csv': {
    schema: z.string().meta({ description: 'With `format=csv`: RFC 4180 with a header.' }),
    examples: { csv: { summary: 'CSV', value: example } },
  },
});

function analyticsOperation(): Operation {
  const counts = { clicks: 4, qrScans: 1, fallbacks: 0 };
  const totals = { totalClicks: 4, totalQrCodeScans: 1, totalFallBack: 0 };
  const extras = {
    uniqueVisitors: 3,
    referrers: { direct: 3, 'example.net': 2 },
    operatingSystems: { Android: 3, iOS: 2 },
    excluded: { bot: 1 },
  };
  const maps = {
    ...{ countries: { AZ: 4, XX: 1 }, devices: { mobile: 4, desktop: 1 } },
    browsers: { Chrome: 3, Safari: 2 },
  };
  const message = 'Analytics retrieved';
  return {
    operationId: 'readAccountAnalytics',
    summary: 'Read the analytics of many smartlinks',
    description:
      `Visits by day or by \`interval\`, in UTC or \`tz\`, of all smartlinks or of those that the filters choose. Totals are those ` +
      `of the range. A visitor counts once for each smartlink and day. With exactly one \`id\` there are \`buttons\`, as in the ` +
      `analytics of a smartlink.\n\n${FILTERS}\n\n${PLAN}`,
    tag: 'Analytics',
    query: accountQuerySchema,
    success: {
      status: 200,
      description: 'The analytics.',
      headers: ['CsvDisposition'],
      data: {
        schema: accountAnalyticsSchema(),
        examples: {
          days: {
            ...{ summary: 'By day', message },
            data: {
              ...totals,
              ...extras,
              analyticsData: [{ date: '2026-03-10', ...counts, ...maps, ...extras }],
            },
          },
          counts: {
            ...{ summary: 'Counts alone, compared with the days before', message },
            data: {
              ...totals,
              previous: { ...{ from: '2026-03-09', to: '2026-03-09' }, ...totals },
              analyticsData: [{ date: '2026-03-10', ...counts }],
            },
          },
        },
      },
      otherContent: csv('date,clicks,qrScans,fallbacks\r\n2026-03-10,4,1,0\r\n'),
    },
    errors: {
      VALIDATION_FAILED: {
        compare: {
          summary: 'A comparison without a range',
          details: [{ path: 'compare', message: 'Needs from and to' }],
        },
      },
      PLAN_RESTRICTED: {},
    },
  };
}

function breakdownOperation(): Operation {
  const counts = { clicks: 3, qrScans: 1, fallbacks: 0, visits: 4 };
  const one = { clicks: 1, qrScans: 0, fallbacks: 0, visits: 1 };
  const none = { clicks: 0, qrScans: 0, fallbacks: 0, visits: 0 };
  const total = { clicks: 4, qrScans: 1, fallbacks: 0, visits: 5 };
  const message = 'Breakdown retrieved';
  return {
    operationId: 'readBreakdown',
    summary: 'Break visits down by a dimension',
    description:
      `The values of \`by\` with their visits, the most first. Rows and \`other\` add up to \`total\`, the clicks and scans of ` +
      `\`GET /analytics\` with the same parameters; of \`tag\` they may be more, because a visit is in each tag of its ` +
      `smartlink.\n\n\`button\` has the presses of one smartlink's page, which are no visits: rows of \`value\`, \`title\` and ` +
      `\`presses\`. It needs exactly one \`id\`. ${PRESS_FILTERS}\n\n${FILTERS}\n\n${PLAN}`,
    tag: 'Analytics',
    query: breakdownQuerySchema,
    success: {
      status: 200,
      description: 'The breakdown.',
      headers: ['CsvDisposition'],
      data: {
        schema: breakdownSchema(),
        examples: {
          country: {
            ...{ summary: 'By country, one row', message },
            data: { rows: [{ value: 'AZ', ...counts }], other: one, total },
          },
          smartlink: {
            ...{ summary: 'By smartlink', message },
            data: {
              rows: [
                {
                  ...{ value: EXAMPLE_ID, name: 'Handbook', relink: 'https://sl.example.com/docs' },
                  ...{ ...total, uniqueVisitors: 3 },
                },
              ],
              ...{ other: none, total },
            },
          },
          button: {
            ...{ summary: 'By button of one smartlink', message },
            data: {
              rows: [
                { value: 'button:0', title: 'Book a table', presses: 3 },
                { value: 'button:4', title: null, presses: 1 },
              ],
              ...{ other: { presses: 0 }, total: { presses: 4 } },
            },
          },
          utm: {
            ...{ summary: 'By campaign, most visits without one', message },
            data: {
              rows: [
                { value: null, ...counts },
                { value: 'spring', ...one },
              ],
              ...{ other: none, total },
            },
          },
        },
      },
      otherContent: csv('value,clicks,qrScans,fallbacks,visits\r\nAZ,3,1,0,4\r\n'),
    },
    errors: {
      VALIDATION_FAILED: {
        by: { summary: 'No dimension', details: [{ path: 'by', message: 'Required' }] },
        button: {
          summary: 'By button of no or several smartlinks',
          details: [{ path: 'id', message: 'Needs one smartlink' }],
        },
      },
      PLAN_RESTRICTED: {},
    },
  };
}

function realtimeOperation(): Operation {
  const presentMs = Date.parse(EXAMPLE_TIME);
  const visits = 3;
  return {
    operationId: 'readRealtime',
    summary: 'Read the visits of the last 30 minutes',
    description: `By minute, five seconds old at most. A plan may exclude it: \`PLAN_RESTRICTED\`.\n\n${FILTERS}`,
    tag: 'Analytics',
    query: realtimeQuerySchema,
    success: {
      status: 200,
      description: 'The visits.',
      data: {
        schema: realtimeSchema(),
        examples: {
          visits: {
            ...{ summary: 'Three visits in the present minute', message: 'Visits retrieved' },
            data: {
              visits,
              minutes: Array.from({ length: 31 }, (_, i) => ({
                time: new Date(presentMs - (30 - i) * 60_000).toISOString(),
                ...{ clicks: i === 30 ? 2 : 0, qrScans: i === 30 ? 1 : 0 },
              })),
              smartlinks: [
                { value: EXAMPLE_ID, visits, name: 'Handbook', relink: 'https://sl.example.com/docs' },
              ],
              countries: [{ value: 'AZ', visits }],
              devices: [{ value: 'mobile', visits }],
              referrers: [{ value: 'direct', visits }],
            },
          },
        },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        country: { summary: 'An empty filter', details: [{ path: 'country', message: 'Must not be empty' }] },
      },
      PLAN_RESTRICTED: {},
    },
  };
}

import type { Entry, Figures } from '@smartlink/visit-analytics/figures';
import type { RollupStateReader } from '@smartlink/visit-analytics/rollup-state';
import type { FastifyInstance } from 'fastify';
import { success } from '../envelope.js';
import { principalOf } from '../plugins/authenticate.js';
import { parseQuery } from '../request-query.js';
import { analyticsQuerySchema } from './analytics-query.js';
import { toCsv } from './csv.js';
import { analyticsOperation, summaryOperation } from './operations.js';
import { createAnalyticsReader } from './read-analytics.js';
import type { SmartlinkAnalytics } from './read-analytics.js';
import { createSummaryReader } from './read-summary.js';

/** GET /smartlink/analytics and /analytics/summary. */
export function analyticsRoutes(
  app: FastifyInstance,
  { readState }: { readState: RollupStateReader },
  done: () => void,
): void {
  const deps = { clickhouse: app.clickhouse, pg: app.pg, readState, now: Date.now };
  const readAnalytics = createAnalyticsReader(deps);
  const readSummary = createSummaryReader(deps);

  app.get('/smartlink/analytics', { config: { operation: analyticsOperation } }, async (request, reply) => {
    const query = parseQuery(analyticsQuerySchema, request.query);
    const analytics = await readAnalytics(principalOf(request), query);
    if (query.format === 'csv') {
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="analytics-${analytics.smartlinkId}.csv"`)
        .send(toCsv(analytics.entries));
    }
    return success('Analytics retrieved', toData(analytics));
  });

  app.get('/analytics/summary', { config: { operation: summaryOperation } }, async (request) =>
    success('Summary retrieved', await readSummary(principalOf(request))),
  );
  done();
}

/** The members of management-api.md, and beside them those of decisions.md. */
function toData({ smartlinkId, smartlinkName, totals, entries }: SmartlinkAnalytics): object {
  return {
    smartlinkId,
    smartlinkName,
    totalClicks: totals.clicks,
    totalQrCodeScans: totals.scans,
    totalFallBack: totals.fallbacks,
    ...extrasOf(totals),
    analyticsData: entries.map((entry: Entry) => ({
      date: entry.date,
      clicks: entry.clicks,
      qrScans: entry.scans,
      fallbacks: entry.fallbacks,
      countries: entry.countries,
      devices: entry.devices,
      browsers: entry.browsers,
      ...extrasOf(entry),
    })),
  };
}

function extrasOf({ uniqueVisitors, referrers, operatingSystems, excluded }: Figures): object {
  return { uniqueVisitors, referrers, operatingSystems, excluded };
}

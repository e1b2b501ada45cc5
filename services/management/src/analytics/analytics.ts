import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import fp from 'fastify-plugin';
import { failureMessage, type Queryable } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { createRollupStateReader, type RollupStateReader } from '@smartlink/visits/analytics';
import { rollUp, type RollupStep, STATEMENT_MS_MAX, withRollupLock } from '@smartlink/visits/rollup';
import type { RollupObserver } from '../plugins/metrics.js';
import { refreshTotals } from './refresh-totals.js';
import { createTotalsReader, keepTotals, type TotalsReader } from './totals.js';

// The front file of the feature: the rest of the service imports it and routes.ts only.
export { FALLBACKS } from './schemas.js';
export { TOTALS_IDS_MAX, type TotalsReader } from './totals.js';

declare module 'fastify' {
  interface FastifyInstance {
    figures: { readonly readState: RollupStateReader; readonly totals: TotalsReader };
  }
}

type AnalyticsOptions = {
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
  readonly rollupIntervalMs: number;
  /** 0 keeps events indefinitely. */
  readonly keptMonths: number;
  /** Longest time for which totals are kept. */
  readonly totalsAgeMaxMs: number;
  readonly runsJobs: boolean;
  readonly log: Logger;
};

/** The readers of figures for routes, and the rollup job. */
export const analytics = fp<AnalyticsOptions>(
  (app, options, done) => {
    const { clickhouse, pg } = app;
    const now = performance.now.bind(performance);
    const readState = createRollupStateReader(clickhouse, now);
    const totals = createTotalsReader({ clickhouse, pg, readState, log: options.log });
    app.decorate('figures', {
      readState,
      totals: keepTotals(totals, { ageMaxMs: options.totalsAgeMaxMs, now }),
    });
    if (options.runsJobs) app.addHook('onClose', startRollups(options, pg, app.metrics.rollupObserver).stop);
    done();
  },
  { name: 'analytics', dependencies: ['postgres', 'clickhouse', 'metrics'] },
);

/**
 * Starts the rollup job. A run is skipped while another process holds the lock. Stopping leaves the running statement to
 * the server; the next run repeats its work.
 */
function startRollups(options: AnalyticsOptions, pg: Queryable, observer: RollupObserver): Job {
  const { databaseUrl, keptMonths, log } = options;
  // A separate client: rollup statements run longer than the time limit of requests.
  const clickhouse = createClient({
    url: options.clickhouseUrl,
    application: 'smartlink-rollup',
    request_timeout: STATEMENT_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  async function runOnce(signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      const done = await withRollupLock(databaseUrl, async (holdsLock) => {
        const mayGoOn = async () => !signal.aborted && (await holdsLock());
        await rollUp(clickhouse, { keptMonths, mayGoOn, report });
        if (await mayGoOn()) {
          await refreshTotals({ clickhouse, pg, mayGoOn }).catch((err: unknown) => {
            log.warn({ err: { message: failureMessage(err) } }, 'totals could not be refreshed');
          });
        }
        return true;
      });
      observer.onTurn(done === null ? 'skipped' : 'done', performance.now() - startedAt);
    } catch (err) {
      observer.onTurn('failed', performance.now() - startedAt);
      throw err;
    }
  }

  function report(step: RollupStep): void {
    observer.onStep(step);
    log.info(step, 'visits rolled up');
  }

  const job = startJob({
    everyMs: options.rollupIntervalMs,
    run: runOnce,
    failure: 'visits could not be rolled up',
    log,
  });
  return {
    async stop() {
      const stopped = job.stop();
      await clickhouse.close();
      await stopped;
    },
  };
}

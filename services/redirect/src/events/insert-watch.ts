import type { Logger } from '@smartlink/process/logger';
import { createHistogram } from '../histogram.js';
import { METRICS } from '../metric-definitions.js';
import type { CounterReport } from '../messages.js';
import type { EventTable } from './insert-rows.js';

const SLOW_AFTER_MS = 30_000;

export type InsertWatch = {
  /** The table, with a watch on its inserts. */
  readonly table: EventTable;
  /** How long the one under way has taken, 0 while none is. */
  readonly seconds: () => number;
  /** When the last one was acknowledged, in seconds since 1970; 0 before the first. */
  readonly lastSeconds: () => number;
  readonly report: () => CounterReport;
};

/**
 * Returns the table with a watch on its inserts, which tells of each that takes longer than `slowMs`, 30 s by default. `now` are
 * milliseconds since 1970.
 */
export function watchInserts(
  table: EventTable,
  { now, log, slowMs = SLOW_AFTER_MS }: { now: () => number; log: Logger; slowMs: number | undefined },
): InsertWatch {
  const { values, buckets } = METRICS.insert_duration_seconds;
  const durations = createHistogram({
    metric: 'insert_duration_seconds',
    labelValues: values,
    bounds: buckets,
  });
  let startedAt: number | null = null;
  let lastSeconds = 0;
  return {
    table: {
      ...table,
      insert: async (columns, rows, signal) => {
        const beganAt = performance.now();
        startedAt = beganAt;
        const slow = setTimeout(() => {
          log.warn({ seconds: slowMs / 1_000 }, 'an insert takes long');
        }, slowMs).unref();
        let result = 'failed';
        try {
          const outcome = await table.insert(columns, rows, signal);
          result = outcome.kind;
          if (outcome.kind === 'acknowledged') lastSeconds = now() / 1_000;
          return outcome;
        } finally {
          clearTimeout(slow);
          startedAt = null;
          durations.observe(result, (performance.now() - beganAt) / 1_000);
        }
      },
    },
    seconds: () => (startedAt === null ? 0 : (performance.now() - startedAt) / 1_000),
    lastSeconds: () => lastSeconds,
    report: durations.report,
  };
}

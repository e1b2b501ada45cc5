import type { LinkResolver } from '@smartlink/link-resolver/link-resolver';
import { createHistogram } from './histogram.js';
import type { CounterReport } from './messages.js';
import { METRICS } from './metric-definitions.js';

/** Returns `resolve` with each look-up timed, by who answered it. */
export function createLookupTimer(resolve: LinkResolver['resolve']): {
  readonly resolve: LinkResolver['resolve'];
  readonly report: () => CounterReport;
} {
  const { values, buckets } = METRICS.lookup_duration_seconds;
  const durations = createHistogram({
    metric: 'lookup_duration_seconds',
    labelValues: values,
    bounds: buckets,
  });
  return {
    report: durations.report,
    async resolve(slugKey, minVersion) {
      const beganAt = performance.now();
      let source = 'failed';
      try {
        const resolution = await resolve(slugKey, minVersion);
        source = resolution.source;
        return resolution;
      } finally {
        durations.observe(source, (performance.now() - beganAt) / 1_000);
      }
    },
  };
}

/** Returns what counts how late messages of the change feed are. */
export function createFeedDelays(): {
  readonly observe: (delayMs: number) => void;
  readonly report: () => CounterReport;
} {
  const { values, buckets } = METRICS.change_feed_delay_seconds;
  const delays = createHistogram({
    metric: 'change_feed_delay_seconds',
    labelValues: values,
    bounds: buckets,
  });
  return {
    report: delays.report,
    observe: (delayMs) => {
      delays.observe('', delayMs / 1_000);
    },
  };
}

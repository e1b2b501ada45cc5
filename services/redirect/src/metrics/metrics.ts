import { AggregatorRegistry, Registry } from 'prom-client';
import { readPackageVersion } from '@smartlink/process/lifecycle';
import { type CounterReport, type MetricDefinition, METRICS } from './metric-definitions.js';

const PREFIX = 'smartlink_redirect_';
// The worst process is shown instead of the sum.
const TAKEN_AS_MAXIMUM = ['event_loop_lag_seconds', 'replica_lag_seconds'];

/** Sums over all workers, with the primary's own figures from `own` (read at each scrape). */
export function createMetricsBoard(own: () => CounterReport) {
  const version = readPackageVersion(new URL('../../package.json', import.meta.url));
  const ended: Record<string, number> = {};
  const running = new Map<number, { counters: CounterReport; gauges: CounterReport }>();

  function sums(): Record<string, number> {
    const total = { ...ended };
    for (const { counters, gauges } of running.values()) {
      addTo(total, counters);
      addTo(total, gauges);
    }
    addTo(total, own());
    return total;
  }

  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    /** Replaces a worker's values; its counters only grow. */
    report(pid: number, counters: CounterReport, gauges: CounterReport) {
      running.set(pid, { counters, gauges });
    },
    /** The process has ended: its counters stay in the sums, its gauges do not. */
    forget: (pid: number) => {
      const last = running.get(pid);
      running.delete(pid);
      if (last) addTo(ended, last.counters);
    },
    /** The Prometheus text format. */
    render() {
      const total = sums();
      const metrics = [
        ...Object.entries(METRICS).map(([name, metric]) => describeMetric(name, metric, total)),
        ...processMetrics(version),
      ];
      return AggregatorRegistry.aggregate([metrics]).metrics();
    },
  };
}

type Value = { readonly value: number; readonly labels: Record<string, string>; readonly metricName: string };
type Shown = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricDefinition['kind'];
  readonly values: readonly Value[];
  readonly aggregator: 'sum';
};

/** A metric for prom-client, with every value of its label, reported or not. */
function describeMetric(
  name: string,
  metric: MetricDefinition,
  total: Readonly<Record<string, number>>,
): Shown {
  const fullName = PREFIX + name;
  const { help, kind, label } = metric;
  const values =
    metric.kind === 'histogram'
      ? metric.values.flatMap((labelValue) => {
          const labels = label === undefined ? {} : { [label]: labelValue };
          return bucketsOf(
            fullName,
            labels,
            metric.buckets,
            (part) => total[`${name}|${labelValue}|${part}`] ?? 0,
          );
        })
      : label === undefined
        ? [{ value: total[name] ?? 0, labels: {}, metricName: fullName }]
        : (metric.values ?? []).map((labelValue) => ({
            value: total[`${name}|${labelValue}`] ?? 0,
            labels: { [label]: labelValue },
            metricName: fullName,
          }));
  return { name: fullName, help, type: kind, values, aggregator: 'sum' };
}

/** Cumulative buckets, sum and count of one histogram. */
function bucketsOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  read: (part: string) => number,
): readonly Value[] {
  let count = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((le) => {
    count += read(le);
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: read('sum'), labels: { ...labels }, metricName: `${name}_sum` },
    { value: count, labels: { ...labels }, metricName: `${name}_count` },
  ];
}

/** The start time, named as in Prometheus' client libraries, and the build. */
function processMetrics(version: string): readonly Shown[] {
  const gauge = (name: string, help: string, value: number, labels: Record<string, string> = {}): Shown => ({
    name,
    help,
    type: 'gauge',
    values: [{ value, labels, metricName: name }],
    aggregator: 'sum',
  });
  return [
    gauge('smartlink_build_info', 'Always 1; what runs is in the labels', 1, {
      service: 'redirect',
      version,
      node: process.version,
    }),
    gauge(
      'process_start_time_seconds',
      'When the primary was started, in seconds since 1970',
      startedAtSeconds,
    ),
  ];
}

const startedAtSeconds = Math.round(performance.timeOrigin / 10) / 100;

function addTo(total: Record<string, number>, report: CounterReport): void {
  for (const [key, value] of Object.entries(report)) {
    const known = total[key] ?? 0;
    const isMaximum = TAKEN_AS_MAXIMUM.some((name) => key.startsWith(name));
    total[key] = isMaximum ? Math.max(known, value) : known + value;
  }
}

import { readFileSync, readdirSync } from 'node:fs';

const FOLDERS = ['prometheus/rules', 'grafana/dashboards'].map(
  (folder) => new URL(`../../../deploy/monitoring/${folder}/`, import.meta.url),
);
const SELECTOR = /(?<!:)\b(smartlink_\w+)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)\s*(?:=~|=)\s*\\?"([^"\\]*)/g;
/** Labels that Prometheus adds to each series of a target. */
const TARGET_LABELS = ['job', 'instance', 'cluster', 'le'];

/** One use of a metric in an expression of a rule or dashboard of deploy/monitoring. */
export type MetricUse = {
  readonly file: string;
  /** Without the suffix of a histogram's series. */
  readonly metric: string;
  /** Values or alternatives that its matchers name, by label. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
};

/** Every use of a metric of Smartlink in the rules and dashboards of deploy/monitoring. */
export function readMetricUses(): readonly MetricUse[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder).flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*#/.test(line))
        .flatMap((line) => usesIn(file, line)),
    ),
  );
}

function usesIn(file: string, line: string): readonly MetricUse[] {
  return [...line.matchAll(SELECTOR)].map(([, name = '', matchers = '']) => ({
    file,
    metric: name.replace(/_(?:bucket|sum|count)$/, ''),
    labels: new Map(
      [...matchers.matchAll(MATCHER)]
        .map(([, label = '', value = '']) => [label, value.split('|')] as const)
        .filter(([label]) => !TARGET_LABELS.includes(label)),
    ),
  }));
}

/** Metrics, labels and label values that are used but not in `exposition`, Prometheus' text format. */
export function findMissingMetrics(uses: readonly MetricUse[], exposition: string): readonly string[] {
  const exported = readExposition(exposition);
  const problems = uses.flatMap(({ file, metric, labels }) => {
    const found = exported.get(metric);
    if (found === undefined) return [`${file}: ${metric} is not exported`];
    return [...labels].flatMap(([label, alternatives]) => {
      const values = [...(found.get(label) ?? [])];
      return alternatives
        .filter((pattern) => !values.some((value) => new RegExp(`^(?:${pattern})$`).test(value)))
        .map((pattern) => `${file}: ${metric}{${label}="${pattern}"} is not exported`);
    });
  });
  return [...new Set(problems)];
}

/**
 * Label values by metric and label. Throws if a series is repeated, if `_total` does not mark exactly our counters, or if
 * the buckets of a histogram are not cumulative.
 */
function readExposition(text: string): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>();
  const series = new Set<string>();
  const counts = new Map<string, number>();
  let metric = '';
  for (const line of text.trimEnd().split('\n')) {
    const [, described, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    if (described !== undefined) {
      metric = described;
      const isCounter = metric.endsWith('_total');
      if (metric.startsWith('smartlink_') && isCounter !== (type === 'counter')) throw new Error(line);
      metrics.set(metric, new Map());
    }
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', labelText = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name.startsWith(metric)) throw new Error(`Misplaced sample: ${line}`);
    const key = `${name}{${labelText}}`;
    if (series.has(key)) throw new Error(`Repeated series: ${line}`);
    series.add(key);
    for (const [, label = '', labelValue = ''] of labelText.matchAll(/(\w+)="([^"]*)"/g)) {
      const labels = metrics.get(metric);
      labels?.set(label, (labels.get(label) ?? new Set()).add(labelValue));
    }
    // Buckets are in ascending order, then come sum and count.
    const histogram = `${metric}{${labelText.replace(/,?le="[^"]*"/, '')}}`;
    const before = counts.get(histogram) ?? 0;
    if (name === `${metric}_bucket`) counts.set(histogram, Number(value));
    const isFalling = name === `${metric}_bucket` && Number(value) < before;
    const isOtherCount = name === `${metric}_count` && counts.has(histogram) && Number(value) !== before;
    if (isFalling || isOtherCount) throw new Error(`Buckets are not cumulative: ${line}`);
  }
  return metrics;
}

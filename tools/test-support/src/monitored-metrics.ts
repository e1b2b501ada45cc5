import { readFileSync, readdirSync } from 'node:fs';
import type { ShownMetric } from './metrics-exposition.js';

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

/** A sentence for each metric, label or label value that is used and not exported. */
export function findMissingMetrics(
  uses: readonly MetricUse[],
  exported: ReadonlyMap<string, ShownMetric>,
): readonly string[] {
  const problems = uses.flatMap(({ file, metric, labels }) => {
    const found = exported.get(metric);
    if (found === undefined) return [`${file}: ${metric} is not exported`];
    return [...labels].flatMap(([label, alternatives]) => {
      const values = [...(found.labels.get(label) ?? [])];
      return alternatives
        .filter((pattern) => !values.some((value) => new RegExp(`^(?:${pattern})$`).test(value)))
        .map((pattern) => `${file}: ${metric}{${label}="${pattern}"} is not exported`);
    });
  });
  return [...new Set(problems)];
}

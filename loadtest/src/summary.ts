import { countOf } from './k6-summary.js';
import type { K6Metric, K6Summary } from './k6-summary.js';
import { thresholdsOf } from './thresholds.js';

const SHAPES = ['redirect', 'page', 'not_modified', 'cold_page', 'not_found', 'gone', 'unavailable', 'head'];
const FIGURES = ['med', 'p(95)', 'p(99)', 'max'];

/** Returns what a run has shown, as lines for a terminal: rates, latencies by kind of answer, thresholds. */
export function describeSummary(summary: K6Summary): readonly string[] {
  const { metrics, state } = summary;
  const seconds = state.testRunDurationMs / 1000;
  const visits = countOf(summary, 'visits_sent');
  const unanswered = visits - countOf(summary, 'visits_answered');
  const dropped = countOf(summary, 'dropped_iterations');
  const rate = (visits / seconds).toFixed(0);
  return [
    `${visits} visits in ${seconds.toFixed(1)} s, ${rate} a second; ${countOf(summary, 'visits_failed')} answered wrongly or not at all` +
      (unanswered > 0 ? `, of ${unanswered} k6 saw no answer` : '') +
      (dropped > 0 ? `; ${dropped} more were not begun, for k6 had no virtual user free` : ''),
    '',
    `${'milliseconds'.padEnd(14)}${[...FIGURES, 'visits'].map((name) => name.padStart(10)).join('')}`,
    ...SHAPES.flatMap((shape) => describeTrend(shape, metrics[`duration_${shape}`])),
    // Where the API is called as well, its calls are not among them.
    ...describeTrend('all', metrics['http_req_duration{name:visit}'] ?? metrics['http_req_duration'], visits),
    '',
    ...describeThresholds(summary),
  ];
}

function describeTrend(name: string, metric: K6Metric | undefined, visits?: number): readonly string[] {
  if (metric === undefined) return [];
  const figures = FIGURES.map((figure) => (metric.values[figure] ?? 0).toFixed(2).padStart(10));
  // k6 tells no count of a trend that has no count among summaryTrendStats.
  const count = visits ?? metric.values['count'];
  return [`${name.padEnd(14)}${figures.join('')}${count === undefined ? '' : String(count).padStart(10)}`];
}

function describeThresholds(summary: K6Summary): readonly string[] {
  // Those of a step that was not reached say nothing.
  const measured = thresholdsOf(summary).filter(
    ({ metric }) =>
      !metric.includes('{') ||
      (summary.metrics[metric]?.values['count'] !== 0 && !metric.includes('{third:')),
  );
  return measured.map(({ text, holds }) => `${holds ? '✓' : '✗'} ${text}`);
}

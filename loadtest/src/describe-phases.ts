import { planOutages } from './outage-plan.js';
import type { Settings } from './settings.js';
import { countOf } from './k6-summary.js';
import type { K6Summary } from './k6-summary.js';

/** Returns how visits to links fared in each phase of the outages, and in how many of each kind answers were wrong. */
export function describePhases(summary: K6Summary, settings: Settings): readonly string[] {
  const names = new Set(planOutages(settings).phases.map(({ name }) => name));
  const columns = ['visits', 'wrong', 'med', 'p99', 'max ms'].map((name) => name.padStart(10));
  const unavailable = countOf(summary, 'seen_unavailable');
  return [
    '',
    `  ${'known links'.padEnd(18)}${columns.join('')}`,
    ...[...names].map((name) => describePhase(summary, name)),
    `  ${unavailable} visits to slugs that nobody has were answered 503, as is right while Postgres is away.`,
  ];
}

function describePhase(summary: K6Summary, name: string): string {
  const metric = summary.metrics[`http_req_duration{scenario:known,phase:${name}}`];
  const wrong = countOf(summary, `visits_failed{phase:${name}}`);
  const isQuick = Object.values(metric?.thresholds ?? {}).every(({ ok }) => ok);
  const figures = ['med', 'p(99)', 'max'].map((figure) =>
    (metric?.values[figure] ?? 0).toFixed(2).padStart(10),
  );
  const counts = [metric?.values['count'] ?? 0, wrong].map((count) => String(count).padStart(10));
  return `${wrong === 0 && isQuick ? '✓' : '✗'} ${name.padEnd(18)}${[...counts, ...figures].join('')}`;
}

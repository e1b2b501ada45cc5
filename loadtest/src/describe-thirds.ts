import type { K6Summary } from './k6-summary.js';

/** Returns how long answers took in the first, the second and the last third of a run. */
export function describeThirds({ metrics }: K6Summary): readonly string[] {
  const rows = ['first', 'second', 'last'].map((third) => {
    const values = metrics[`http_req_duration{third:${third}}`]?.values ?? {};
    const figures = ['med', 'p(95)', 'p(99)', 'max'].map((name) =>
      (values[name] ?? 0).toFixed(2).padStart(10),
    );
    return `${`${third} third`.padEnd(14)}${figures.join('')}${String(values['count'] ?? 0).padStart(10)}`;
  });
  return ['', ...rows];
}

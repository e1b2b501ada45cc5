import type { K6Summary } from './k6-summary.js';

const CALLS = ['create', 'get', 'list', 'patch', 'delete'];
const CHANGES = ['create', 'patch', 'delete'];
const FIGURES = ['med', 'p(95)', 'p(99)', 'max'];

/** Returns how long the API took to answer, and how long after its answer visitors saw a change, in milliseconds. */
export function describeChanges({ metrics }: K6Summary): readonly string[] {
  const row = (name: string, metric: string) => {
    const values = metrics[metric]?.values ?? {};
    const figures = FIGURES.map((figure) => (values[figure] ?? 0).toFixed(2).padStart(10));
    return `${name.padEnd(14)}${figures.join('')}${String(values['count'] ?? 0).padStart(10)}`;
  };
  const head = (name: string, what: string) =>
    `${name.padEnd(14)}${[...FIGURES, what].map((figure) => figure.padStart(10)).join('')}`;
  return [
    '',
    head('API', 'calls'),
    ...CALLS.map((call) => row(call, `http_req_duration{name:${call}}`)),
    '',
    head('until seen', 'changes'),
    ...CHANGES.map((change) => row(change, `staleness{change:${change}}`)),
    row('all', 'staleness'),
  ];
}

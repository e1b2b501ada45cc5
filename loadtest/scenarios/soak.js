// Question: Does anything grow or slow down when the mix goes on for hours?
import exec from 'k6/execution';
import { visitMixed } from './lib/mixed-visit.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

const THIRDS = ['first', 'second', 'last'];
const durationMs = number('DURATION_SECONDS') * 1000;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { soak: steadyRate() },
  thresholds: {
    ...steadyThresholds(),
    // These always hold: a figure of a part of the run is told only where a threshold asks for it.
    ...Object.fromEntries(THIRDS.map((third) => [`http_req_duration{third:${third}}`, ['max>=0']])),
  },
};

export default function visitOverHours() {
  const third = Math.floor(((Date.now() - exec.scenario.startTime) / durationMs) * THIRDS.length);
  exec.vu.metrics.tags.third = THIRDS[Math.min(third, THIRDS.length - 1)];
  visitMixed();
}

// Question: At which rate do answers become slow or wrong, when it rises step by step?
import exec from 'k6/execution';
import { visitMixed } from './lib/mixed-visit.js';
import { EVERY_SCENARIO, number, virtualUsers } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

// Connections, the first look-ups of links, and the compiler of the services' own runtime.
const WARM_UP_SECONDS = 5;
const stepSeconds = number('STEP_SECONDS');
const rates = Array.from(
  { length: number('STEPS_MAX') },
  (_, step) => number('RATE') + step * number('STEP_RATE'),
);

export const options = {
  ...EVERY_SCENARIO,
  scenarios: {
    breakpoint: {
      executor: 'ramping-arrival-rate',
      startRate: rates[0],
      timeUnit: '1s',
      stages: [
        { target: rates[0], duration: `${WARM_UP_SECONDS}s` },
        ...rates.flatMap((target) => [
          { target, duration: '0s' },
          { target, duration: `${stepSeconds}s` },
        ]),
      ],
      ...virtualUsers(),
    },
  },
  thresholds: {
    visits_failed: [{ threshold: 'count==0', abortOnFail: true }],
    // A step's worth of a twentieth of the first: a hiccup is not the end.
    dropped_iterations: [
      { threshold: `count<${Math.max(10, (rates[0] * stepSeconds) / 20)}`, abortOnFail: true },
    ],
    ...Object.fromEntries(rates.map(thresholdOf)),
  },
};

// Each step by itself: over all of them the slow end would be hidden by the quick beginning for long.
function thresholdOf(rate) {
  const isQuick = `p(99)<${number('P99_MS')}`;
  return [
    `http_req_duration{rate:${rate}}`,
    [{ threshold: isQuick, abortOnFail: true, delayAbortEval: '1s' }],
  ];
}

export default function visitAtRate() {
  const seconds = (Date.now() - exec.scenario.startTime) / 1000 - WARM_UP_SECONDS;
  const step = Math.min(Math.floor(seconds / stepSeconds), rates.length - 1);
  exec.vu.metrics.tags.rate = step < 0 ? 'warm-up' : String(rates[step]);
  visitMixed();
}

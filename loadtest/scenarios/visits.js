// The scenarios hot, mixed, spike, soak and breakpoint.
import exec from 'k6/execution';
import { judgeUrl, slugOf } from './lib/judge.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds, virtualUsers } from './lib/run.js';
import { AGENTS } from './lib/user-agents.js';
import { visit, visitMixed } from './lib/visit.js';

const name = __ENV.SCENARIO;
const plan = { hot, mixed, spike, soak, breakpoint }[name]();

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { [name]: plan.executor },
  thresholds: plan.thresholds,
};

export default plan.visit;

function hot() {
  const links = number('LINKS');
  return {
    executor: steadyRate(),
    thresholds: steadyThresholds(),
    visit: () => {
      const link = exec.scenario.iterationInTest % links;
      visit({ path: `/${slugOf(link)}`, agent: AGENTS[0], judge: judgeUrl(link) });
    },
  };
}

function mixed() {
  return { executor: steadyRate(), thresholds: steadyThresholds(), visit: visitMixed };
}

function soak() {
  const thirds = ['first', 'second', 'last'];
  const durationMs = number('DURATION_SECONDS') * 1000;
  return {
    executor: steadyRate(),
    thresholds: {
      ...steadyThresholds(),
      // These always hold: k6 keeps figures of a part of the run only where a threshold asks for them.
      ...Object.fromEntries(thirds.map((third) => [`http_req_duration{third:${third}}`, ['max>=0']])),
    },
    visit: () => {
      const third = Math.floor(((Date.now() - exec.scenario.startTime) / durationMs) * thirds.length);
      exec.vu.metrics.tags.third = thirds[Math.min(third, thirds.length - 1)];
      visitMixed();
    },
  };
}

function spike() {
  const rate = number('RATE');
  const peak = number('PEAK_RATE');
  const peakSeconds = number('PEAK_SECONDS');
  // A third of the rest before the spike, two thirds after it.
  const calmSeconds = Math.max(3, number('DURATION_SECONDS') - peakSeconds - 2);
  const beforeSeconds = Math.floor(calmSeconds / 3);
  const visits = calmSeconds * rate + (peakSeconds + 1) * peak;
  return {
    executor: rampingRate(rate, Infinity, [
      { target: rate, duration: `${beforeSeconds}s` },
      { target: peak, duration: '1s' },
      { target: peak, duration: `${peakSeconds}s` },
      { target: rate, duration: '1s' },
      { target: rate, duration: `${calmSeconds - beforeSeconds}s` },
    ]),
    thresholds: {
      visits_failed: ['count==0'],
      http_req_duration: [`p(99)<${number('P99_MS')}`],
      // What k6 could not begin in time was not asked of the stack.
      dropped_iterations: [`count<=${(visits * number('DROPPED_PERCENT')) / 100}`],
    },
    visit: visitMixed,
  };
}

function breakpoint() {
  // For connections, the first look-ups of links, and V8's compiler.
  const warmUpSeconds = 5;
  const stepSeconds = number('STEP_SECONDS');
  const rates = JSON.parse(__ENV.STEP_RATES);
  const isQuick = `p(99)<${number('P99_MS')}`;
  // Each step by itself: over all of them the quick beginning would hide the slow end for long.
  const thresholdOf = (rate) => [
    `http_req_duration{rate:${rate}}`,
    [{ threshold: isQuick, abortOnFail: true, delayAbortEval: '1s' }],
  ];
  return {
    executor: rampingRate(rates[0], undefined, [
      { target: rates[0], duration: `${warmUpSeconds}s` },
      ...rates.flatMap((target) => [
        { target, duration: '0s' },
        { target, duration: `${stepSeconds}s` },
      ]),
    ]),
    thresholds: {
      visits_failed: [{ threshold: 'count==0', abortOnFail: true }],
      // A twentieth of the first step: a hiccup is not the end.
      dropped_iterations: [
        { threshold: `count<${Math.max(10, (rates[0] * stepSeconds) / 20)}`, abortOnFail: true },
      ],
      ...Object.fromEntries(rates.map(thresholdOf)),
    },
    visit: () => {
      const seconds = (Date.now() - exec.scenario.startTime) / 1000 - warmUpSeconds;
      const step = Math.min(Math.floor(seconds / stepSeconds), rates.length - 1);
      exec.vu.metrics.tags.rate = step < 0 ? 'warm-up' : String(rates[step]);
      visitMixed();
    },
  };
}

function rampingRate(startRate, ready, stages) {
  const executor = 'ramping-arrival-rate';
  return { executor, startRate, timeUnit: '1s', stages, ...virtualUsers(ready) };
}

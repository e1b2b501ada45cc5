// The scenarios hot, mixed, spike, soak and breakpoint.
import exec from 'k6/execution';
import { judgeUrl } from './lib/judge.js';
import { EVERY_SCENARIO, settings, steadyRate, steadyThresholds, virtualUsers } from './lib/settings.js';
import { BROWSER, slugOf, visit, visitMixed } from './lib/visit.js';

const plans = { hot, mixed, spike, soak, breakpoint };
const plan = plans[settings.SCENARIO]();

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { [settings.SCENARIO]: plan.executor },
  thresholds: plan.thresholds,
};

export default plan.visit;

function mixed() {
  return { executor: steadyRate(), thresholds: steadyThresholds(), visit: visitMixed };
}

function hot() {
  const visitHot = () => {
    const link = exec.scenario.iterationInTest % settings.LINKS;
    visit({ path: `/${slugOf(link)}`, agent: BROWSER, judge: judgeUrl(link) });
  };
  return { ...mixed(), visit: visitHot };
}

function soak() {
  const thirds = ['first', 'second', 'last'];
  return {
    executor: steadyRate(),
    thresholds: {
      ...steadyThresholds(),
      // Always true: k6 shows the figures of a tag only for a threshold.
      ...Object.fromEntries(thirds.map((third) => [`http_req_duration{third:${third}}`, ['max>=0']])),
    },
    visit: () => {
      const third = Math.floor((secondsOfScenario() / settings.DURATION_SECONDS) * thirds.length);
      exec.vu.metrics.tags.third = thirds[Math.min(third, thirds.length - 1)];
      visitMixed();
    },
  };
}

function spike() {
  const { RATE: rate, PEAK_RATE: peak, PEAK_SECONDS: peakSeconds } = settings;
  // A third of the remaining time before the spike, two thirds after it.
  const calmSeconds = Math.max(3, settings.DURATION_SECONDS - peakSeconds - 2);
  const beforeSeconds = Math.floor(calmSeconds / 3);
  return {
    executor: rampingRate(rate, Infinity, [
      { target: rate, duration: `${beforeSeconds}s` },
      { target: peak, duration: '1s' },
      { target: peak, duration: `${peakSeconds}s` },
      { target: rate, duration: '1s' },
      { target: rate, duration: `${calmSeconds - beforeSeconds}s` },
    ]),
    thresholds: steadyThresholds('', calmSeconds * rate + (peakSeconds + 1) * peak),
    visit: visitMixed,
  };
}

function breakpoint() {
  // Connections, first lookups of links, V8's compiler.
  const warmUpSeconds = 5;
  const { STEP_SECONDS: stepSeconds, STEP_RATES: rates, P99_MS } = settings;
  const ending = (threshold) => ({ threshold, abortOnFail: true, delayAbortEval: '1s' });
  return {
    executor: rampingRate(rates[0], undefined, [
      { target: rates[0], duration: `${warmUpSeconds}s` },
      ...rates.flatMap((target) => [
        { target, duration: '0s' },
        { target, duration: `${stepSeconds}s` },
      ]),
    ]),
    thresholds: {
      visits_failed: [ending('count==0')],
      // A twentieth of the first step: a short pause must not end the run.
      dropped_iterations: [ending(`count<${Math.max(10, (rates[0] * stepSeconds) / 20)}`)],
      // Per step: over the whole run the fast steps would hide the slow ones.
      ...Object.fromEntries(
        rates.map((rate) => [`http_req_duration{rate:${rate}}`, [ending(`p(99)<${P99_MS}`)]]),
      ),
    },
    visit: () => {
      const step = Math.floor((secondsOfScenario() - warmUpSeconds) / stepSeconds);
      exec.vu.metrics.tags.rate = step < 0 ? 'warm-up' : String(rates[step] ?? rates.at(-1));
      visitMixed();
    },
  };
}

function secondsOfScenario() {
  return (Date.now() - exec.scenario.startTime) / 1000;
}

function rampingRate(startRate, ready, stages) {
  const executor = 'ramping-arrival-rate';
  return { executor, startRate, timeUnit: '1s', stages, ...virtualUsers(ready) };
}

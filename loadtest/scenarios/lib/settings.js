if (!__ENV.SETTINGS) throw new Error('SETTINGS is not set: start this script with npm run loadtest');

/** Settings of the run, from the launcher (src/run-scenario.ts). */
export const settings = JSON.parse(__ENV.SETTINGS);

/** Options of all scenarios: redirects are not followed, bodies are discarded. */
export const EVERY_SCENARIO = {
  discardResponseBodies: true,
  maxRedirects: 0,
  summaryTrendStats: ['avg', 'min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
};

/**
 * Thresholds of steady scenarios: every answer correct, p99 below the limit, and few visits that k6 could not start.
 * `which` selects the visits whose duration counts, as `{tag:value}`.
 */
export function steadyThresholds(which = '', visits = settings.RATE * settings.DURATION_SECONDS) {
  return {
    visits_failed: ['count==0'],
    [`http_req_duration${which}`]: [`p(99)<${settings.P99_MS}`],
    dropped_iterations: [`count<=${(visits * settings.DROPPED_PERCENT) / 100}`],
  };
}

/** An executor that starts `rate` visits per second for the whole run, regardless of how long answers take. */
export function steadyRate(rate = settings.RATE) {
  const duration = `${settings.DURATION_SECONDS}s`;
  return { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration, ...virtualUsers() };
}

/** Virtual users, each with one visit at a time; `ready` of them are allocated in advance, which takes memory. */
export function virtualUsers(ready = 50) {
  return { preAllocatedVUs: Math.min(settings.VUS_MAX, ready), maxVUs: settings.VUS_MAX };
}

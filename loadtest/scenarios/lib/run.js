/** A number that the launcher has set. */
export function number(name) {
  const value = Number(__ENV[name]);
  if (!__ENV[name] || Number.isNaN(value))
    throw new Error(`${name} is not set: run this by npm run loadtest`);
  return value;
}

/** Options of all scenarios: redirects are not followed, bodies are thrown away. */
export const EVERY_SCENARIO = {
  discardResponseBodies: true,
  maxRedirects: 0,
  summaryTrendStats: ['avg', 'min', 'med', 'p(95)', 'p(99)', 'max', 'count'],
};

/**
 * Thresholds of steady scenarios: every answer right, few slow, and k6 itself able to keep the rate. `which` limits the
 * visits whose duration counts, as `{tag:value}`.
 */
export function steadyThresholds(which = '') {
  const visits = number('RATE') * number('DURATION_SECONDS');
  return {
    visits_failed: ['count==0'],
    [`http_req_duration${which}`]: [`p(99)<${number('P99_MS')}`],
    dropped_iterations: [`count<=${(visits * number('DROPPED_PERCENT')) / 100}`],
  };
}

/** An executor that begins `RATE` visits a second for `DURATION_SECONDS`, however long answers take. */
export function steadyRate() {
  return {
    executor: 'constant-arrival-rate',
    rate: number('RATE'),
    timeUnit: '1s',
    duration: `${number('DURATION_SECONDS')}s`,
    ...virtualUsers(),
  };
}

/** Virtual users up to the setting, each with one visit under way; `ready` are made beforehand, which takes memory. */
export function virtualUsers(ready = 50) {
  const most = number('VUS_MAX');
  return { preAllocatedVUs: Math.min(most, ready), maxVUs: most };
}

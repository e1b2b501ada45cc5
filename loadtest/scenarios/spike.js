// Question: What do visitors see when the rate rises many times over in a second, and how soon is all as before?
import { visitMixed } from './lib/mixed-visit.js';
import { EVERY_SCENARIO, number, virtualUsers } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

const rate = number('RATE');
const peak = number('PEAK_RATE');
const peakSeconds = number('PEAK_SECONDS');
// A third of what is left before the spike, two thirds after it.
const calmSeconds = Math.max(3, number('DURATION_SECONDS') - peakSeconds - 2);
const beforeSeconds = Math.floor(calmSeconds / 3);
const visits = calmSeconds * rate + (peakSeconds + 1) * peak;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: {
    spike: {
      executor: 'ramping-arrival-rate',
      startRate: rate,
      timeUnit: '1s',
      stages: [
        { target: rate, duration: `${beforeSeconds}s` },
        { target: peak, duration: '1s' },
        { target: peak, duration: `${peakSeconds}s` },
        { target: rate, duration: '1s' },
        { target: rate, duration: `${calmSeconds - beforeSeconds}s` },
      ],
      ...virtualUsers(Infinity),
    },
  },
  thresholds: {
    visits_failed: ['count==0'],
    http_req_duration: [`p(99)<${number('P99_MS')}`],
    // What k6 could not begin in time was not asked of the stack.
    dropped_iterations: [`count<=${(visits * number('DROPPED_PERCENT')) / 100}`],
  },
};

export default visitMixed;

// Question: Does anything grow or slow down when the mix goes on for hours?
import { visitMixed } from './lib/mixed-visit.js';
import { EVERY_SCENARIO, steadyRate, steadyThresholds } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { soak: steadyRate() },
  thresholds: steadyThresholds(),
};

export default visitMixed;

// Question: How does what real visitors do fare: many links by Zipf, their browsers and bots, scans, and wrong addresses?
import { visitMixed } from './lib/mixed-visit.js';
import { EVERY_SCENARIO, steadyRate, steadyThresholds } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { mixed: steadyRate() },
  thresholds: steadyThresholds(),
};

export default visitMixed;

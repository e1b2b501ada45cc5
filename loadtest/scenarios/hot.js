// Question: How do visits to a few hot links fare at a steady rate?
import exec from 'k6/execution';
import { AGENTS } from './lib/user-agents.js';
import { judgeUrl, slugOf } from './lib/links.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/settings.js';
import { visit } from './lib/visit.js';

export { handleSummary } from './lib/summary.js';

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { hot: steadyRate() },
  thresholds: steadyThresholds(),
};

const links = number('LINKS');

export default function visitHotLink() {
  const link = exec.scenario.iterationInTest % links;
  visit({ path: `/${slugOf(link)}`, agent: AGENTS[0], judge: judgeUrl(link) });
}

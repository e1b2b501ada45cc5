import exec from 'k6/execution';
import { agentAt } from './agents.js';
import { isApp, judgeApp, judgeUnknown, judgeUrl, slugOf } from './links.js';
import { drawsOf } from './random.js';
import { number } from './settings.js';
import { visit } from './visit.js';
import { createZipf } from './zipf.js';

export const SHARES = { unknown: 0.02, head: 0.01, scan: 0.05 };

const seed = number('SEED');
const drawRank = createZipf(number('LINKS'), number('ZIPF_EXPONENT'));

/** One visit of the mix: links by Zipf, agents by their shares, some scans, some HEADs, some slugs that nobody has. */
export function visitMixed() {
  const draw = drawsOf(seed, exec.scenario.iterationInTest);
  const agent = agentAt(draw());
  const isHead = draw() < SHARES.head;
  const isScan = draw() < SHARES.scan;
  const isUnknown = draw() < SHARES.unknown;
  const link = drawRank(draw());
  const slug = isUnknown ? `${slugOf(link)}none` : slugOf(link);
  const judge = isUnknown ? judgeUnknown : isApp(link) ? judgeApp(link, agent.platform) : judgeUrl(link);
  visit({
    path: isScan ? `/q/${slug}` : `/${slug}`,
    isHead,
    isScan,
    agent,
    headers: { 'X-Forwarded-For': addressFrom(draw()) },
    judge,
  });
}

// Any address at all: it is data, from which the country is read.
function addressFrom(random) {
  const value = Math.floor(random * 0x100000000);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

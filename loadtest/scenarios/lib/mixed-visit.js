import exec from 'k6/execution';
import { agentAt } from './agents.js';
import { isApp, judgeApp, judgeUnknown, judgeUrl, slugOf } from './links.js';
import { drawsOf } from './random.js';
import { number } from './settings.js';
import { visit } from './visit.js';
import { createZipf } from './zipf.js';

const SHARES = { unknown: 0.02, head: 0.01, scan: 0.05 };

const seed = number('SEED');
const drawLink = createZipf(number('LINKS'), number('ZIPF_EXPONENT'));

/** One visit of the mix: links by Zipf, agents by their shares, some scans, some HEADs, some slugs that nobody has. */
export function visitMixed() {
  const draw = drawsOf(seed, exec.scenario.iterationInTest);
  const isUnknown = draw() < SHARES.unknown;
  const link = drawLink(draw());
  if (isUnknown) visitAsSomebody(draw, `${slugOf(link)}none`, () => judgeUnknown);
  else visitLink(draw, link);
}

/** A visit to a link by its number, or to one by Zipf, as somebody of the mix. */
export function visitLink(draw, link = drawLink(draw())) {
  visitAsSomebody(draw, slugOf(link), ({ platform }) =>
    isApp(link) ? judgeApp(link, platform) : judgeUrl(link),
  );
}

/** A visit to a slug as somebody of the mix; `judgeFor` returns what judges the answer to an agent. */
export function visitAsSomebody(draw, slug, judgeFor) {
  const agent = agentAt(draw());
  const isHead = draw() < SHARES.head;
  const isScan = draw() < SHARES.scan;
  visit({
    path: isScan ? `/q/${slug}` : `/${slug}`,
    isHead,
    isScan,
    agent,
    headers: { 'X-Forwarded-For': addressFrom(draw()) },
    judge: judgeFor(agent),
  });
}

// Any address at all: it is data, from which the country is read.
function addressFrom(random) {
  const value = Math.floor(random * 0x100000000);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

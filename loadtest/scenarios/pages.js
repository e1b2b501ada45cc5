// Question: How do hosted pages fare, of each type, in each encoding, and to visitors who have kept them (If-None-Match)?
import exec from 'k6/execution';
import { agentAt } from './lib/agents.js';
import { slugOf } from './lib/links.js';
import { drawsOf } from './lib/random.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/settings.js';
import { visit } from './lib/visit.js';

export { handleSummary } from './lib/summary.js';

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { pages: steadyRate() },
  thresholds: steadyThresholds(),
};

const links = number('LINKS');
const seed = number('SEED');
const ENCODINGS = ['br', 'gzip', 'identity'];
const LANGUAGES = ['en-GB,en;q=0.9', 'az,en;q=0.5', 'ru,en;q=0.5', 'tr,en;q=0.5'];
const KEPT_SHARE = 0.4;

// What this virtual user has seen, as a browser keeps it: the tag of a page by slug, language and encoding.
const kept = new Map();

export default function visitPage() {
  const draw = drawsOf(seed, exec.scenario.iterationInTest);
  const agent = agentAt(draw());
  const slug = slugOf(Math.floor(draw() * links));
  const encoding = pick(ENCODINGS, draw());
  const language = pick(LANGUAGES, draw());
  const key = [slug, encoding, language].join();
  const tag = draw() < KEPT_SHARE ? kept.get(key) : undefined;
  const headers = { 'Accept-Encoding': encoding, 'Accept-Language': language };
  if (tag !== undefined) headers['If-None-Match'] = tag;
  const response = visit({ path: `/${slug}`, agent, headers, judge: judgePage(encoding, tag) });
  if (response.status === 200 && response.headers.Etag) kept.set(key, response.headers.Etag);
}

function judgePage(encoding, tag) {
  return ({ status, headers }) => {
    if (status === 304) return { outcome: 'page', isRight: tag !== undefined };
    if (status !== 200) return { outcome: null, isRight: false };
    const isEncoded = (headers['Content-Encoding'] ?? 'identity') === encoding;
    return { outcome: 'page', isRight: tag === undefined && isEncoded && Boolean(headers.Etag) };
  };
}

function pick(list, random) {
  return list[Math.floor(random * list.length)];
}

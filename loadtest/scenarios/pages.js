// Hosted pages of each type, in each encoding, and with If-None-Match.
import exec from 'k6/execution';
import { drawsOf } from './lib/draws.js';
import { slugOf } from './lib/judge.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/run.js';
import { AGENTS } from './lib/user-agents.js';
import { agentAt, visit, visitTogether } from './lib/visit.js';

// The kernel spreads connections over the redirect processes: each gets some of 24.
const CONNECTIONS = 24;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { pages: steadyRate() },
  setupTimeout: '600s',
  batch: CONNECTIONS,
  batchPerHost: CONNECTIONS,
  // Making the pages takes longer.
  thresholds: steadyThresholds('{scenario:pages}'),
};

const links = number('LINKS');
const seed = number('SEED');
const ENCODINGS = ['br', 'gzip', 'identity'];
const LANGUAGES = ['en-GB,en;q=0.9', 'az,en;q=0.5', 'ru,en;q=0.5', 'tr,en;q=0.5'];
const KEPT_SHARE = 0.4;

// Each process makes each page once, in each language; the first visits are kept as cold_page. Returns the tags that a browser
// would have kept, by slug, language and encoding.
export function setup() {
  const tags = {};
  for (let link = 0; link < links; link += 1) {
    for (const language of LANGUAGES) {
      for (const encoding of ENCODINGS) {
        const slug = slugOf(link);
        const headers = { 'Accept-Encoding': encoding, 'Accept-Language': language };
        const planned = { path: `/${slug}`, agent: AGENTS[0], headers, judge: judgePage(encoding) };
        const isFirst = encoding === ENCODINGS[0];
        const [response] = visitTogether(Array(isFirst ? CONNECTIONS : 1).fill(planned), 'cold_page');
        tags[[slug, language, encoding].join()] = response.headers.Etag;
      }
    }
  }
  return tags;
}

export default function visitPage(tags) {
  const draw = drawsOf(seed, exec.scenario.iterationInTest);
  const agent = agentAt(draw());
  const slug = slugOf(Math.floor(draw() * links));
  const encoding = pick(ENCODINGS, draw());
  const language = pick(LANGUAGES, draw());
  // Bots that make previews of links keep nothing.
  const keeps = draw() < KEPT_SHARE && !agent.isBot;
  const tag = keeps ? tags[[slug, language, encoding].join()] : undefined;
  const headers = { 'Accept-Encoding': encoding, 'Accept-Language': language };
  if (tag !== undefined) headers['If-None-Match'] = tag;
  visit({ path: `/${slug}`, agent, headers, judge: judgePage(encoding, tag) });
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

// Hosted pages of each type, in each encoding, and with If-None-Match.
import { EVERY_SCENARIO, settings, steadyRate, steadyThresholds } from './lib/settings.js';
import { BROWSER, pick, randomAgent, seedVisit, slugOf, visit, visitTogether } from './lib/visit.js';

// The kernel distributes connections over the redirect processes: each process gets some of 24.
const CONNECTIONS = 24;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { pages: steadyRate() },
  setupTimeout: '600s',
  batch: CONNECTIONS,
  batchPerHost: CONNECTIONS,
  // Without the first visits, for which the pages are rendered.
  thresholds: steadyThresholds('{scenario:pages}'),
};

const ENCODINGS = ['br', 'gzip', 'identity'];
const LANGUAGES = ['en-GB,en;q=0.9', 'az,en;q=0.5', 'ru,en;q=0.5', 'tr,en;q=0.5'];
const CACHED_SHARE = 0.4;

const slugs = Array.from({ length: settings.LINKS }, (_, link) => slugOf(link));

/**
 * Has each process render each page in each language; these visits count as cold_page. Returns the ETags that a browser
 * would have cached, by slug, language and encoding.
 */
export function setup() {
  const tags = {};
  for (const slug of slugs) {
    for (const language of LANGUAGES) {
      for (const encoding of ENCODINGS) {
        const planned = pageVisit(slug, language, encoding, BROWSER);
        const count = encoding === ENCODINGS[0] ? CONNECTIONS : 1;
        const [response] = visitTogether(Array(count).fill(planned), 'cold_page');
        tags[[slug, language, encoding]] = response.headers.Etag;
      }
    }
  }
  return tags;
}

export default function visitPage(tags) {
  seedVisit();
  const [slug, language, encoding] = [slugs, LANGUAGES, ENCODINGS].map(pick);
  const agent = randomAgent();
  // Bots that make link previews have no cache.
  const isCached = Math.random() < CACHED_SHARE && !agent.isBot;
  visit(pageVisit(slug, language, encoding, agent, isCached ? tags[[slug, language, encoding]] : undefined));
}

function pageVisit(slug, language, encoding, agent, tag) {
  const headers = { 'Accept-Encoding': encoding, 'Accept-Language': language };
  if (tag !== undefined) headers['If-None-Match'] = tag;
  return { path: `/${slug}`, agent, headers, judge: judgePage(encoding, tag) };
}

function judgePage(encoding, tag) {
  return ({ status, headers }) => {
    if (status === 304) return { outcome: 'page', isRight: tag !== undefined };
    if (status !== 200) return { outcome: null, isRight: false };
    const isEncoded = (headers['Content-Encoding'] ?? 'identity') === encoding;
    return { outcome: 'page', isRight: tag === undefined && isEncoded && Boolean(headers.Etag) };
  };
}

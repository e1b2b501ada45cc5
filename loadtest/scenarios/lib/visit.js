import { randomSeed } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { isApp, judgeApp, judgeUnknown, judgeUrl, kindsOf } from './judge.js';
import { settings } from './settings.js';
import { createZipf } from './zipf.js';

const sent = new Counter('visits_sent');
/** Fewer than sent if k6 ended before the answers arrived. */
const answered = new Counter('visits_answered');
/** Answered incorrectly, or not at all. */
const failed = new Counter('visits_failed');

const COUNTED = ['click', 'scan', 'target', 'page', 'fallback', 'bot', 'head', 'deleted'];
const SEEN = [...COUNTED, 'unknown', 'undecided', 'unavailable'];
const seen = Object.fromEntries(SEEN.map((kind) => [kind, new Counter(`seen_${kind}`)]));

// Durations are kept by kind of answer, most of which follow from the status.
const SHAPES = { 200: 'page', 304: 'not_modified', 404: 'not_found', 410: 'gone', 503: 'unavailable' };
const durations = {};
for (const shape of ['redirect', 'cold_page', 'head', ...Object.values(SHAPES)])
  durations[shape] = new Trend(`duration_${shape}`, true);

/** Browser of the scenarios that measure links, not visitors. */
export const BROWSER = {
  text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  platform: 'other',
  isBot: false,
};

/**
 * Makes a visit and counts its result.
 * - `path` below the public address, `isHead`, `isScan`, `agent`, `headers` in addition to those of a browser
 * - `judge` maps the response to `{ outcome, isRight }`. Outcomes: target, page, fallback, unknown (no such smartlink),
 *   unavailable (the lookup failed), deleted, undecided (the page asks the browser; no event), null (not counted)
 */
export function visit(planned) {
  sent.add(1);
  const { method, url, params } = requestOf(planned);
  const response = http.request(method, url, null, params);
  countResult(planned, response);
  return response;
}

/** Makes concurrent visits, each over its own connection; their durations count as `shape`. */
export function visitTogether(planned, shape) {
  sent.add(planned.length);
  const responses = http.batch(planned.map(requestOf));
  responses.forEach((response, index) => countResult(planned[index], response, shape));
  return responses;
}

function requestOf({ path, isHead = false, agent, headers }) {
  return {
    method: isHead ? 'HEAD' : 'GET',
    url: settings.PUBLIC_URL + path,
    params: {
      headers: {
        'User-Agent': agent.text,
        Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
        'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
        ...headers,
      },
      // k6 keeps figures by name: one name for up to 100,000 addresses.
      tags: { name: 'visit' },
    },
  };
}

function countResult({ path, isHead = false, isScan = false, agent, judge }, response, shape) {
  const { status, headers, timings } = response;
  const { outcome, isRight } = status === 0 ? { outcome: null, isRight: false } : judge(response);
  if (status !== 0) answered.add(1);
  if (!isRight) {
    failed.add(1);
    logFailure(`${path}: ${status} ${headers.Location ?? response.error} for ${agent.text}`);
  }
  if (outcome === null) return;
  for (const kind of kindsOf({ outcome, isHead, isScan, isBot: agent.isBot })) seen[kind].add(1);
  const answerShape = isHead ? 'head' : (SHAPES[status] ?? 'redirect');
  durations[shape ?? answerShape].add(timings.duration);
}

let logged = 0;

/** Logs the first failures of each virtual user. */
export function logFailure(line) {
  if (logged++ < 5) console.error(line);
}

const SHARES = { unknown: 0.02, head: 0.01, scan: 0.05 };
const drawLink = createZipf(settings.LINKS, settings.ZIPF_EXPONENT ?? 1);
// Each agent as often as its share.
const agents = new SharedArray('agents', () => JSON.parse(open(settings.AGENTS_FILE)));

/** Makes Math.random return the same numbers for the same seed and iteration in every virtual user. */
export function seedVisit() {
  const iteration = exec.scenario.iterationInTest;
  // 2^32 divided by the golden ratio, so that the iterations of two seeds do not overlap.
  randomSeed(Math.imul(settings.SEED, 0x9e3779b9) + iteration);
  return iteration;
}

/** A random visitor: `{ text, isBot, platform }`. */
export function randomAgent() {
  return pick(agents);
}

export function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** Slug of the link with this number. */
export const slugOf = (link) => `${settings.SLUG_PREFIX}${link}`;

/** One visit of the mix: links by Zipf's law, agents by their shares, some scans, HEAD requests and unknown slugs. */
export function visitMixed() {
  seedVisit();
  if (Math.random() < SHARES.unknown) visitAsAgent(`${slugOf(randomLink())}none`, () => judgeUnknown);
  else visitLink(randomLink());
}

export function randomLink() {
  return drawLink(Math.random());
}

/** A visit to the link with this number by a random agent. */
export function visitLink(link) {
  visitAsAgent(slugOf(link), ({ platform }) => (isApp(link) ? judgeApp(link, platform) : judgeUrl(link)));
}

/** A visit to a slug by a random agent; `judgeFor(agent)` judges the answer. */
export function visitAsAgent(slug, judgeFor) {
  const agent = randomAgent();
  const isHead = Math.random() < SHARES.head;
  const isScan = Math.random() < SHARES.scan;
  // A random address; the service derives the country from it.
  const address = Array.from({ length: 4 }, () => Math.floor(Math.random() * 256)).join('.');
  visit({
    path: isScan ? `/q/${slug}` : `/${slug}`,
    isHead,
    isScan,
    agent,
    headers: { 'X-Forwarded-For': address },
    judge: judgeFor(agent),
  });
}

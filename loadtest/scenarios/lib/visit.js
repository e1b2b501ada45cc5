import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { createWeighted, createZipf, drawsOf } from './draws.js';
import { isApp, judgeApp, judgeUnknown, judgeUrl, kindsOf, slugOf } from './judge.js';
import { number } from './run.js';
import { AGENTS } from './user-agents.js';

/** Where sent and answered differ, k6 has not seen the answer of a visit. */
const sent = new Counter('visits_sent');
const answered = new Counter('visits_answered');
/** Answered wrongly, or not at all. */
const failed = new Counter('visits_failed');

const COUNTED = ['click', 'scan', 'target', 'page', 'fallback', 'bot', 'head', 'deleted'];
const SEEN = [...COUNTED, 'unknown', 'undecided', 'unavailable'];
const seen = Object.fromEntries(SEEN.map((kind) => [kind, new Counter(`seen_${kind}`)]));

const SHAPES = ['redirect', 'page', 'not_modified', 'cold_page', 'not_found', 'gone', 'unavailable', 'head'];
const durations = Object.fromEntries(SHAPES.map((shape) => [shape, new Trend(`duration_${shape}`, true)]));

const FAILURES_LOGGED = 5;
let logged = 0;

/**
 * Makes a visit and counts its result.
 * - `path` behind the public address, `isHead`, `isScan`, `agent` of agentAt, `headers` beyond those of a browser
 * - `judge` takes the response and returns `{ outcome, isRight }`, the outcome one of target, page, fallback, unknown (no
 *   such smartlink), unavailable (whether there is one could not be found out), deleted, undecided (the browser is asked,
 *   and nothing recorded)
 */
export function visit(planned) {
  sent.add(1);
  const { method, url, params } = requestOf(planned);
  const response = http.request(method, url, null, params);
  countResult(planned, response);
  return response;
}

/** Makes several visits at once, each over a connection of its own; their durations are kept as `shape`. */
export function visitTogether(planned, shape) {
  sent.add(planned.length);
  const responses = http.batch(planned.map(requestOf));
  for (const [index, response] of responses.entries()) countResult(planned[index], response, shape);
  return responses;
}

function requestOf({ path, isHead = false, agent, headers }) {
  return {
    method: isHead ? 'HEAD' : 'GET',
    url: __ENV.PUBLIC_URL + path,
    // One name for all: k6 keeps figures by name, and there may be 100,000 addresses.
    params: { headers: { ...browserHeaders(agent), ...headers }, tags: { name: 'visit' } },
  };
}

function countResult({ path, isHead = false, isScan = false, agent, judge }, response, shape) {
  if (response.status === 0) {
    fail(`${path} was not answered: ${response.error}`);
    return;
  }
  answered.add(1);
  const { outcome, isRight } = judge(response);
  if (!isRight)
    fail(`${path} was answered ${response.status} ${response.headers.Location ?? ''} to ${agent.text}`);
  if (outcome === null) return;
  for (const kind of kindsOf({ outcome, isHead, isScan, isBot: agent.isBot })) seen[kind].add(1);
  durations[shape ?? shapeOf(response.status, isHead)].add(response.timings.duration);
}

function fail(what) {
  failed.add(1);
  // The first few of each virtual user.
  if (logged++ < FAILURES_LOGGED) console.error(what);
}

const SHAPES_BY_STATUS = {
  200: 'page',
  304: 'not_modified',
  404: 'not_found',
  410: 'gone',
  503: 'unavailable',
};

function shapeOf(status, isHead) {
  if (isHead) return 'head';
  return SHAPES_BY_STATUS[status] ?? 'redirect';
}

function browserHeaders(agent) {
  return {
    'User-Agent': agent.text,
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
}

const SHARES = { unknown: 0.02, head: 0.01, scan: 0.05 };

const seed = number('SEED');
// `hot` and `pages` draw no links.
const drawLink = createZipf(number('LINKS'), Number(__ENV.ZIPF_EXPONENT ?? 1));

// The list of --user-agents, each equally likely.
const given = new SharedArray('agents', () => (__ENV.AGENTS_FILE ? JSON.parse(open(__ENV.AGENTS_FILE)) : []));
const drawAgent = createWeighted(AGENTS.map(({ share }) => share));

/** The agent of a visit, `{ text, isBot, platform }`, from a number between 0 and 1. */
export function agentAt(random) {
  return given.length > 0 ? given[Math.floor(random * given.length)] : AGENTS[drawAgent(random)];
}

/** One visit of the mix: links by Zipf, agents by their shares, some scans, HEAD requests and unknown slugs. */
export function visitMixed() {
  const draw = drawsOf(seed, exec.scenario.iterationInTest);
  const isUnknown = draw() < SHARES.unknown;
  const link = drawLink(draw());
  if (isUnknown) visitAsAgent(draw, `${slugOf(link)}none`, () => judgeUnknown);
  else visitLink(draw, link);
}

/** A visit to a link, by Zipf if not given. */
export function visitLink(draw, link = drawLink(draw())) {
  visitAsAgent(draw, slugOf(link), ({ platform }) =>
    isApp(link) ? judgeApp(link, platform) : judgeUrl(link),
  );
}

/** A visit to a slug by an agent of the mix; `judgeFor(agent)` judges the answer. */
export function visitAsAgent(draw, slug, judgeFor) {
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

// Any address: it is data, from which the country is read.
function addressFrom(random) {
  const value = Math.floor(random * 0x100000000);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

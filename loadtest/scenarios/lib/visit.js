import http from 'k6/http';
import { answered, countVisit, failed, sent } from './counters.js';
import { kindsOf } from './kinds.js';

const FAILURES_TOLD = 5;
let told = 0;

/**
 * Makes a visit and counts what came of it.
 * - `path` behind the public address, `isHead`, `isScan`, `agent` of agents.js, `headers` beyond those of a browser
 * - `judge` takes the response and returns `{ outcome, isRight }`, the outcome one of target, page, fallback, unknown (no
 *   such smartlink), unavailable (whether there is one could not be told), deleted, undecided (the visitor's own browser
 *   is asked, and nothing recorded)
 */
export function visit(planned) {
  sent.add(1);
  const { method, url, params } = requestOf(planned);
  const response = http.request(method, url, null, params);
  settle(planned, response);
  return response;
}

/** Makes several visits at once, each over a connection of its own; `shape` is what their durations are kept as. Returns the responses. */
export function visitTogether(planned, shape) {
  sent.add(planned.length);
  const responses = http.batch(planned.map(requestOf));
  for (const [index, response] of responses.entries()) settle(planned[index], response, shape);
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

function settle({ path, isHead = false, isScan = false, agent, judge }, response, shape) {
  if (response.status === 0) {
    fail(`${path} was not answered: ${response.error}`);
    return;
  }
  answered.add(1);
  const { outcome, isRight } = judge(response);
  if (!isRight)
    fail(`${path} was answered ${response.status} ${response.headers.Location ?? ''} to ${agent.text}`);
  if (outcome === null) return;
  const kinds = kindsOf({ outcome, isHead, isScan, isBot: agent.isBot });
  countVisit(kinds, shape ?? shapeOf(response.status, isHead), response.timings.duration);
}

function fail(what) {
  failed.add(1);
  // The first few of each virtual user are told, in the log.
  if (told++ < FAILURES_TOLD) console.error(what);
}

const SHAPES = { 200: 'page', 304: 'not_modified', 404: 'not_found', 410: 'gone', 503: 'unavailable' };

function shapeOf(status, isHead) {
  if (isHead) return 'head';
  return SHAPES[status] ?? 'redirect';
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

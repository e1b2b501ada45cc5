// The life of smartlinks: created, read, listed, changed and deleted, with a visitor after each change.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { judgeUnknown } from './lib/judge.js';
import { EVERY_SCENARIO, settings, steadyRate, steadyThresholds } from './lib/settings.js';
import { BROWSER, logFailure, visit } from './lib/visit.js';

const CALLS = ['create', 'get', 'list', 'patch', 'delete'];
const CHANGES = ['create', 'patch', 'delete'];
// Milliseconds from the API's answer to that of the first visitor who sees the change.
const STALENESS = ['med<=10', 'p(99)<=100', 'max<=1000'];
const SEEN_LIMIT_MS = 5_000;
const LATE_MS = 100;
/** Every tenth iteration keeps its smartlink, because the API's totals leave out deleted ones. */
const KEPT_EVERY = 10;

const staleness = new Trend('staleness', true);
/** Missing in the API's totals. */
const clicksOfDeleted = new Counter('clicks_of_deleted');

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { management: steadyRate() },
  thresholds: {
    ...steadyThresholds('{name:visit}'),
    // Includes the status of every call: no 429, no 5xx.
    checks: ['rate==1'],
    ...thresholdEach('http_req_duration{name:', CALLS, [`p(95)<${settings.API_P95_MS}`]),
    ...thresholdEach('staleness{change:', CHANGES, STALENESS),
  },
};

function thresholdEach(metric, tags, rules) {
  return Object.fromEntries(tags.map((tag) => [`${metric}${tag}}`, rules]));
}

/** The life of a smartlink, with a visit before it exists: the processes must forget that answer. */
export default function live() {
  const turn = exec.scenario.iterationInTest;
  const slug = `${settings.SLUG_PREFIX}t${turn}`;
  const [url, newUrl] = [`https://example.org/new/${turn}`, `https://example.org/changed/${turn}`];
  let clicks = 0;
  const look = (judge) => {
    const response = visit({ path: `/${slug}`, agent: BROWSER, judge });
    if (response.status === 302) clicks += 1;
    return response;
  };
  look(judgeUnknown);

  const created = callApi('create', 'POST', '/smartlink', {
    body: {
      configuration: { smartlinkName: `Turn ${turn}`, smartlinkUrl: slug, smartlinkType: 'Url' },
      shortener: { url },
    },
    status: 201,
    isExpected: ({ shortener }) => shortener.url === url,
  });
  if (created === null) return;
  const { id } = created.data;
  waitUntilSeen('create', look, leadsTo(url), isUnknown);

  callApi('get', 'GET', `/smartlink?id=${id}`, { isExpected: (data) => data.id === id });
  callApi('list', 'GET', '/smartlink?limit=100', {
    isExpected: (data) => data.some((listed) => listed.id === id),
  });

  const patched = callApi('patch', 'PATCH', '/smartlink', {
    body: { id, shortener: { url: newUrl } },
    isExpected: ({ shortener }) => shortener.url === newUrl,
  });
  if (patched === null) return;
  waitUntilSeen('patch', look, leadsTo(newUrl), leadsTo(url));

  if (turn % KEPT_EVERY === 0) return;
  const deleted = callApi('delete', 'DELETE', '/smartlink', { body: { smartlinkId: id } });
  if (deleted === null) return;
  waitUntilSeen('delete', look, isGone, leadsTo(newUrl));
  clicksOfDeleted.add(clicks);
}

const OUTCOMES = { 302: 'target', 404: 'unknown', 410: 'deleted' };
const isUnknown = ({ status }) => status === 404;
const isGone = ({ status }) => status === 410;

function leadsTo(url) {
  return ({ status, headers }) => status === 302 && headers.Location === url;
}

/** Visits until the answer is the `wanted` one; until then only that of `before` is correct. */
function waitUntilSeen(change, look, wanted, before) {
  const startedAt = Date.now();
  let waitedMs = 0;
  let isSeen = false;
  while (!isSeen && waitedMs <= SEEN_LIMIT_MS) {
    // A stack that is late must not be slowed down by visits.
    if (waitedMs > 0) sleep(waitedMs < LATE_MS ? 0.002 : 0.05);
    const response = look((seen) => ({
      outcome: OUTCOMES[seen.status] ?? null,
      isRight: wanted(seen) || before(seen),
    }));
    waitedMs = Date.now() - startedAt;
    isSeen = wanted(response);
  }
  staleness.add(waitedMs, { change });
  check(null, { [`a visitor sees the ${change}`]: () => isSeen });
}

/** Calls the API; `{ data }` if it answers with `status` and the expected data, else null. `name` tags the duration. */
function callApi(name, method, path, { body, status = 200, isExpected = () => true }) {
  const response = http.request(method, `${settings.API_URL}/api/v1${path}`, body && JSON.stringify(body), {
    headers: { Authorization: `Bearer ${settings.API_KEY}`, 'Content-Type': 'application/json' },
    responseType: 'text',
    tags: { name },
  });
  // Counts as failed if it throws.
  const isRight = check(response, {
    [`${name} is answered correctly`]: () =>
      response.status === status && response.json('success') === true && isExpected(response.json('data')),
  });
  if (!isRight) logFailure(`${name} was answered ${response.status} ${response.error} ${response.body}`);
  return isRight ? { data: response.json('data') } : null;
}

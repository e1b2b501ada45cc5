// The life of smartlinks: created, read, listed, changed and deleted, with a visitor after each change.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { judgeUnknown } from './lib/judge.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/run.js';
import { AGENTS } from './lib/user-agents.js';
import { visit } from './lib/visit.js';

const CALLS = ['create', 'get', 'list', 'patch', 'delete'];
const CHANGES = ['create', 'patch', 'delete'];
// Milliseconds from the API's answer to that of the first visitor who sees the change.
const STALENESS = ['med<=10', 'p(99)<=100', 'max<=1000'];
const SEEN_LIMIT_MS = 5_000;
const LATE_MS = 100;
/** Every tenth turn keeps its smartlink: the API's totals leave out what is deleted. */
const KEPT_EVERY = 10;

/** From the API's answer until a visitor sees the change. */
const staleness = new Trend('staleness', true);
/** Missing in the API's totals. */
const clicksOfDeleted = new Counter('clicks_of_deleted');

const quickVisits = steadyThresholds('{name:visit}');

export const options = {
  ...EVERY_SCENARIO,
  scenarios: { management: steadyRate() },
  thresholds: {
    ...quickVisits,
    checks: ['rate==1'],
    api_5xx: ['count==0'],
    api_429: ['count==0'],
    ...Object.fromEntries(
      CALLS.map((call) => [`http_req_duration{name:${call}}`, [`p(95)<${number('API_P95_MS')}`]]),
    ),
    ...Object.fromEntries(CHANGES.map((change) => [`staleness{change:${change}}`, STALENESS])),
  },
};

/** A smartlink's life. It begins with a visit before the smartlink exists. */
export default function live() {
  const turn = exec.scenario.iterationInTest;
  const slug = `${__ENV.SLUG_PREFIX}t${turn}`;
  const visits = visitsOf(slug);
  const places = [`https://example.org/new/${turn}`, `https://example.org/changed/${turn}`];
  // The processes must forget this answer later.
  visits.look(judgeUnknown);

  const created = callApi('create', 'POST', '/smartlink', {
    body: {
      configuration: { smartlinkName: `Turn ${turn}`, smartlinkUrl: slug, smartlinkType: 'Url' },
      shortener: { url: places[0] },
    },
    status: 201,
    isExpected: ({ shortener }) => shortener.url === places[0],
  });
  if (!created.isRight) return;
  const { id } = created.data;
  visits.waitUntil('create', leadsTo(places[0]), isUnknown);

  callApi('get', 'GET', `/smartlink?id=${id}`, { isExpected: (data) => data.id === id });
  callApi('list', 'GET', '/smartlink?limit=100', {
    isExpected: (data) => data.some((listed) => listed.id === id),
  });

  const patched = callApi('patch', 'PATCH', '/smartlink', {
    body: { id, shortener: { url: places[1] } },
    isExpected: ({ shortener }) => shortener.url === places[1],
  });
  if (!patched.isRight) return;
  visits.waitUntil('patch', leadsTo(places[1]), leadsTo(places[0]));

  if (turn % KEPT_EVERY === 0) return;
  const deleted = callApi('delete', 'DELETE', '/smartlink', { body: { smartlinkId: id } });
  if (!deleted.isRight) return;
  visits.waitUntil('delete', isGone, leadsTo(places[1]));
  clicksOfDeleted.add(visits.clicks());
}

function visitsOf(slug) {
  let clicks = 0;
  const look = (judge) => {
    const response = visit({ path: `/${slug}`, agent: AGENTS[0], judge });
    if (response.status === 302) clicks += 1;
    return response;
  };
  return {
    look,
    clicks: () => clicks,
    /** Visits until the `wanted` answer comes; until then only the one of `before` is right. */
    waitUntil(change, wanted, before) {
      const answeredAt = Date.now();
      for (;;) {
        const response = look((seen) => ({
          outcome: OUTCOMES[seen.status] ?? null,
          isRight: wanted(seen) || before(seen),
        }));
        const waitedMs = Date.now() - answeredAt;
        const isSeen = wanted(response);
        if (isSeen || waitedMs > SEEN_LIMIT_MS) {
          staleness.add(waitedMs, { change });
          check(response, { [`a visitor sees the ${change}`]: () => isSeen });
          return;
        }
        // Visits must not delay a late stack further.
        sleep(waitedMs < LATE_MS ? 0.002 : 0.05);
      }
    },
  };
}

const OUTCOMES = { 302: 'target', 404: 'unknown', 410: 'deleted' };
const isUnknown = ({ status }) => status === 404;
const isGone = ({ status }) => status === 410;

function leadsTo(place) {
  return ({ status, headers }) => status === 302 && headers.Location === place;
}

const serverErrors = new Counter('api_5xx');
const refusals = new Counter('api_429');

const FAILURES_LOGGED = 5;
let logged = 0;

/**
 * Calls the API; `{ isRight, data }`: whether it answered with `status`, in the envelope of a success, with data as expected.
 * Durations are kept under `name`.
 */
function callApi(name, method, path, { body, status = 200, isExpected = () => true }) {
  const response = http.request(method, `${__ENV.API_URL}/api/v1${path}`, body && JSON.stringify(body), {
    headers: { Authorization: `Bearer ${__ENV.API_KEY}`, 'Content-Type': 'application/json' },
    responseType: 'text',
    tags: { name },
  });
  serverErrors.add(response.status >= 500 ? 1 : 0);
  refusals.add(response.status === 429 ? 1 : 0);
  const envelope = response.status === status ? parse(response.body) : null;
  const isRight = check(envelope, {
    [`${name} is answered rightly`]: () => envelope?.success === true && isExpected(envelope.data),
  });
  // The first few of each virtual user.
  if (!isRight && logged++ < FAILURES_LOGGED)
    console.error(`${name} was answered ${response.status} ${response.error} ${response.body}`);
  return { isRight, data: envelope?.data };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

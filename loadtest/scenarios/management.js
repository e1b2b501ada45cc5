// Question: How do smartlinks fare that are created, read, listed, changed and deleted at a steady rate, and how soon do visitors see it?
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';
import { callApi } from './lib/api.js';
import { judgeUnknown } from './lib/links.js';
import { EVERY_SCENARIO, number, steadyRate, steadyThresholds } from './lib/settings.js';
import { AGENTS } from './lib/user-agents.js';
import { visit } from './lib/visit.js';

export { handleSummary } from './lib/summary.js';

const CALLS = ['create', 'get', 'list', 'patch', 'delete'];
const CHANGES = ['create', 'patch', 'delete'];
// What a change is held to, in milliseconds from the API's answer to that of the first visitor who sees it.
const STALENESS = ['med<=10', 'p(99)<=100', 'max<=1000'];
const SEEN_LIMIT_MS = 5_000;
const LATE_MS = 100;
/** One turn of so many leaves its smartlink behind: the API's totals leave out what is deleted. */
const KEPT_EVERY = 10;

/** From the API's answer until a visitor sees the change. */
const staleness = new Trend('staleness', true);
/** What the API's totals no longer hold. */
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

/** A smartlink's life: nobody knows it, it is created, changed, and deleted, and a visitor looks after each of these. */
export default function live() {
  const turn = exec.scenario.iterationInTest;
  const slug = `${__ENV.SLUG_PREFIX}t${turn}`;
  const visits = visitsOf(slug);
  const places = [`https://example.org/new/${turn}`, `https://example.org/changed/${turn}`];
  // What a process remembers of this must go as well.
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
    /** Looks until what is `wanted` is there; nothing but what was there `before` is right until then. */
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
          // Where it was not seen, at least so long.
          staleness.add(waitedMs, { change });
          check(response, { [`a visitor sees the ${change}`]: () => isSeen });
          return;
        }
        // A stack that is late already is not to be late for all the looking.
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

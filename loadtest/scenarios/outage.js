// Visits and API calls while ClickHouse, then Redis, then Postgres is down.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { judgeUnknownIn, phaseAt, statusesOf } from './lib/judge.js';
import { EVERY_SCENARIO, settings, steadyRate, steadyThresholds } from './lib/settings.js';
import { logFailure, randomLink, seedVisit, visitAsAgent, visitLink } from './lib/visit.js';

// For visits in progress when an engine stops: the timeouts of the engines are below this.
const FIRST_MAX_MS = 2_000;
const API_CALLS_PER_SECOND = 2;
const { PHASES: phases, P99_MS } = settings;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: {
    known: { ...steadyRate(), exec: 'visitKnown' },
    unknown: { ...steadyRate(settings.UNKNOWN_RATE), exec: 'visitUnknown' },
    management: { ...steadyRate(API_CALLS_PER_SECOND), exec: 'callManagement' },
  },
  thresholds: {
    dropped_iterations: steadyThresholds().dropped_iterations,
    'http_req_duration{name:visit}': [`max<${FIRST_MAX_MS}`],
    checks: ['rate==1'],
    ...Object.assign({}, ...phases.map(({ name }) => phaseThresholds(name))),
  },
};

function phaseThresholds(name) {
  const limit = name.endsWith('-first') ? `max<${FIRST_MAX_MS}` : `p(99)<${P99_MS}`;
  return {
    [`visits_failed{phase:${name}}`]: ['count==0'],
    [`http_req_duration{scenario:known,phase:${name}}`]: [limit],
  };
}

/** A link by Zipf's law; in the phase `refill`, which fills the empty Redis, each link in turn. */
export function visitKnown() {
  const phase = beginPhase();
  const iteration = seedVisit();
  visitLink(phase.name === 'refill' ? iteration % settings.LINKS : randomLink());
}

/** A slug without earlier visits, which only Postgres can look up. */
export function visitUnknown() {
  const before = beginPhase();
  const slug = `${settings.SLUG_PREFIX}none${seedVisit()}`;
  visitAsAgent(
    slug,
    () =>
      ({ status }) =>
        judgeUnknownIn(before, currentPhase(), status),
  );
}

/** Management is live throughout; a call that needs Postgres may be answered 503. */
export function callManagement() {
  const before = beginPhase();
  const live = http.get(`${settings.API_URL}/-/live`, { tags: { name: 'live' } });
  check(live, { 'management is live': ({ status }) => status === 200 });
  const list = http.get(`${settings.API_URL}/api/v1/smartlink?limit=1`, {
    headers: { Authorization: `Bearer ${settings.API_KEY}` },
    tags: { name: 'list' },
  });
  const statuses = statusesOf(before, currentPhase(), 200);
  const isRight = check(list, { 'the API lists, or answers 503': ({ status }) => statuses.includes(status) });
  if (!isRight) logFailure(`the API answered ${list.status} in phase ${before.name}`);
}

function beginPhase() {
  const phase = currentPhase();
  exec.vu.metrics.tags.phase = phase.name;
  return phase;
}

function currentPhase() {
  return phaseAt(phases, (Date.now() - settings.BEGAN_AT) / 1000);
}

// Question: What do visitors see while ClickHouse, then Redis, then Postgres is away, and is every visit counted once all are back?
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { visitAsSomebody, visitLink } from './lib/mixed-visit.js';
import { judgeUnknownIn, phaseAt, statusesOf } from './lib/phases.js';
import { drawsOf } from './lib/random.js';
import { EVERY_SCENARIO, number, steadyRate, virtualUsers } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

// Those who were on their way when an engine went: time limits towards engines are below this.
const FIRST_MAX_MS = 2_000;
const LOOKS_A_SECOND = 2;

const links = number('LINKS');
const seed = number('SEED');
const beganAt = number('BEGAN_AT');
const phases = JSON.parse(__ENV.PHASES);
const duration = `${number('DURATION_SECONDS')}s`;

export const options = {
  ...EVERY_SCENARIO,
  scenarios: {
    known: { ...steadyRate(), exec: 'visitKnown' },
    unknown: { ...atRate(number('UNKNOWN_RATE')), exec: 'visitUnknown' },
    management: { ...atRate(LOOKS_A_SECOND), exec: 'askManagement' },
  },
  thresholds: {
    ...Object.assign({}, ...phases.map(({ name }) => thresholdsOf(name))),
    'http_req_duration{name:visit}': [`max<${FIRST_MAX_MS}`],
    checks: ['rate==1'],
    dropped_iterations: [
      `count<=${(number('RATE') * number('DURATION_SECONDS') * number('DROPPED_PERCENT')) / 100}`,
    ],
  },
};

function atRate(rate) {
  return { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration, ...virtualUsers() };
}

function thresholdsOf(name) {
  const isGoing = name.endsWith('-first');
  return {
    [`visits_failed{phase:${name}}`]: ['count==0'],
    [`http_req_duration{scenario:known,phase:${name}}`]: isGoing
      ? [`max<${FIRST_MAX_MS}`]
      : [`p(99)<${number('P99_MS')}`],
  };
}

/** A link by Zipf; each in turn while Redis, which has come back empty, is to learn of all of them. */
export function visitKnown() {
  const phase = begin();
  const visit = exec.scenario.iterationInTest;
  visitLink(drawsOf(seed, visit), phase.name === 'refill' ? visit % links : undefined);
}

/** A slug that nobody has asked for before, so that only Postgres can tell. */
export function visitUnknown() {
  const before = begin();
  const visit = exec.scenario.iterationInTest;
  const slug = `${__ENV.SLUG_PREFIX}none${visit}`;
  visitAsSomebody(drawsOf(seed, visit), slug, () => ({ status }) => {
    return judgeUnknownIn(before, phaseNow(), status);
  });
}

/** Management lives throughout, and says 503 of what it cannot know. */
export function askManagement() {
  const before = begin();
  const live = http.get(`${__ENV.API_URL}/-/live`, { tags: { name: 'live' } });
  check(live, { 'management lives': ({ status }) => status === 200 });
  const list = http.get(`${__ENV.API_URL}/api/v1/smartlink?limit=1`, {
    headers: { Authorization: `Bearer ${__ENV.API_KEY}` },
    tags: { name: 'list' },
  });
  const statuses = statusesOf(before, phaseNow(), 200);
  const isRight = check(list, { 'the API lists, or says 503': ({ status }) => statuses.includes(status) });
  if (!isRight) console.error(`the API answered ${list.status} in phase ${before.name}`);
}

function begin() {
  const phase = phaseNow();
  exec.vu.metrics.tags.phase = phase.name;
  return phase;
}

function phaseNow() {
  return phaseAt(phases, (Date.now() - beganAt) / 1000);
}

// Visits and calls of the API while ClickHouse, then Redis, then Postgres is away.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { drawsOf } from './lib/draws.js';
import { judgeUnknownIn, phaseAt, statusesOf } from './lib/judge.js';
import { EVERY_SCENARIO, number, steadyRate, virtualUsers } from './lib/run.js';
import { visitAsAgent, visitLink } from './lib/visit.js';

// Of visits under way when an engine goes: time limits towards engines are below this.
const FIRST_MAX_MS = 2_000;
const API_CALLS_PER_SECOND = 2;

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
    management: { ...atRate(API_CALLS_PER_SECOND), exec: 'askManagement' },
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

/** A link by Zipf; each in turn while the empty Redis is filled again. */
export function visitKnown() {
  const phase = begin();
  const visit = exec.scenario.iterationInTest;
  visitLink(drawsOf(seed, visit), phase.name === 'refill' ? visit % links : undefined);
}

/** A slug that was never visited before, so that only Postgres knows it. */
export function visitUnknown() {
  const before = begin();
  const visit = exec.scenario.iterationInTest;
  const slug = `${__ENV.SLUG_PREFIX}none${visit}`;
  visitAsAgent(drawsOf(seed, visit), slug, () => ({ status }) => {
    return judgeUnknownIn(before, phaseNow(), status);
  });
}

/** Management lives throughout, and answers 503 where it needs Postgres. */
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

import { expect, test } from 'vitest';
import { phaseAt as launcherPhaseAt } from '../../src/outage-plan.ts';
import { judgeUnknownIn, phaseAt, statusesOf } from './phases.js';

const here = { name: 'calm', fromSeconds: 0, postgres: 'here' };
const going = { name: 'postgres-first', fromSeconds: 10, postgres: 'either' };
const away = { name: 'postgres', fromSeconds: 11, postgres: 'away' };

test.each([
  [-1, 'calm'],
  [9.99, 'calm'],
  [10, 'postgres-first'],
  [500, 'postgres'],
])('at %f s k6 and the launcher find %s', (seconds, name) => {
  const phases = [here, going, away];
  expect([phaseAt, launcherPhaseAt].map((find) => find(phases, seconds).name)).toEqual([name, name]);
});

test.each([
  [here, here, [404]],
  [away, away, [503]],
  [going, going, [404, 503]],
  [here, going, [404, 503]],
  [going, away, [404, 503]],
])('a slug that nobody has, asked from %j to %j, is answered one of %j', (before, after, right) => {
  const isRight = (status) => judgeUnknownIn(before, after, status).isRight;
  expect([200, 302, 404, 410, 500, 503].filter(isRight)).toEqual(right);
});

test('tells an absence from a failure in what is counted, and nothing of any other answer', () => {
  const outcomes = [404, 503, 302].map((status) => judgeUnknownIn(away, away, status).outcome);
  expect(outcomes).toEqual(['unknown', 'unavailable', null]);
});

test('holds the API to 503 while Postgres is away', () => {
  expect(statusesOf(here, here, 200)).toEqual([200]);
  expect(statusesOf(away, away, 200)).toEqual([503]);
});

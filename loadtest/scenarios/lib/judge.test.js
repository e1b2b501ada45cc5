import { expect, test } from 'vitest';
import { judgeUnknownIn, kindsOf, phaseAt, statusesOf } from './judge.js';

const click = { outcome: 'target', isBot: false, isHead: false, isScan: false };

test.each([
  [{}, ['click', 'target']],
  [{ isScan: true, outcome: 'fallback' }, ['scan', 'fallback']],
  [{ outcome: 'page' }, ['click', 'page']],
  [{ isHead: true }, ['head']],
  [{ isBot: true }, ['bot']],
  // The visitor decides before the method.
  [{ isBot: true, isHead: true, isScan: true }, ['bot']],
  [{ outcome: 'deleted', isScan: true }, ['deleted']],
  [{ outcome: 'deleted', isHead: true }, ['head']],
  // Not recorded for any visitor.
  [{ outcome: 'unknown', isBot: true }, ['unknown']],
  [{ outcome: 'undecided', isHead: true }, ['undecided']],
  [{ outcome: 'unavailable', isBot: true }, ['unavailable']],
])('a visit with %j is to be counted as %j', (given, kinds) => {
  expect(kindsOf({ ...click, ...given })).toEqual(kinds);
});

const here = { name: 'calm', fromSeconds: 0, postgres: 'here' };
const going = { name: 'postgres-first', fromSeconds: 10, postgres: 'either' };
const away = { name: 'postgres', fromSeconds: 11, postgres: 'away' };

test.each([
  [-1, 'calm'],
  [9.99, 'calm'],
  [10, 'postgres-first'],
  [500, 'postgres'],
])('at %f s the phase is %s', (seconds, name) => {
  expect(phaseAt([here, going, away], seconds).name).toBe(name);
});

test.each([
  [here, here, [404]],
  [away, away, [503]],
  [going, going, [404, 503]],
  [here, going, [404, 503]],
  [going, away, [404, 503]],
])('an unknown slug, visited from %j to %j, is answered with one of %j', (before, after, right) => {
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

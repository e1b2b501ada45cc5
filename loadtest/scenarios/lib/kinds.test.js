import { expect, test } from 'vitest';
import { kindsOf } from './kinds.js';

const click = { outcome: 'target', isBot: false, isHead: false, isScan: false };

test.each([
  [{}, ['click', 'target']],
  [{ isScan: true, outcome: 'fallback' }, ['scan', 'fallback']],
  [{ outcome: 'page' }, ['click', 'page']],
  [{ isHead: true }, ['head']],
  [{ isBot: true }, ['bot']],
  // Who asked comes before how.
  [{ isBot: true, isHead: true, isScan: true }, ['bot']],
  [{ outcome: 'deleted', isScan: true }, ['deleted']],
  [{ outcome: 'deleted', isHead: true }, ['head']],
  // Of these nothing is recorded, whoever asked.
  [{ outcome: 'unknown', isBot: true }, ['unknown']],
  [{ outcome: 'undecided', isHead: true }, ['undecided']],
  [{ outcome: 'unavailable', isBot: true }, ['unavailable']],
])('a visit with %j is to be counted as %j', (given, kinds) => {
  expect(kindsOf({ ...click, ...given })).toEqual(kinds);
});

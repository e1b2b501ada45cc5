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
  // Of these nothing is recorded, whoever asked.
  [{ outcome: 'unknown', isBot: true }, ['unknown']],
  [{ outcome: 'undecided', isHead: true }, ['undecided']],
])('a visit with %j is to be counted as %j', (given, kinds) => {
  expect(kindsOf({ ...click, ...given })).toEqual(kinds);
});

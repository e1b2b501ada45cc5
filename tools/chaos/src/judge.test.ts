import { expect, test } from 'vitest';
import { parseFigures } from './figures.js';
import { findStrangers, isFailure, judge } from './judge.js';
import type { Verdict } from './judge.js';

const PROMISE = { id: 'E1', goal: 'A goal', bound: 'a bound' };
const held = { promise: 'E1', trial: 'b', measured: '0 lost', holds: true };
const missed = { promise: 'E1', trial: 'a', measured: '12 s', holds: false };
const skipped = { promise: 'E1', trial: 'c', skipped: 'no disk' };

// Of E1 as many places record a figure.
const trials = new Map([['E1', 1]]);

test.each<[string, Parameters<typeof judge>[1], string[], Verdict, boolean]>([
  ['held when every figure is', [held], [], 'held', false],
  ['not held when a time was missed, which fails nothing', [held, missed], [], 'not held', false],
  ['held when other trials were skipped', [held, skipped], [], 'held', false],
  ['skipped when all trials were', [skipped], [], 'skipped', false],
  ['without a figure when there is none', [{ ...held, promise: 'E2' }], [], 'no figure', true],
  ['failed when a trial failed, whatever its figures say', [held], ['E1'], 'failed', true],
  ['failed when a trial failed before it had a figure', [], ['E1'], 'failed', true],
])('a promise is %s', (_name, figures, failed, verdict, fails) => {
  const judged = judge([PROMISE], figures, { failed: new Set(failed), trials });
  expect(judged.map((one) => one.verdict)).toEqual([verdict]);
  expect(isFailure(judged)).toBe(fails);
});

test('a promise is incomplete, and the run failed, when one of its trials has left no figure', () => {
  const run = { failed: new Set<string>(), trials: new Map([['E1', 2]]) };
  const verdictOf = (...figures: Parameters<typeof judge>[1]) => judge([PROMISE], figures, run)[0]?.verdict;
  expect([verdictOf(held), verdictOf(missed), verdictOf(skipped)]).toEqual(
    Array.from({ length: 3 }, () => 'incomplete'),
  );
  expect([verdictOf(held, held), verdictOf(held, skipped)]).toEqual(['held', 'held']);
  expect(isFailure(judge([PROMISE], [held], run))).toBe(true);
});

test('trials that were skipped are counted beside the verdict', () => {
  const judged = judge([PROMISE], [held, skipped, missed, skipped], { failed: new Set(), trials });
  expect(judged).toMatchObject([{ verdict: 'not held', skipped: 2, trials: 1 }]);
});

test('figures stand in the order of their trials', () => {
  const [judged] = judge([PROMISE], [skipped, held, missed], { failed: new Set(), trials });
  expect(judged?.figures.map(({ trial }) => trial)).toEqual(['a', 'b', 'c']);
});

test('a figure of no promise is found', () => {
  expect(findStrangers([PROMISE], [held, { ...held, promise: 'E99' }])).toEqual(['E99']);
});

test('figures are read as they were written', () => {
  const lines = [held, skipped].map((figure) => JSON.stringify(figure));
  expect(parseFigures(`${lines.join('\n')}\n`)).toEqual([held, skipped]);
  expect(parseFigures('')).toEqual([]);
});

test.each(['{"promise":"E1","tri', 'null', '{"promise":"E1","trial":"a","measured":"0 lost"}', '[]'])(
  'a line that is no figure is refused: %s',
  (line) => {
    expect(() => parseFigures(line)).toThrow(line);
  },
);

import path from 'node:path';
import { expect, test } from 'vitest';
import { findTrials, readPromises } from './find-trials.js';
import { PROMISES } from './promises.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('a source tells its promises, each once', () => {
  expect(
    readPromises(`recordFigure({ promise: 'E1', a }); f({ promise: 'E10' }, { promise: 'E1' })`),
  ).toEqual(['E1', 'E10']);
  expect(readPromises('a promise: none')).toEqual([]);
});

test('no trial is of a promise that there is not', () => {
  const known = new Set(PROMISES.map(({ id }) => id));
  const strangers = findTrials(ROOT).flatMap(({ promises }) => promises.filter((id) => !known.has(id)));
  expect(strangers).toEqual([]);
});

test('each promise has a trial', () => {
  const tried = new Set(findTrials(ROOT).flatMap(({ promises }) => promises));
  expect(PROMISES.filter(({ id }) => !tried.has(id))).toEqual([]);
});

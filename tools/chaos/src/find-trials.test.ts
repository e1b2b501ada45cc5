import path from 'node:path';
import { expect, test } from 'vitest';
import { countTrials, findTrials, readFigures, readPromises } from './find-trials.js';
import { PROMISES } from './promises.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('a source tells its promises, each once', () => {
  expect(
    readPromises(`recordFigure({ promise: 'E1', a }); f({ promise: 'E10' }, { promise: 'E1' })`),
  ).toEqual(['E1', 'E10']);
  expect(readPromises('a promise: none')).toEqual([]);
});

test('a source tells each place that records a figure, and a skipped trial is no second one', () => {
  const source = `recordSkip({ promise: 'E1', a });
    recordFigure({ promise: 'E1', a }); recordFigure({
      promise: 'E10',
    }); recordFigure({ promise: 'E1', b })`;
  expect(readFigures(source)).toEqual(['E1', 'E10', 'E1']);
  const trial = { file: 'a', promises: ['E1', 'E10'], figures: readFigures(source) };
  expect([...countTrials([trial, trial])]).toEqual([
    ['E1', 4],
    ['E10', 2],
  ]);
});

test('no trial is of a promise that there is not', () => {
  const known = new Set(PROMISES.map(({ id }) => id));
  const strangers = findTrials(ROOT).flatMap(({ promises }) => promises.filter((id) => !known.has(id)));
  expect(strangers).toEqual([]);
});

test('each promise has a trial that records a figure', () => {
  const tried = countTrials(findTrials(ROOT));
  expect(PROMISES.filter(({ id }) => !tried.has(id))).toEqual([]);
});

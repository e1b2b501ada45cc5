import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  countTrials,
  findTrials,
  findUnknownPromises,
  isFailure,
  judge,
  parseTrial,
  readFigures,
  renderLines,
  renderPage,
  type Verdict,
} from './judge.js';
import { PROMISES } from './promises.js';

const PROMISE = { id: 'E1', goal: 'A goal', bound: 'a bound' };
const held = { promise: 'E1', trial: 'b', measured: '0 lost', holds: true };
const missed = { promise: 'E1', trial: 'a', measured: '12 s', holds: false };
const skipped = { promise: 'E1', trial: 'c', skipped: 'no disk' };

// Number of calls that record a figure.
const trials = new Map([['E1', 1]]);

test.each<[string, Parameters<typeof judge>[1], string[], Verdict, boolean]>([
  ['held if every figure is', [held], [], 'held', false],
  ['not held if a time was missed, which does not fail the run', [held, missed], [], 'not held', false],
  ['held if other trials were skipped', [held, skipped], [], 'held', false],
  ['skipped if all trials were', [skipped], [], 'skipped', false],
  ['without a figure if there is none', [{ ...held, promise: 'E2' }], [], 'no figure', true],
  ['failed if a trial failed, even if its figures hold', [held], ['E1'], 'failed', true],
  ['failed if a trial failed without a figure', [], ['E1'], 'failed', true],
])('a promise is %s', (_name, figures, failed, verdict, fails) => {
  const judged = judge([PROMISE], figures, { failed: new Set(failed), trials });
  expect(judged.map((one) => one.verdict)).toEqual([verdict]);
  expect(isFailure(judged)).toBe(fails);
});

test('a promise is incomplete, and the run fails, if one of its trials has left no figure', () => {
  const run = { failed: new Set<string>(), trials: new Map([['E1', 2]]) };
  const verdictOf = (...figures: Parameters<typeof judge>[1]) => judge([PROMISE], figures, run)[0]?.verdict;
  for (const figure of [held, missed, skipped]) expect(verdictOf(figure)).toBe('incomplete');
  expect([verdictOf(held, held), verdictOf(held, skipped)]).toEqual(['held', 'held']);
  expect(isFailure(judge([PROMISE], [held], run))).toBe(true);
});

test('figures are in the order of their trials, and skipped ones are counted', () => {
  const figures = [skipped, held, missed, skipped];
  const [judged] = judge([PROMISE], figures, { failed: new Set(), trials });
  expect(judged).toMatchObject({ verdict: 'not held', skipped: 2, trials: 1 });
  expect(judged?.figures.map(({ trial }) => trial)).toEqual(['a', 'b', 'c', 'c']);
});

test('a figure without a promise is found', () => {
  expect(findUnknownPromises([held, { ...held, promise: 'E99' }])).toEqual(['E99']);
});

const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-judge-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const fileOf = (text: string): string => {
  const file = path.join(folder, 'figures.jsonl');
  writeFileSync(file, text);
  return file;
};

test('figures are read as they were written; a missing file has none', () => {
  const lines = [held, skipped].map((figure) => JSON.stringify(figure));
  expect(readFigures(fileOf(`${lines.join('\n')}\n`))).toEqual([held, skipped]);
  expect(readFigures(path.join(folder, 'missing'))).toEqual([]);
});

test.each(['{"promise":"E1","tri', 'null', '{"promise":"E1","trial":"a","measured":"0 lost"}', '[]'])(
  'an invalid line is refused: %s',
  (line) => {
    expect(() => readFigures(fileOf(line))).toThrow(line);
  },
);

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('a source names its promises once, and each call that records a figure, skips excluded', () => {
  const source = `recordSkip({ promise: 'E1', a }); a promise: none
    recordFigure({ promise: 'E1', a }); recordFigure({
      promise: 'E10',
    }); recordFigure({ promise: 'E1', b })`;
  const trial = parseTrial('a', source);
  expect(trial).toEqual({ file: 'a', promises: ['E1', 'E10'], figures: ['E1', 'E10', 'E1'] });
  expect([...countTrials([trial, trial])]).toEqual([
    ['E1', 4],
    ['E10', 2],
  ]);
});

test('each promise has a trial that records a figure, and each trial a promise', () => {
  const known = PROMISES.map(({ id }) => id).toSorted();
  expect([...countTrials(findTrials(ROOT)).keys()].toSorted()).toEqual(known);
  expect(findTrials(ROOT).flatMap(({ promises }) => promises.filter((id) => !known.includes(id)))).toEqual(
    [],
  );
});

const SHOWN = [
  { id: 'E1', goal: 'No event is lost', bound: 'none' },
  { id: 'E10', goal: 'Few parts', bound: '300' },
];
const shown = judge(
  SHOWN,
  [
    { promise: 'E1', trial: '5 kills', measured: '0 lost | 0 doubled', holds: true },
    { promise: 'E1', trial: '9 stops', measured: '11 s', holds: false },
  ],
  { failed: new Set(), trials: new Map() },
);

test('the terminal shows a line per figure, and one per promise without figures', () => {
  expect(renderLines(shown).split('\n')).toEqual([
    'E1   held      5 kills: 0 lost | 0 doubled',
    'E1   not held  9 stops: 11 s',
    'E10  no figure Few parts',
  ]);
});

test('the page shows goal, bound, trials with their figures, and gaps', () => {
  const page = renderPage(shown, { size: 'full', date: '2026-03-10', machine: 'two cores' });
  expect(page).toContain('`npm run chaos -- --full` on 2026-03-10: two cores.');
  expect(page).not.toContain('This run was short');
  expect(page).toContain('0 of 2 promises held; E1 not held; E10 no figure.');
  expect(page).toContain('## E1: No event is lost\n\nPromised: none. **Not held.**');
  expect(page).toContain('| 5 kills | 0 lost \\| 0 doubled | held |\n| 9 stops | 11 s | not held |');
  expect(page).toContain(
    '## E10: Few parts\n\nPromised: 300. **No figure.**\n\nThis run has no figure of it.',
  );
});

test('skipped trials and missing figures are shown beside the verdict', () => {
  const figures = [
    { promise: 'E1', trial: '5 kills', measured: '0 lost', holds: true },
    { promise: 'E1', trial: 'a full disk', skipped: 'by root only' },
    { promise: 'E10', trial: '20 segments', measured: '2 inserts', holds: true },
  ];
  const gaps = judge(SHOWN, figures, { failed: new Set(), trials: new Map([['E10', 3]]) });
  const page = renderPage(gaps, { size: 'short', date: '2026-03-10', machine: 'two cores' });
  expect(page).toContain('This run was short');
  expect(page).toContain(
    '1 of 2 promises held; E1 held, 1 skipped; E10 incomplete, figures of 1 of 3 trials.',
  );
  expect(page).toContain('Promised: none. **Held, 1 skipped.**');
  expect(page).toContain('Promised: 300. **Incomplete, figures of 1 of 3 trials.**');
  expect(renderLines(gaps)).toContain('\nE10  incomplete, figures of 1 of 3 trials');
});

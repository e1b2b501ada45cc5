import { expect, test } from 'vitest';
import { judge } from './judge.js';
import { renderLines, renderPage } from './render.js';

const PROMISES = [
  { id: 'E1', goal: 'No event is lost', bound: 'none' },
  { id: 'E10', goal: 'Few parts', bound: '300' },
];
const judged = judge(
  PROMISES,
  [
    { promise: 'E1', trial: '5 kills', measured: '0 lost | 0 doubled', holds: true },
    { promise: 'E1', trial: '9 stops', measured: '11 s', holds: false },
  ],
  { failed: new Set(), trials: new Map() },
);

test('the terminal has a line a figure, and one for a promise without', () => {
  expect(renderLines(judged).split('\n')).toEqual([
    'E1   held      5 kills: 0 lost | 0 doubled',
    'E1   not held  9 stops: 11 s',
    'E10  no figure Few parts',
  ]);
});

test('the page names goal, bound, each trial and its figure, and what is missing', () => {
  const page = renderPage(judged, { size: 'full', date: '2026-03-10', machine: 'two cores' });
  expect(page).toContain('`npm run chaos -- --full` on 2026-03-10: two cores.');
  expect(page).toContain('0 of 2 promises held; E1 not held; E10 no figure.');
  expect(page).toContain('## E1: No event is lost\n\nPromised: none. **Not held.**');
  expect(page).toContain('| 5 kills | 0 lost \\| 0 doubled | held |\n| 9 stops | 11 s | not held |');
  expect(page).toContain(
    '## E10: Few parts\n\nPromised: 300. **No figure.**\n\nThis run has no figure of it.',
  );
});

test('the page of a short run says that it was short', () => {
  const run = { date: '2026-03-10', machine: 'two cores' };
  expect(renderPage(judged, { ...run, size: 'short' })).toContain('This run was short');
  expect(renderPage(judged, { ...run, size: 'full' })).not.toContain('This run was short');
});

test('what was skipped and what has left no figure is told beside the verdict', () => {
  const figures = [
    { promise: 'E1', trial: '5 kills', measured: '0 lost', holds: true },
    { promise: 'E1', trial: 'a full disk', skipped: 'by root only' },
    { promise: 'E10', trial: '20 segments', measured: '2 inserts', holds: true },
  ];
  const gaps = judge(PROMISES, figures, { failed: new Set(), trials: new Map([['E10', 3]]) });
  const page = renderPage(gaps, { size: 'full', date: '2026-03-10', machine: 'two cores' });
  expect(page).toContain(
    '1 of 2 promises held; E1 held, 1 skipped; E10 incomplete, figures of 1 of 3 trials.',
  );
  expect(page).toContain('Promised: none. **Held, 1 skipped.**');
  expect(page).toContain('Promised: 300. **Incomplete, figures of 1 of 3 trials.**');
  expect(renderLines(gaps)).toContain('\nE10  incomplete, figures of 1 of 3 trials');
});

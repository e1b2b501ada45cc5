import { expect, test } from 'vitest';
import { formatTable, type Screen, wrapParagraphs } from './table.js';

const screen = (columns?: number, env: Screen['env'] = { NO_COLOR: '1' }): Screen => ({
  isStdoutTerminal: columns !== undefined,
  columns,
  env,
});
const HEADINGS = ['NAME', 'STATE', 'TEXT', 'ID'];
const LONG = 'one two three four five six seven eight nine ten eleven twelve thirteen';
const ROWS = [
  ['a', 'ok', LONG, '0198'],
  ['qqqqqqqqqq'.repeat(3), 'problem', 'x'.repeat(90), '0199'],
];

test('every line of a table has its columns, and fits the terminal', () => {
  for (const columns of [40, 80, 100]) {
    const lines = formatTable(screen(columns), HEADINGS, ROWS).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    // Nothing is lost.
    const text = lines.join('').replaceAll(' ', '');
    expect(text.match(/x/g)).toHaveLength(91);
    expect(text.match(/q/g)).toHaveLength(30);
  }
});

test('a table in a pipe or a file is as wide as its cells', () => {
  const lines = formatTable(screen(), HEADINGS, ROWS).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(LONG);
});

test('spare columns are left out first, only while the table is too wide', () => {
  const rows = [['a', 'ok', 'x'.repeat(60), '0198'.repeat(4)]];
  const spare = ['ID', 'STATE'];
  expect(formatTable(screen(80), HEADINGS, rows, spare)).toBe(
    `NAME  STATE  TEXT\na     ok     ${'x'.repeat(60)}\nNot shown in this width: ID; --json prints them.\n`,
  );
  expect(formatTable(screen(100), HEADINGS, rows, spare)).toContain('0198');
});

test('a cell of several lines keeps them, and what steers a terminal is replaced', () => {
  expect(
    formatTable(
      screen(),
      ['A', 'B'],
      [
        ['1', 'x\ny\u001b[2J'],
        ['2', 'z'],
      ],
    ),
  ).toBe('A  B\n1  x\n   y\ufffd[2J\n2  z\n');
});

test.each([
  ['a terminal', screen(80, {}), true],
  ['NO_COLOR', screen(80, { NO_COLOR: '1' }), false],
  ['an empty NO_COLOR', screen(80, { NO_COLOR: '' }), true],
  ['a pipe', screen(undefined, {}), false],
])('%s decides whether a table has colours', (_, where, isColoured) => {
  const table = formatTable(where, HEADINGS, ROWS);
  expect(table.includes('\u001b[32mok\u001b[39m')).toBe(isColoured);
  expect(table.includes('\u001b[')).toBe(isColoured);
});

test('paragraphs are wrapped again, indented lines stay', () => {
  expect(wrapParagraphs('aaa bbb\nccc ddd\n\n  indented and long\n\nccc ddd eee\n', 11)).toBe(
    'aaa bbb ccc\nddd\n\n  indented and long\n\nccc ddd eee\n',
  );
});

import { expect, test } from 'vitest';
import { formatBarChart } from './bar-chart.js';

test('the largest fills the width, the others are in proportion, and the least can be seen', () => {
  const chart = formatBarChart(
    [
      { label: 'a', value: 1_000 },
      { label: 'bb', value: 500 },
      { label: 'c', value: 1 },
      { label: 'd', value: 0 },
    ],
    26,
  );
  expect(chart).toBe(
    ['a   1000  ████████████████', 'bb   500  ████████', 'c      1  ▏', 'd      0', ''].join('\n'),
  );
});

test('nothing at all is a chart too, and a narrow terminal has bars as well', () => {
  expect(formatBarChart([], 80)).toBe('');
  expect(formatBarChart([{ label: '2026-03-10', value: 3 }], 1)).toBe('2026-03-10  3  ██████████\n');
});

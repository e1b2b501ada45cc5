import { expect, test } from 'vitest';
import { renderBars, renderLines } from './plot.js';

const write = String;
const spread = (median: number) => ({ median, least: median, most: median });

test('a bar is as long as its value is, of the greatest', () => {
  const svg = renderBars({
    title: 'T',
    unit: 'u',
    write,
    bars: [
      { label: 'a', value: spread(100) },
      { label: 'b', value: spread(25), isOurs: true },
    ],
  });
  const [other, ours] = ['other', 'ours'].map((name) =>
    Number(new RegExp(`class="${name}"[^>]* width="([\\d.]+)"`).exec(svg)?.[1]),
  );
  expect(ours! / other!).toBeCloseTo(0.25, 3);
});

test('words of a plot are text, and cannot end it', () => {
  const svg = renderBars({
    title: 'a < b & "c"',
    unit: '',
    write,
    bars: [{ label: '</text>', value: spread(1) }],
  });
  expect(svg).toContain('>a &lt; b &amp; &quot;c&quot;</text>');
  expect(svg).not.toContain('</text></text>');
});

test('on a logarithmic axis equal factors are equal steps', () => {
  const points = [1, 10, 100].map((x) => ({ x, y: x }));
  const svg = renderLines({
    title: 'T',
    xLabel: 'x',
    yLabel: 'y',
    isLogX: true,
    lines: [{ label: 'l', points }],
    write,
    writeX: write,
  });
  const xs = [...svg.matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(xs).toHaveLength(3);
  expect(xs[1]! - xs[0]!).toBeCloseTo(xs[2]! - xs[1]!, 0);
});

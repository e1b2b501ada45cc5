import { describe, expect, test } from 'vitest';
import { isReadable, layOver, parseColor } from './color.js';
import type { Color } from './color.js';

const color = (text: string): Color => parseColor(text)!;

describe('a colour', () => {
  test.each([
    ['#000', { red: 0, green: 0, blue: 0, alpha: 1 }],
    ['#1aF', { red: 17, green: 170, blue: 255, alpha: 1 }],
    ['#1aF3', { red: 17, green: 170, blue: 255, alpha: 0.2 }],
    ['#0102Fe', { red: 1, green: 2, blue: 254, alpha: 1 }],
    ['#0102fe00', { red: 1, green: 2, blue: 254, alpha: 0 }],
  ])('%s is read', (text, expected) => {
    expect(parseColor(text)).toEqual(expected);
  });

  test.each([
    '',
    '#',
    '000',
    '#0',
    '#00',
    '#00000',
    '#0000000',
    '#000000000',
    '#00g',
    ' #000',
    '#000\n',
    '#٠٠٠',
    'red',
  ])('%j is none', (text) => {
    expect(parseColor(text)).toBeNull();
  });

  test('over another is mixed by its alpha', () => {
    expect(layOver(color('#f00'), color('#00f'))).toEqual(color('#f00'));
    expect(layOver(color('#0000'), color('#0000'))).toEqual(color('#0000'));
    expect(layOver(color('#00000080'), color('#fff'))).toEqual(color('#7f7f7f'));
    expect(layOver(color('#f000'), color('#00ff'))).toEqual(color('#00f'));
    expect(layOver(color('#f008'), color('#0000'))).toEqual(color('#f008'));
  });
});

describe('modules can be read', () => {
  test.each([
    ['#000', '#fff'],
    ['#f00', '#fff'],
    // The lightest grey with 3:1 on white: 3.03.
    ['#949494', '#fff'],
    ['#000', '#fff0'],
    ['#000', '#0000'],
    ['#000a', '#fff'],
    ['#123', '#fd0'],
  ])('in %s on %s', (dark, light) => {
    expect(isReadable(color(dark), color(light))).toBe(true);
  });

  test.each([
    ['#959595', '#fff', 'the contrast is 2.99'],
    ['#fff', '#000', 'the colours are the wrong way round'],
    ['#f00', '#0f0f', 'red and green differ, but too little in brightness'],
    ['#ff0', '#fff', 'the contrast is 1.07'],
    ['#000', '#000', 'there is no contrast'],
    ['#0000', '#fff', 'the modules are clear'],
    ['#0006', '#fff', 'the modules let too much white through'],
    ['#fff', '#0000', 'the paper behind a clear background is white'],
  ])('not in %s on %s: %s', (dark, light) => {
    expect(isReadable(color(dark), color(light))).toBe(false);
  });
});

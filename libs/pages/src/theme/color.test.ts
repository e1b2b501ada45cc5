import { describe, expect, test } from 'vitest';
import { type Color, formatColor, layOver, parseColor } from './color.js';

const color = (text: string): Color => parseColor(text)!;
const rgb = (red: number, green: number, blue: number): Color => ({ red, green, blue, alpha: 1 });

describe('a colour', () => {
  test.each([
    ['#000', { red: 0, green: 0, blue: 0, alpha: 1 }],
    ['#1aF', { red: 17, green: 170, blue: 255, alpha: 1 }],
    ['#1aF3', { red: 17, green: 170, blue: 255, alpha: 0.2 }],
    ['#0102Fe', { red: 1, green: 2, blue: 254, alpha: 1 }],
    ['#0102fe00', { red: 1, green: 2, blue: 254, alpha: 0 }],
  ])('is parsed from %s', (text, expected) => {
    expect(parseColor(text)).toEqual(expected);
  });

  test.each([
    '',
    ...'# 000 #0 #00 #00000 #0000000 #000000000 #00g'.split(' '),
    ' #000',
    '#000\n',
    '#٠٠٠',
    'red',
  ])('is not parsed from %j', (text) => {
    expect(parseColor(text)).toBeNull();
  });

  test('is composited over another by its alpha', () => {
    expect(layOver(color('#f00'), color('#00f'))).toEqual(color('#f00'));
    expect(layOver(color('#0000'), color('#0000'))).toEqual(color('#0000'));
    expect(layOver(color('#00000080'), color('#fff'))).toEqual(color('#7f7f7f'));
    expect(layOver(color('#f000'), color('#00ff'))).toEqual(color('#00f'));
    expect(layOver(color('#f008'), color('#0000'))).toEqual(color('#f008'));
    expect(layOver({ ...rgb(255, 0, 10), alpha: 0.1 }, rgb(0, 255, 10))).toEqual(rgb(26, 230, 10));
  });
});

test('formatColor writes six lower-case digits, with leading zeros', () => {
  expect(formatColor(rgb(0, 10, 255))).toBe('#000aff');
});

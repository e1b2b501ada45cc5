import { describe, expect, test } from 'vitest';
import { type Color, contrast, formatColor, layOver, parseColor, toColor, toOklch } from './color.js';

const color = (text: string): Color => parseColor(text)!;
const rgb = (red: number, green: number, blue: number): Color => ({ red, green, blue, alpha: 1 });

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
    ...'# 000 #0 #00 #00000 #0000000 #000000000 #00g'.split(' '),
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
    expect(layOver({ ...rgb(255, 0, 10), alpha: 0.1 }, rgb(0, 255, 10))).toEqual(rgb(26, 230, 10));
  });
});

test('formatColor writes six lower-case digits, with leading zeros', () => {
  expect(formatColor(rgb(0, 10, 255))).toBe('#000aff');
});

describe('toOklch', () => {
  // Lightness, chroma and hue as browsers give them for oklch(from …).
  test.each([
    ['orange', rgb(0xff, 0x88, 0x00), 0.744, 0.181, 56],
    ['yellow', rgb(0xff, 0xff, 0x00), 0.968, 0.211, 110],
    ['navy', rgb(0x12, 0x34, 0x56), 0.319, 0.072, 251],
    ['red', rgb(0xff, 0x00, 0x00), 0.628, 0.258, 29],
  ])('measures %s as browsers do', (_, color, lightness, chroma, hue) => {
    const measured = toOklch(color);
    expect(measured.lightness).toBeCloseTo(lightness, 3);
    expect(measured.chroma).toBeCloseTo(chroma, 3);
    expect(Math.round(measured.hue)).toBe(hue);
  });

  test('finds no chroma in greys', () => {
    for (let level = 0; level < 256; level++) {
      expect(toOklch(rgb(level, level, level)).chroma).toBeLessThan(1e-4);
    }
    expect(toOklch(rgb(0, 0, 0)).lightness).toBe(0);
    expect(toOklch(rgb(255, 255, 255)).lightness).toBeCloseTo(1, 6);
    expect(toOklch(rgb(128, 128, 128)).lightness).toBeCloseTo(0.6, 3);
  });
});

describe('toColor', () => {
  test('gives back every colour that toOklch measured', () => {
    const changed = [];
    for (let index = 0; index < 4096; index++) {
      const color = rgb((index >> 8) * 17, ((index >> 4) & 15) * 17, (index & 15) * 17);
      const back = toColor(toOklch(color));
      if (contrast(back, color) !== 1) changed.push(color);
    }
    expect(changed).toEqual([]);
  });

  test('brings what sRGB cannot show into it by less chroma, with lightness and hue kept', () => {
    for (let hue = 0; hue < 360; hue += 5) {
      for (const lightness of [0.3, 0.5, 0.7, 0.9]) {
        const fitted = toOklch(toColor({ lightness, chroma: 0.4, hue }));
        expect(fitted.lightness).toBeCloseTo(lightness, 2);
        expect(fitted.chroma).toBeLessThan(0.33);
        const turned = Math.abs(((fitted.hue - hue + 540) % 360) - 180);
        // As near as 8 bits come to a hue where sRGB leaves little chroma.
        expect(turned).toBeLessThan(4);
      }
    }
  });

  test('ends at black and white', () => {
    expect(toColor({ lightness: 0, chroma: 0.2, hue: 30 })).toEqual(rgb(0, 0, 0));
    expect(toColor({ lightness: 1, chroma: 0.2, hue: 30 })).toEqual(rgb(255, 255, 255));
  });
});

describe('contrast', () => {
  test('is that of WCAG, whichever colour comes first', () => {
    const white = rgb(255, 255, 255);
    expect(contrast(white, rgb(0, 0, 0))).toBeCloseTo(21, 10);
    expect(contrast(rgb(0, 0, 0), white)).toBeCloseTo(21, 10);
    expect(contrast(white, white)).toBe(1);
    // The two greys on either side of 4.5 on white.
    expect(contrast(white, rgb(0x77, 0x77, 0x77))).toBeCloseTo(4.48, 2);
    expect(contrast(white, rgb(0x76, 0x76, 0x76))).toBeCloseTo(4.54, 2);
  });
});

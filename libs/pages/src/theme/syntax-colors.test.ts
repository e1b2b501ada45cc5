import { describe, expect, it } from 'vitest';
import { colorTokens } from './color-tokens.js';
import { parseHexColor } from './hex-color.js';
import { contrast, toOklch } from './oklch.js';
import { syntaxColors } from './syntax-colors.js';

describe.each(['light', 'dark'] as const)('syntaxColors (%s)', (mode) => {
  it.each([undefined, '#f80', '#00f', '#ff0', '#f0f'])(
    'can be read on every ground of a page of %s',
    (themeColor) => {
      const grounds = colorTokens(themeColor, mode);
      for (const color of Object.values(syntaxColors(mode, grounds))) {
        for (const ground of [grounds.bg, grounds.surface, grounds.tint]) {
          expect(contrast(parseHexColor(color)!, parseHexColor(ground)!)).toBeGreaterThanOrEqual(4.6);
        }
      }
    },
  );

  it('tells the kinds of code apart by hue, and comments by having hardly any', () => {
    const { comment, ...others } = syntaxColors(mode);
    expect(toOklch(parseHexColor(comment)!).chroma).toBeLessThan(0.04);
    const [string, number, keyword] = Object.values(others).map((color) => toOklch(parseHexColor(color)!));
    for (const [one, other] of [
      [string!, number!],
      [number!, keyword!],
      [keyword!, string!],
    ] as const) {
      expect(one.chroma).toBeGreaterThan(0.08);
      expect(Math.abs(((one.hue - other.hue + 540) % 360) - 180)).toBeGreaterThan(60);
    }
  });
});

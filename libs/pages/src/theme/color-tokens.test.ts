import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { type Color, contrast, layOver, type Mode, parseColor, toOklch } from './color.js';
import { colorTokens, syntaxColors } from './theme-css.js';

const MODES: readonly Mode[] = ['light', 'dark'];

// themeColor mode: bg surface tint text muted border control accent on hover edge link.
const KNOWN = `
#ff8800 light: fcf5f0 ffffff fee6d5 211c18 6e6763 e0d9d4 8a837f ff8800 111111 e77c02 d97200 a15400
#ff8800 dark: 150f0b 221b17 3f2816 f6ece6 aca39c 3e3631 7f7671 ff8800 111111 e77c02 ff8800 ff8800
#ffff00 light: f7f7f0 ffffff eceed3 1d1d18 696963 dbdbd4 85867f ffff00 111111 e7e702 939200 6e6d00
#ffff00 dark: 11110a 1d1e16 2f3013 efefe5 a5a59c 383930 797a70 ffff00 111111 e7e702 ffff00 ffff00
#000000 light: f7f7f7 ffffff ebebeb 1d1d1d 696969 dbdbdb 848484 000000 ffffff 1a1a1a 000000 000000
#000000 dark: 101010 1d1d1d 2e2e2e eeeeee a4a4a4 383838 797979 000000 ffffff 1a1a1a 696969 979797
#ffffff light: f7f7f7 ffffff ebebeb 1d1d1d 696969 dbdbdb 848484 ffffff 111111 e7e7e7 8e8e8e 696969
#ffffff dark: 101010 1d1d1d 2e2e2e eeeeee a4a4a4 383838 797979 ffffff 111111 e7e7e7 ffffff ffffff
#123456 light: f4f7fb ffffff dfedfc 1b1d20 66696c d8dbde 838589 123456 ffffff 2a4867 123456 123456
#123456 dark: 0e1114 1a1d21 242f3a eaeff4 a1a5aa 35383c 75797d 123456 ffffff 2a4867 486b91 759ac2
#808080 light: f7f7f7 ffffff ebebeb 1d1d1d 696969 dbdbdb 848484 808080 111111 8d8d8d 808080 696969
#808080 dark: 101010 1d1d1d 2e2e2e eeeeee a4a4a4 383838 797979 808080 111111 8d8d8d 808080 979797
#f80c light: fcf6f0 ffffff fde7d4 201c18 6d6863 - - ffa033 111111 e79230 ce7a00 9a5900
#f80c dark: 150f0a - 3f2816 f6ece6 aca39c - - cf7003 111111 bc6704 cf7003 dd7d20
`;
const NAMES = 'bg surface tint text muted border control accent on hover edge link'.split(' ');

// Minimum contrast of a token on a ground: that of WCAG 2.2 AA, or a higher one that all colours reach.
const MINIMA = {
  text: { bg: 15.6, surface: 14, tint: 11 },
  focus: { bg: 15.6, surface: 14 },
  muted: { bg: 4.6, surface: 4.6, tint: 4.6 },
  link: { bg: 4.6, surface: 4.6, tint: 4.6 },
  control: { bg: 3.39, surface: 3.39, tint: 3.1 },
  edge: { bg: 3, surface: 3 },
  on: { accent: 4.5, hover: 4.5 },
};

const BUTTON_STYLES = ['filled', 'outline', 'soft'] as const;
const BACKGROUNDS = ['plain', 'tint', 'gradient'] as const;
const MIXES = BUTTON_STYLES.flatMap((buttonStyle) =>
  BACKGROUNDS.map((background) => ({ buttonStyle, background })),
);

// Of the page's own texts and controls, on any point of a gradient.
const ON_PAGE = { text: 11, focus: 11, muted: 4.5, link: 4.5, control: 3, edge: 3 };

/** The colours of a gradient from `from` to `to`. */
const between = (from: Color, to: Color): Color[] =>
  Array.from({ length: 11 }, (_, step) => layOver({ ...to, alpha: step / 10 }, from));

const PAIRS = Object.entries(MINIMA).flatMap(([one, grounds]) =>
  Object.entries(grounds).map(([other, least]) => [`${one}/${other}`, one, other, least] as const),
);

describe('colorTokens', () => {
  it.each(KNOWN.trim().split('\n'))('returns the colours of the design: %s', (line) => {
    const [input, colors] = line.split(': ') as [string, string];
    const [themeColor, mode] = input.split(' ') as [string, Mode];
    const tokens: Record<string, string> = colorTokens(themeColor, mode);
    const known = colors.split(' ').map((color, index) => [NAMES[index]!, `#${color}`] as const);
    const expected = Object.fromEntries(known.filter(([, color]) => color !== '#-'));
    expect(tokens).toMatchObject({ ...expected, focus: expected['text'] });
  });

  it('treats all notations of a colour alike', () => {
    for (const mode of MODES) {
      const tokens = colorTokens('#ff8800', mode);
      for (const same of ['#f80', '#F80', '#f80f', '#FF8800', '#ff8800FF']) {
        expect(colorTokens(same, mode)).toEqual(tokens);
      }
    }
  });

  it('uses a default ink for a missing, nearly clear or malformed colour', () => {
    for (const mode of MODES) {
      const tokens = colorTokens(undefined, mode);
      expect(tokens.accent).toBe(mode === 'light' ? '#1f2328' : '#e8eaed');
      // The digit 1 means 17 of 255, 0.067; 0x19 is 0.098 and 0x1a the first above the minimum.
      for (const none of ['#f801', '#ff880000', '#ff880019', '', 'red', '#f8', '#ggg', '#fff;}body{}']) {
        expect(colorTokens(none, mode), none).toEqual(tokens);
      }
      expect(colorTokens('#ff88001a', mode)).not.toEqual(tokens);
    }
  });

  it('keeps the contrast that WCAG requires, whatever the colour', () => {
    const themeColor = fc.stringMatching(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/);
    fc.assert(
      fc.property(themeColor, fc.constantFrom(...MODES), (color, mode) => {
        const tokens: Record<string, string> = colorTokens(color, mode);
        for (const [pair, one, other, least] of PAIRS) {
          const found = contrast(parseColor(tokens[one]!)!, parseColor(tokens[other]!)!);
          expect(found, pair).toBeGreaterThanOrEqual(least);
        }
      }),
      { numRuns: trialSize(500, 20_000) },
    );
  }, 120_000);

  it('keeps it in every mix of button styles and backgrounds, on each point of a gradient', () => {
    const themeColor = fc.stringMatching(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/);
    fc.assert(
      fc.property(themeColor, fc.constantFrom(...MODES), fc.constantFrom(...MIXES), (color, mode, mix) => {
        const tokens = colorTokens(color, mode, mix);
        const of = (name: string) => parseColor((tokens as Record<string, string>)[name]!)!;
        for (const [pair, one, other, least] of PAIRS) {
          expect(contrast(of(one), of(other)), pair).toBeGreaterThanOrEqual(least);
        }
        const page = mix.background === 'gradient' ? between(of('wash'), of('bg')) : [of('bg')];
        for (const [name, least] of Object.entries(ON_PAGE))
          for (const ground of page) expect(contrast(of(name), ground), name).toBeGreaterThanOrEqual(least);
        if (mix.buttonStyle === 'soft') expect(contrast(of('link'), of('soft'))).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: trialSize(500, 20_000) },
    );
  }, 120_000);

  it.each(MODES)('a background or style adds what it needs alone (%s)', (mode) => {
    const plain = colorTokens('#ff8800', mode, { background: 'plain' });
    expect(plain.bg).toBe(mode === 'light' ? '#ffffff' : '#111111');
    const tokens = colorTokens('#ff8800', mode);
    expect(colorTokens('#ff8800', mode, { buttonStyle: 'outline', background: 'tint' })).toEqual(tokens);
    expect(Object.keys(tokens)).not.toContain('soft');
    expect(Object.keys(colorTokens('#ff8800', mode, { buttonStyle: 'soft' }))).toContain('soft');
    expect(Object.keys(colorTokens('#ff8800', mode, { background: 'gradient' }))).toContain('wash');
  });
});

describe.each(['light', 'dark'] as const)('syntaxColors (%s)', (mode) => {
  it.each([undefined, '#f80', '#00f', '#ff0', '#f0f'])(
    'is legible on every ground of a page in %s',
    (themeColor) => {
      const grounds = colorTokens(themeColor, mode);
      for (const color of Object.values(syntaxColors(mode, grounds))) {
        for (const ground of [grounds.bg, grounds.surface, grounds.tint]) {
          expect(contrast(parseColor(color)!, parseColor(ground)!)).toBeGreaterThanOrEqual(4.6);
        }
      }
    },
  );

  it('distinguishes kinds of code by hue; comments are almost grey', () => {
    const { comment, ...others } = syntaxColors(mode);
    expect(toOklch(parseColor(comment)!).chroma).toBeLessThan(0.04);
    const [string, number, keyword] = Object.values(others).map((color) => toOklch(parseColor(color)!));
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

import { describe, expect, it } from 'vitest';
import { contrast, type Mode, parseColor, toOklch } from './color.js';
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

// Least contrast of a token on a ground: what WCAG 2.2 AA asks for, or more where it is given.
const MINIMA = {
  text: { bg: 15.6, surface: 14, tint: 11 },
  focus: { bg: 15.6, surface: 14 },
  muted: { bg: 4.6, surface: 4.6, tint: 4.6 },
  link: { bg: 4.6, surface: 4.6, tint: 4.6 },
  control: { bg: 3.39, surface: 3.39, tint: 3.1 },
  edge: { bg: 3, surface: 3 },
  on: { accent: 4.5, hover: 4.5 },
};

const PAIRS = Object.entries(MINIMA).flatMap(([one, grounds]) =>
  Object.entries(grounds).map(([other, least]) => [`${one}/${other}`, one, other, least] as const),
);

describe('colorTokens', () => {
  it.each(KNOWN.trim().split('\n'))('gives the colours of the design: %s', (line) => {
    const [input, colors] = line.split(': ') as [string, string];
    const [themeColor, mode] = input.split(' ') as [string, Mode];
    const tokens: Record<string, string> = colorTokens(themeColor, mode);
    const known = colors.split(' ').map((color, index) => [NAMES[index]!, `#${color}`] as const);
    const expected = Object.fromEntries(known.filter(([, color]) => color !== '#-'));
    expect(tokens).toMatchObject({ ...expected, focus: expected['text'] });
  });

  it('writes one and the same colour in every notation alike', () => {
    for (const mode of MODES) {
      const tokens = colorTokens('#ff8800', mode);
      for (const same of ['#f80', '#F80', '#f80f', '#FF8800', '#ff8800FF']) {
        expect(colorTokens(same, mode)).toEqual(tokens);
      }
    }
  });

  it('takes a default ink for no colour, a nearly clear one and text of another form', () => {
    for (const mode of MODES) {
      const tokens = colorTokens(undefined, mode);
      expect(tokens.accent).toBe(mode === 'light' ? '#1f2328' : '#e8eaed');
      // One digit 1 is 17 of 255, that is 0.067; 0x19 is 0.098, and 0x1a the first that is seen.
      for (const none of ['#f801', '#ff880000', '#ff880019', '', 'red', '#f8', '#ggg', '#fff;}body{}']) {
        expect(colorTokens(none, mode), none).toEqual(tokens);
      }
      expect(colorTokens('#ff88001a', mode)).not.toEqual(tokens);
    }
  });

  it('keeps the contrast WCAG asks for, whatever the colour', () => {
    const { sets, minima, misses } = survey(themeColors());
    process.stdout.write(`colour sets: ${sets}; least contrast: ${JSON.stringify(minima)}\n`);
    expect(misses).toEqual([]);
    expect(sets).toBeGreaterThan(16_384);
  }, 60_000);
});

describe.each(['light', 'dark'] as const)('syntaxColors (%s)', (mode) => {
  it.each([undefined, '#f80', '#00f', '#ff0', '#f0f'])(
    'can be read on every ground of a page of %s',
    (themeColor) => {
      const grounds = colorTokens(themeColor, mode);
      for (const color of Object.values(syntaxColors(mode, grounds))) {
        for (const ground of [grounds.bg, grounds.surface, grounds.tint]) {
          expect(contrast(parseColor(color)!, parseColor(ground)!)).toBeGreaterThanOrEqual(4.6);
        }
      }
    },
  );

  it('tells the kinds of code apart by hue, and comments by having hardly any', () => {
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

// All three-digit colours, opaque and half-transparent, and random ones, of which every fourth lets light through.
function* themeColors(): Generator<string> {
  for (let index = 0; index < 4096; index++) {
    const color = `#${index.toString(16).padStart(3, '0')}`;
    yield color;
    yield `${color}8`;
  }
  const random = createRandom(20_260_801);
  const count = process.env['SMARTLINK_TEST_SIZE'] === 'full' ? 60_000 : 4_000;
  const digits = (length: number) => random().toString(16).padStart(8, '0').slice(0, length);
  for (let index = 0; index < count; index++) yield `#${digits(index % 4 === 0 ? 8 : 6)}`;
}

// Whole numbers of 32 bits, the same ones for the same seed. The high digits of such a generator are good enough here.
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

function survey(colors: Iterable<string>) {
  const minima: Record<string, number> = {};
  const misses: string[] = [];
  let sets = 0;
  for (const themeColor of colors) {
    for (const mode of MODES) {
      sets++;
      const tokens: Record<string, string> = colorTokens(themeColor, mode);
      for (const [pair, one, other, least] of PAIRS) {
        const found = contrast(parseColor(tokens[one]!)!, parseColor(tokens[other]!)!);
        minima[pair] = Math.min(minima[pair] ?? 21, found);
        if (found < least) misses.push(`${themeColor} ${mode}: ${pair} ${found}`);
      }
    }
  }
  const rounded = Object.entries(minima).map(
    ([pair, found]) => [pair, Math.floor(found * 1000) / 1000] as const,
  );
  return { sets, minima: Object.fromEntries(rounded), misses };
}

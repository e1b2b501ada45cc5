import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { parseColor } from '../theme/color.js';
import { type Drawing, drawSvg, encodeSymbol, ERROR_CORRECTIONS, logoPadOf } from './qr-code.js';

const TEXT = 'HTTPS://SL.EXAMPLE.COM/Q/ABC123';

const drawing = (text: string, changes: Partial<Drawing> = {}): Drawing => ({
  symbol: encodeSymbol(text, 'M'),
  sizePx: 512,
  marginModules: 4,
  color: parseColor('#000')!,
  background: parseColor('#fff')!,
  ...changes,
});
const plain = { title: 'QR code', logoUrl: null };
const withLogo = { title: 'QR code', logoUrl: 'https://cdn.example.org/logo.png' };

describe('an SVG', () => {
  test.each(ERROR_CORRECTIONS)('at level %s can be read', (level) => {
    for (const marginModules of [0, 4, 16]) {
      const svg = drawSvg(drawing(TEXT, { symbol: encodeSymbol(TEXT, level), marginModules }), plain);
      expect(readSvg(svg)).toBe(TEXT);
    }
  });

  test('is one path, as wide as asked for, counted in modules', () => {
    const svg = drawSvg(drawing(TEXT, { sizePx: 300 }), plain);
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="300" height="300" viewBox="0 0 33 33" role="img" shape-rendering="crispEdges"><title>QR code<\/title><rect width="33" height="33" fill="#ffffff"\/><path fill="#000000" d="[MhvHz0-9 ]+"\/><\/svg>$/,
    );
    expect(svg.length).toBeLessThan(4_096);
  });

  test('has colours that SVG 1.1 knows', () => {
    const colors = { color: parseColor('#1aF8')!, background: parseColor('#fff0')! };
    const svg = drawSvg(drawing(TEXT, colors), plain);
    expect(svg).toContain('fill="#ffffff" fill-opacity="0"');
    expect(svg).toContain('fill="#11aaff" fill-opacity="0.533"');
  });

  test('holds no markup but its own', () => {
    const url = `https://cdn.example.org/a"b'c<d>?e=1&f=2#"/><script>`;
    const svg = drawSvg(drawing(TEXT), { title: `</title><script>"'&`, logoUrl: url });
    expect(svg).toContain('<title>&lt;/title&gt;&lt;script&gt;&quot;&apos;&amp;</title>');
    expect(svg.match(/<[a-z]+/g)).toEqual(['<svg', '<title', '<rect', '<path', '<image']);
    const href = /<image href="([^"]*)"/.exec(svg)![1]!;
    const unescaped = href.replaceAll('&apos;', "'").replaceAll('&amp;', '&');
    expect(href).not.toMatch(/[<>'"]|&(?!amp;|apos;)/);
    expect(unescaped).toBe(new URL(url).href);
  });
});

describe('a logo', () => {
  // Versions 1 to 12: from the smallest, with 3 modules of pad, past the first with an alignment pattern in the middle.
  const lengths = [1, 10, 20, 30, 45, 60, 80, 100, 120, 140, 160, 190];

  test.each(['Q', 'H'] as const)('leaves codes of every size readable at level %s', (level) => {
    const widths = lengths.map((length) => {
      const text = 'X7'.repeat(100).slice(0, length);
      const symbol = encodeSymbol(text, level);
      expect(readSvg(drawSvg(drawing(text, { symbol }), withLogo))).toBe(text);
      return symbol.length;
    });
    expect(widths[0]).toBe(21);
    expect(widths.at(-1)).toBeGreaterThanOrEqual(57);
  });

  test.each(lengths)('of a text of %i characters stands in the middle of a fifth that is empty', (length) => {
    const symbol = encodeSymbol('X'.repeat(length), 'H');
    const { start, width } = logoPadOf(symbol);
    expect(2 * start + width).toBe(symbol.length);
    expect(width).toBeGreaterThanOrEqual(symbol.length * 0.2 - 2);
    expect(width).toBeLessThanOrEqual(symbol.length * 0.2);
    const svg = drawSvg(drawing('', { symbol }), withLogo);
    const matrix = modulesOf(svg);
    for (let y = 0; y < width; y += 1) {
      expect(matrix.slice(start + y + 4)[0]!.slice(start + 4, start + 4 + width)).not.toContain(true);
    }
    const at = start + 4.5;
    expect(svg).toContain(
      `<image href="https://cdn.example.org/logo.png" x="${at}" y="${at}" width="${width - 1}" height="${width - 1}"/>`,
    );
  });

  test.each([
    'data:image/png;base64,AA==',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//x.example/a',
    'x',
  ])('at %s is refused', (logoUrl) => {
    expect(() => drawSvg(drawing(TEXT), { title: 'x', logoUrl })).toThrow();
  });
});

/** The modules that an SVG's path covers, margins included. */
function modulesOf(svg: string): boolean[][] {
  const width = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1]);
  const matrix = Array.from({ length: width }, () => Array<boolean>(width).fill(false));
  for (const [, x, y, run, back] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
    expect(back).toBe(x);
    matrix[Number(y)]!.fill(true, Number(x), Number(x) + Number(run));
  }
  return matrix;
}

/** What a scanner reads when a module is shown as 4 × 4 pixels, with white paper around and no logo. */
function readSvg(svg: string): string | undefined {
  const matrix = modulesOf(svg);
  const paper = 4;
  const width = (matrix.length + 2 * paper) * 4;
  const pixels = new Uint8ClampedArray(4 * width * width).fill(255);
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isDark = matrix[Math.floor(y / 4) - paper]?.[Math.floor(x / 4) - paper] ?? false;
      if (isDark) pixels.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
  }
  return jsqr.default(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data;
}

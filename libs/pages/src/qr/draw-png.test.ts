import { crc32, inflateSync } from 'node:zlib';
import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { parseColor } from '../theme/color.js';
import { type Drawing, drawPng, encodeSymbol, ERROR_CORRECTIONS } from './qr-code.js';

const SHORT = 'HTTPS://SL.EXAMPLE.COM/Q/ABC123';
const LONG = `https://sl.example.com/go/q/${'aB3x'.repeat(16)}`;

const drawing = (text: string, changes: Partial<Drawing> = {}): Drawing => ({
  symbol: encodeSymbol(text, 'M'),
  sizePx: 256,
  marginModules: 4,
  color: parseColor('#000')!,
  background: parseColor('#fff')!,
  ...changes,
});

describe('a PNG', () => {
  test.each([64, 65, 127, 200, 512, 777, 2048])(
    'of %i pixels is that size and can be read',
    (sizePx) => {
      const image = readPng(drawPng(drawing(SHORT, { sizePx }))!);
      expect([image.width, image.height]).toEqual([sizePx, sizePx]);
      expect(jsqr.default(image.pixels, sizePx, sizePx)?.data).toBe(SHORT);
      // The reader searches 4 million pixels in the largest.
    },
    30_000,
  );

  test.each(ERROR_CORRECTIONS)('at level %s can be read, with short and long addresses', (level) => {
    for (const text of [SHORT, LONG, LONG.toUpperCase()]) {
      const image = readPng(drawPng(drawing(text, { symbol: encodeSymbol(text, level) }))!);
      expect(jsqr.default(image.pixels, 256, 256)?.data).toBe(text);
    }
  });

  test.each([
    ['#123456', '#fedcba'],
    ['#949494', '#fff'],
    ['#000a', '#fd0'],
    ['#600', '#fff0'],
  ])('in %s on %s can be read on white paper', (color, background) => {
    const colors = { color: parseColor(color)!, background: parseColor(background)! };
    const image = readPng(drawPng(drawing(SHORT, colors))!);
    expect(jsqr.default(image.pixels, 256, 256, { inversionAttempts: 'dontInvert' })?.data).toBe(SHORT);
  });

  test('has modules of whole pixels, as large as fit, in the middle', () => {
    const symbol = encodeSymbol(SHORT, 'M');
    expect(symbol).toHaveLength(25);
    // 25 modules and 2 × 4 of margin: 3 pixels a module, 75 for the symbol, 16 and 17 around it.
    const { pixels } = readPng(drawPng(drawing(SHORT, { sizePx: 108 }))!);
    for (let y = 0; y < 108; y += 1) {
      for (let x = 0; x < 108; x += 1) {
        const isDark = symbol[Math.floor((y - 16) / 3)]?.[Math.floor((x - 16) / 3)] ?? false;
        expect(pixels[4 * (y * 108 + x)]).toBe(isDark ? 0 : 255);
      }
    }
  });

  test('is drawn from one pixel a module on, and not below', () => {
    expect(drawPng(drawing(SHORT, { sizePx: 33 }))).not.toBeNull();
    expect(drawPng(drawing(SHORT, { sizePx: 32 }))).toBeNull();
    expect(drawPng(drawing(SHORT, { sizePx: 25, marginModules: 0 }))).not.toBeNull();
  });

  test('holds the colours as its palette, alpha only where there is any', () => {
    expect(chunksOf(drawPng(drawing(SHORT))!).map(({ type }) => type)).toEqual([
      'IHDR',
      'PLTE',
      'IDAT',
      'IEND',
    ]);
    const colors = { color: parseColor('#f008')!, background: parseColor('#0000')! };
    const chunks = chunksOf(drawPng(drawing(SHORT, colors))!);
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect([...chunks[1]!.data]).toEqual([0, 0, 0, 255, 0, 0]);
    expect([...chunks[2]!.data]).toEqual([0, 136]);
  });

  test('shows modules that let the background through as a browser shows the same SVG', () => {
    const colors = { color: parseColor('#0006')!, background: parseColor('#ffd700')! };
    const palette = chunksOf(drawPng(drawing(SHORT, colors))!)[1]!.data;
    // 0.6 of the background, under 0.4 of black.
    expect([...palette]).toEqual([255, 215, 0, 153, 129, 0]);
  });

  test('of the largest size is some kilobytes', () => {
    expect(drawPng(drawing(SHORT, { sizePx: 2048 }))!.length).toBeLessThan(8_192);
  });
});

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const typed = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.push({ type: typed.toString('latin1', 0, 4), data: typed.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

/** Reads what the writer can write (1 bit a pixel, a palette, unfiltered), as RGBA laid on white. */
function readPng(png: Buffer) {
  const chunks = new Map(chunksOf(png).map(({ type, data }) => [type, data]));
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([...header.subarray(8)]).toEqual([1, 3, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT')!);
  const rowBytes = 1 + Math.ceil(width / 8);
  expect(rows).toHaveLength(rowBytes * height);
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y += 1) {
    expect(rows[y * rowBytes]).toBe(0);
    for (let x = 0; x < width; x += 1) {
      const index = (rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1;
      const alpha = (chunks.get('tRNS')?.[index] ?? 255) / 255;
      const rgb = chunks.get('PLTE')!.subarray(3 * index, 3 * index + 3);
      pixels.set(
        [...rgb].map((channel) => channel * alpha + 255 * (1 - alpha)),
        4 * (y * width + x),
      );
      pixels[4 * (y * width + x) + 3] = 255;
    }
  }
  return { width, height, pixels };
}

import { crc32, inflateSync } from 'node:zlib';
import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { type Color, parseColor } from '../theme/color.js';
import {
  type Drawing,
  drawPng,
  drawSvg,
  encodeSymbol,
  ERROR_CORRECTIONS,
  isReadable,
  logoPadOf,
  qrAddress,
} from './qr-code.js';

const color = (text: string): Color => parseColor(text)!;
const SHORT = 'HTTPS://SL.EXAMPLE.COM/Q/ABC123';
const LONG = `https://sl.example.com/go/q/${'aB3x'.repeat(16)}`;

const drawing = (text: string, changes: Partial<Drawing> = {}): Drawing => ({
  symbol: encodeSymbol(text, 'M'),
  sizePx: 256,
  marginModules: 4,
  color: color('#000'),
  background: color('#fff'),
  ...changes,
});
const plain = { title: 'QR code', logoUrl: null };
const withLogo = { title: 'QR code', logoUrl: 'https://cdn.example.org/logo.png' };

describe('the address of a QR code', () => {
  test.each([
    ['https://sl.example.com', 'Docs1', 'HTTPS://SL.EXAMPLE.COM/Q/DOCS1'],
    ['https://sl.example.com/', 'Docs1', 'HTTPS://SL.EXAMPLE.COM/Q/DOCS1'],
    ['HTTPS://SL.Example.com//', 'a', 'HTTPS://SL.EXAMPLE.COM/Q/A'],
    ['http://127.0.0.1:8080', 'ABC', 'HTTP://127.0.0.1:8080/Q/ABC'],
    ['https://xn--bcher-kva.example', 'x', 'HTTPS://XN--BCHER-KVA.EXAMPLE/Q/X'],
  ])(
    'on %s is upper case for the slug %s, because no part of it is case-sensitive',
    (base, slug, address) => {
      expect(qrAddress(base, slug)).toBe(address);
    },
  );

  test.each([
    ['a path has a case', 'https://example.com/Go', 'https://example.com/Go/q/Docs1'],
    ['a path of digits has a case too', 'https://example.com/1/', 'https://example.com/1/q/Docs1'],
    ['brackets are not alphanumeric', 'http://[2001:db8::1]:80', 'http://[2001:db8::1]:80/q/Docs1'],
    ['an underscore is not alphanumeric', 'https://a_b.example', 'https://a_b.example/q/Docs1'],
    ['ß in upper case is another host', 'https://straße.example', 'https://straße.example/q/Docs1'],
    ['ı in upper case is another host', 'https://kı.example', 'https://kı.example/q/Docs1'],
  ])('is not changed: %s', (_why, base, address) => {
    expect(qrAddress(base, 'Docs1')).toBe(address);
  });

  test.each(ERROR_CORRECTIONS)('makes a code at level %s that is never larger', (level) => {
    const saved = Array.from({ length: 16 }, (_, index) => {
      const slug = 'aB3'.repeat(22).slice(0, 4 * index + 1);
      const typed = encodeSymbol(`https://sl.example.com/q/${slug}`, level).length;
      return typed - encodeSymbol(qrAddress('https://sl.example.com', slug), level).length;
    });
    expect(Math.min(...saved)).toBeGreaterThanOrEqual(0);
    expect(saved.filter((modules) => modules > 0).length).toBeGreaterThan(8);
  });
});

describe('modules are legible', () => {
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

describe('a PNG', () => {
  // The scanner searches 4 million pixels in the largest.
  test.each([64, 65, 200, ...trialSize([], [127, 512, 777, 2048])])(
    'of %i pixels can be scanned',
    (sizePx) => {
      const image = readPng(drawPng(drawing(SHORT, { sizePx }))!);
      expect(image.width).toBe(sizePx);
      expect(scan(image.pixels)).toBe(SHORT);
    },
  );

  test.each(ERROR_CORRECTIONS)('at level %s can be scanned, with short and long addresses', (level) => {
    for (const text of [SHORT, LONG, LONG.toUpperCase()]) {
      const image = readPng(drawPng(drawing(text, { symbol: encodeSymbol(text, level) }))!);
      expect(scan(image.pixels)).toBe(text);
    }
  });

  test.each([
    ['#123456', '#fedcba'],
    ['#949494', '#fff'],
    ['#000a', '#fd0'],
    ['#600', '#fff0'],
  ])('in %s on %s can be scanned on white paper', (dark, light) => {
    const colors = { color: color(dark), background: color(light) };
    expect(scan(readPng(drawPng(drawing(SHORT, colors))!).pixels)).toBe(SHORT);
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

  test('needs at least one pixel per module', () => {
    expect(drawPng(drawing(SHORT, { sizePx: 33 }))).not.toBeNull();
    expect(drawPng(drawing(SHORT, { sizePx: 32 }))).toBeNull();
    expect(drawPng(drawing(SHORT, { sizePx: 25, marginModules: 0 }))).not.toBeNull();
  });

  test('holds the colours as its palette, with alpha only if one is translucent', () => {
    const opaque = chunksOf(drawPng(drawing(SHORT))!);
    expect(opaque.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    const colors = { color: color('#f008'), background: color('#0000') };
    const chunks = chunksOf(drawPng(drawing(SHORT, colors))!);
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect([...chunks[1]!.data]).toEqual([0, 0, 0, 255, 0, 0]);
    expect([...chunks[2]!.data]).toEqual([0, 136]);
  });

  test('blends translucent modules with the background as a browser does in the SVG', () => {
    const colors = { color: color('#0006'), background: color('#ffd700') };
    const palette = chunksOf(drawPng(drawing(SHORT, colors))!)[1]!.data;
    // 0.6 of the background, under 0.4 of black.
    expect([...palette]).toEqual([255, 215, 0, 153, 129, 0]);
  });

  test('of the largest size takes less than 8 KiB', () => {
    expect(drawPng(drawing(SHORT, { sizePx: 2048 }))!.length).toBeLessThan(8_192);
  });
});

describe('an SVG', () => {
  test.each(ERROR_CORRECTIONS)('at level %s can be scanned', (level) => {
    for (const marginModules of [0, 4, 16]) {
      const svg = drawSvg(drawing(SHORT, { symbol: encodeSymbol(SHORT, level), marginModules }), plain);
      expect(scanSvg(svg)).toBe(SHORT);
    }
  });

  test('is one path of the requested width, measured in modules', () => {
    const svg = drawSvg(drawing(SHORT, { sizePx: 300 }), plain);
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="300" height="300" viewBox="0 0 33 33" role="img" shape-rendering="crispEdges"><title>QR code<\/title><rect width="33" height="33" fill="#ffffff"\/><path fill="#000000" d="[MhvHz0-9 ]+"\/><\/svg>$/,
    );
    expect(svg.length).toBeLessThan(4_096);
  });

  test('uses colour notations of SVG 1.1', () => {
    const colors = { color: color('#1aF8'), background: color('#fff0') };
    const svg = drawSvg(drawing(SHORT, colors), plain);
    expect(svg).toContain('fill="#ffffff" fill-opacity="0"');
    expect(svg).toContain('fill="#11aaff" fill-opacity="0.533"');
  });

  test('escapes title and logo URL', () => {
    const url = `https://cdn.example.org/a"b'c<d>?e=1&f=2#"/><script>`;
    const svg = drawSvg(drawing(SHORT), { title: `</title><script>"'&`, logoUrl: url });
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

  test.each(['Q', 'H'] as const)('leaves codes of every size scannable at level %s', (level) => {
    const widths = lengths.map((length) => {
      const text = 'X7'.repeat(100).slice(0, length);
      const symbol = encodeSymbol(text, level);
      expect(scanSvg(drawSvg(drawing(text, { symbol }), withLogo))).toBe(text);
      return symbol.length;
    });
    expect(widths[0]).toBe(21);
    expect(widths.at(-1)).toBeGreaterThanOrEqual(57);
  });

  test.each(lengths)('on a text of %i characters is centred in an empty fifth', (length) => {
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

  test.each('data:image/png;base64,AA== javascript:alert(1) file:///etc/passwd //x.example/a x'.split(' '))(
    'at %s is refused',
    (logoUrl) => {
      expect(() => drawSvg(drawing(SHORT), { title: 'x', logoUrl })).toThrow();
    },
  );
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

/** Decodes what drawPng writes (1 bit per pixel, a palette, unfiltered) to RGBA composited over white. */
function readPng(png: Buffer) {
  const chunks = new Map(chunksOf(png).map(({ type, data }) => [type, data]));
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([height, ...header.subarray(8)]).toEqual([width, 1, 3, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT')!);
  const rowBytes = 1 + Math.ceil(width / 8);
  expect(rows).toHaveLength(rowBytes * height);
  const palette = [0, 1].map((index) => {
    const alpha = (chunks.get('tRNS')?.[index] ?? 255) / 255;
    const rgb = chunks.get('PLTE')!.subarray(3 * index, 3 * index + 3);
    return [...Array.from(rgb, (channel) => channel * alpha + 255 * (1 - alpha)), 255];
  });
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y += 1) {
    expect(rows[y * rowBytes]).toBe(0);
    for (let x = 0; x < width; x += 1) {
      const index = (rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1;
      pixels.set(palette[index]!, 4 * (y * width + x));
    }
  }
  return { width, pixels };
}

/** Modules covered by the path of an SVG, margins included. */
function modulesOf(svg: string): boolean[][] {
  const width = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1]);
  const matrix = Array.from({ length: width }, () => Array<boolean>(width).fill(false));
  for (const [, x, y, run, back] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
    expect(back).toBe(x);
    matrix[Number(y)]!.fill(true, Number(x), Number(x) + Number(run));
  }
  return matrix;
}

/** Scans an SVG shown with 4 × 4 pixels per module on white paper, without its logo. */
function scanSvg(svg: string): string | undefined {
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
  return scan(pixels);
}

/** Text of the QR code in a square image. */
function scan(pixels: Uint8ClampedArray): string | undefined {
  const width = Math.sqrt(pixels.length / 4);
  return jsqr.default(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data;
}

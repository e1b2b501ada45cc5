import { crc32, deflateSync } from 'node:zlib';
import { layOver } from './color.js';
import type { Color } from './color.js';
import { widthModules } from './drawing.js';
import type { Drawing } from './drawing.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BIT_DEPTH = 1;
const COLOR_TYPE_INDEXED = 3;

/**
 * Returns a PNG (W3C PNG, 3rd edition: 5 datastream, 7.2 scanlines, 9 filter type 0, 11.2 chunks, 11.3.1.1 tRNS) of
 * two colours and one bit a pixel, exactly `sizePx` wide. A module is the largest whole number of pixels that fits,
 * the symbol stands in the middle. Returns null when `sizePx` is less than one pixel a module, margins included.
 */
export function drawPng(drawing: Drawing): Buffer | null {
  const { sizePx, color, background } = drawing;
  if (sizePx < widthModules(drawing)) return null;
  // A browser lays the SVG's path over its background in the same way.
  const palette = [background, layOver(color, background)];
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(sizePx)),
    chunk('PLTE', Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))),
    ...transparency(palette),
    chunk('IDAT', deflateSync(scanlines(drawing))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

// Compression, filter and interlace methods are 0 (11.2.1).
function header(sizePx: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(sizePx, 0);
  data.writeUInt32BE(sizePx, 4);
  data.writeUInt8(BIT_DEPTH, 8);
  data.writeUInt8(COLOR_TYPE_INDEXED, 9);
  return data;
}

function transparency(palette: readonly Color[]): Buffer[] {
  if (palette.every(({ alpha }) => alpha === 1)) return [];
  return [chunk('tRNS', Buffer.from(palette.map(({ alpha }) => Math.round(alpha * 255))))];
}

/** The pixels' palette indexes, eight a byte and the leftmost in the highest bit; each row begins with its filter, 0. */
function scanlines(drawing: Drawing): Buffer {
  const { symbol, sizePx } = drawing;
  const pixelsPerModule = Math.floor(sizePx / widthModules(drawing));
  const start = Math.floor((sizePx - symbol.length * pixelsPerModule) / 2);
  const rowBytes = 1 + Math.ceil(sizePx / 8);
  const rows = Buffer.alloc(rowBytes * sizePx);
  symbol.forEach((modules, y) => {
    const top = (start + y * pixelsPerModule) * rowBytes;
    const first = rows.subarray(top, top + rowBytes);
    modules.forEach((isDark, x) => {
      if (isDark) darken(first, start + x * pixelsPerModule, pixelsPerModule);
    });
    for (let copy = 1; copy < pixelsPerModule; copy += 1) rows.set(first, top + copy * rowBytes);
  });
  return rows;
}

function darken(row: Buffer, from: number, count: number): void {
  for (let pixel = from; pixel < from + count; pixel += 1) {
    const at = 1 + (pixel >> 3);
    row[at] = (row[at] ?? 0) | (0x80 >> (pixel & 7));
  }
}

/** Length, type, data, and the CRC of type and data (5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

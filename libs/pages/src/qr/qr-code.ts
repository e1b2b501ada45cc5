import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';
import { type Color, contrast, formatColor, layOver, WHITE } from '../theme/color.js';

export { parseColor } from '../theme/color.js';
export type { Color } from '../theme/color.js';

/** Error correction levels: about 7, 15, 25 and 30 % of a symbol may be unreadable (ISO/IEC 18004). */
export const ERROR_CORRECTIONS = ['L', 'M', 'Q', 'H'] as const;

export type ErrorCorrection = (typeof ERROR_CORRECTIONS)[number];

/** Rows of modules, true is dark; square, without the margin. */
export type QrSymbol = readonly (readonly boolean[])[];

export type Drawing = {
  readonly symbol: QrSymbol;
  /** Width and height of the image in pixels. */
  readonly sizePx: number;
  /** Empty modules on each side; ISO/IEC 18004:2024, 5.3.8, requires 4. */
  readonly marginModules: number;
  readonly color: Color;
  readonly background: Color;
};

// The letters of alphanumeric mode (ISO/IEC 18004:2024, table 5) in either case. ASCII only: the upper case of `ß` is
// another host.
const ALPHANUMERIC_IN_ANY_CASE = /^[0-9A-Za-z $%*+\-./:]*$/;

/**
 * The address in a smartlink's QR code: `{publicBaseUrl}/q/<slug>`, in upper case if it has no case-sensitive part
 * and fits alphanumeric mode, which takes 5.5 bits a character instead of 8. `publicBaseUrl` is an absolute URL,
 * `slug` satisfies isSlug.
 */
export function qrAddress(publicBaseUrl: string, slug: string): string {
  const base = publicBaseUrl.replace(/(?<!\/)\/+$/, '');
  const address = `${base}/q/${slug}`;
  const hasPath = new URL(base).pathname !== '/';
  return !hasPath && ALPHANUMERIC_IN_ANY_CASE.test(address) ? address.toUpperCase() : address;
}

const LEVEL_NAMES = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/**
 * The smallest QR symbol that holds `text` in one segment, with the mask of the lowest penalty. Throws if no symbol
 * holds it: the limit at level H is 1,273 bytes.
 */
export function encodeSymbol(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  // The library always adds a border.
  const bordered = encodeQR(text, 'raw', { ecc: LEVEL_NAMES[errorCorrection], border: 1 });
  return bordered.slice(1, -1).map((row) => row.slice(1, -1));
}

/** The width of a drawing in modules, margins included. */
export function widthModules({ symbol, marginModules }: Drawing): number {
  return symbol.length + 2 * marginModules;
}

// A pad of a fifth of the width hides 4 % of the modules. Levels Q and H repair about 25 and 30 % of a symbol, enough
// even if each hidden module spoils a codeword of its own (the tests read such symbols back).
const PAD_WIDTH_SHARE_MAX = 0.2;

// Background between the logo and the modules around it.
const LOGO_GAP_MODULES = 0.5;

/** The empty square for the logo in the middle of a symbol, in modules. */
export function logoPadOf(symbol: QrSymbol): { readonly start: number; readonly width: number } {
  const widest = Math.floor(symbol.length * PAD_WIDTH_SHARE_MAX);
  // A symbol has an odd width; a centred pad needs one too.
  const width = widest % 2 === 1 ? widest : widest - 1;
  return { start: (symbol.length - width) / 2, width };
}

function withLogoPad(symbol: QrSymbol): QrSymbol {
  const { start, width } = logoPadOf(symbol);
  const isInside = (at: number) => at >= start && at < start + width;
  return symbol.map((row, y) => row.map((isDark, x) => isDark && !(isInside(x) && isInside(y))));
}

/**
 * An SVG document (SVG 2) with the symbol as one path and `title` as its name. `logoUrl` (http or https, throws for
 * other schemes) is linked, never fetched, and drawn on a pad in the middle; the symbol needs level Q or H then.
 */
export function drawSvg(
  drawing: Drawing,
  { title, logoUrl }: { title: string; logoUrl: string | null },
): string {
  const { sizePx, marginModules, color, background } = drawing;
  const symbol = logoUrl === null ? drawing.symbol : withLogoPad(drawing.symbol);
  const width = widthModules(drawing);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 ${width} ${width}"`,
    ` role="img" shape-rendering="crispEdges"><title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${width}"${fill(background)}/>`,
    `<path${fill(color)} d="${pathOf(symbol, marginModules)}"/>`,
    logoUrl === null ? '' : logoImage(drawing, logoUrl),
    '</svg>',
  ].join('');
}

/** One box for each run of dark modules in a row. */
function pathOf(symbol: QrSymbol, margin: number): string {
  let path = '';
  symbol.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path += `M${start + margin} ${y + margin}h${x + 1 - start}v1H${start + margin}z`;
    }
  });
  return path;
}

// SVG 1.1, which print programs often read, has no alpha in colours.
function fill(color: Color): string {
  return ` fill="${formatColor(color)}"${color.alpha === 1 ? '' : ` fill-opacity="${Number(color.alpha.toFixed(3))}"`}`;
}

function logoImage({ symbol, marginModules }: Drawing, logoUrl: string): string {
  const url = new URL(logoUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RangeError('A logo must have an http or https address');
  }
  const pad = logoPadOf(symbol);
  const start = marginModules + pad.start + LOGO_GAP_MODULES;
  const width = pad.width - 2 * LOGO_GAP_MODULES;
  return `<image href="${escapeXml(url.href)}" x="${start}" y="${start}" width="${width}" height="${width}"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Least contrast between modules and background: the 3:1 of WCAG 2.2, 1.4.11. A clean picture can be read with far
 * less; the rest is for ink, paper, glare and cheap cameras.
 */
export const CONTRAST_MIN = 3;

/**
 * Whether scanners can be expected to read modules of `color` on `background`, on white paper: dark on light, which
 * not every scanner reads inverted, with a contrast of at least CONTRAST_MIN.
 */
export function isReadable(color: Color, background: Color): boolean {
  const paper = layOver(background, WHITE);
  const modules = layOver(color, paper);
  return contrast(modules, WHITE) >= contrast(paper, WHITE) && contrast(modules, paper) >= CONTRAST_MIN;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BIT_DEPTH = 1;
const COLOR_TYPE_INDEXED = 3;

/**
 * A PNG (W3C PNG, 3rd edition: 5 datastream, 7.2 scanlines, 9 filter type 0, 11.2 chunks, 11.3.1.1 tRNS) of two
 * colours and one bit a pixel, exactly `sizePx` wide. A module is the largest whole number of pixels that fits; the
 * symbol is centred. Null if `sizePx` is less than one pixel a module, margins included.
 */
export function drawPng(drawing: Drawing): Buffer | null {
  const { sizePx, color, background } = drawing;
  if (sizePx < widthModules(drawing)) return null;
  // A browser composites the SVG's path over its background in the same way.
  const palette = [background, layOver(color, background)];
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', pngHeader(sizePx)),
    chunk('PLTE', Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))),
    ...transparency(palette),
    chunk('IDAT', deflateSync(scanlines(drawing))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

// Compression, filter and interlace methods are 0 (11.2.1).
function pngHeader(sizePx: number): Buffer {
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

/** Palette indexes of the pixels, eight a byte, the leftmost in the highest bit; each row starts with its filter, 0. */
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

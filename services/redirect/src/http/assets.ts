import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ASSETS_PATH, readPageFiles } from '@smartlink/pages/assets';
import { compressPage } from '@smartlink/pages/site';
import { type Answer, type EncodedBody, fileAnswer } from './reply.js';

const YEAR_SECONDS = 31_536_000;
const FOR_EVER = { maxAgeSeconds: YEAR_SECONDS, isImmutable: true };

export type Assets = ReturnType<typeof loadAssets>;

/** Throws when the build lacks a file. */
export function loadAssets() {
  const { script, shareImages, shareImagePaths } = readPageFiles();
  const scriptPath = `${ASSETS_PATH}${script.name}`;
  const answers = new Map<string, Answer>([
    [scriptPath, fileAnswer('text/javascript; charset=utf-8', smallest(script.bytes), FOR_EVER)],
    ...shareImages.map(({ name, bytes }): [string, Answer] => [
      `${ASSETS_PATH}${name}`,
      fileAnswer('image/png', bytes, FOR_EVER),
    ]),
  ]);
  return { answers, scriptPath, shareImagePaths };
}

/** Slow but done once at start, for files cached for a year. */
function smallest(plain: Buffer): EncodedBody {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return { brotli: brotliCompressSync(plain, { params }), gzip: gzipSync(plain, { level: 9 }), plain };
}

const HOUR_SECONDS = 3_600;

/**
 * The files that let apps open our links (Apple's universal links, Android's app links), by path; only those configured.
 */
export function wellKnownFiles(options: {
  appleAppSiteAssociation: string | undefined;
  assetLinks: string | undefined;
}): ReadonlyMap<string, Answer> {
  const files = new Map<string, Answer>();
  const add = (name: string, json: string | undefined): void => {
    if (json === undefined) return;
    // Apple requires this type, no redirect and no extension.
    const plain = Buffer.from(json);
    const body = { ...compressPage(plain), plain };
    files.set(`/.well-known/${name}`, fileAnswer('application/json', body, { maxAgeSeconds: HOUR_SECONDS }));
  };
  add('apple-app-site-association', options.appleAppSiteAssociation);
  add('assetlinks.json', options.assetLinks);
  return files;
}

const SIDE = 16;
const HEADER_BYTES = 6 + 16;
const BITMAP_HEADER_BYTES = 40;
const PIXEL_BYTES = SIDE * SIDE * 4;
// One bit a pixel, rows padded to 32 bits; all zero, since transparency is in the alpha channel.
const MASK_BYTES = SIDE * 4;

// A rounded dark square with an arrow to the upper right.
const PICTURE = [
  '..############..',
  '.##############.',
  '################',
  '################',
  '######oooooo####',
  '######oooooo####',
  '#########ooo####',
  '########oooo####',
  '#######ooo#o####',
  '######ooo##o####',
  '#####ooo########',
  '####ooo#########',
  '####oo##########',
  '################',
  '.##############.',
  '..############..',
];
const COLORS: Readonly<Record<string, readonly [blue: number, green: number, red: number, alpha: number]>> = {
  '.': [0, 0, 0, 0],
  '#': [0x28, 0x23, 0x1f, 255],
  o: [255, 255, 255, 255],
};

/** favicon.ico: one 16 by 16 picture with 32 bits a pixel. */
export function drawFavicon(): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + BITMAP_HEADER_BYTES + PIXEL_BYTES + MASK_BYTES);
  const imageBytes = file.length - HEADER_BYTES;
  // ICONDIR and its one entry.
  file.writeUInt16LE(1, 2);
  file.writeUInt16LE(1, 4);
  file.writeUInt8(SIDE, 6);
  file.writeUInt8(SIDE, 7);
  file.writeUInt16LE(1, 10);
  file.writeUInt16LE(32, 12);
  file.writeUInt32LE(imageBytes, 14);
  file.writeUInt32LE(HEADER_BYTES, 18);
  // BITMAPINFOHEADER; its height counts picture and mask.
  file.writeUInt32LE(BITMAP_HEADER_BYTES, HEADER_BYTES);
  file.writeInt32LE(SIDE, HEADER_BYTES + 4);
  file.writeInt32LE(SIDE * 2, HEADER_BYTES + 8);
  file.writeUInt16LE(1, HEADER_BYTES + 12);
  file.writeUInt16LE(32, HEADER_BYTES + 14);
  let offset = HEADER_BYTES + BITMAP_HEADER_BYTES;
  // Bitmap rows are stored bottom up.
  for (const row of PICTURE.toReversed()) {
    for (const cell of row) {
      for (const byte of COLORS[cell] ?? [0, 0, 0, 0]) offset = file.writeUInt8(byte, offset);
    }
  }
  return file;
}

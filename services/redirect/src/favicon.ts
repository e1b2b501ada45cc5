const SIDE = 16;
const HEADER_BYTES = 6 + 16;
const BITMAP_HEADER_BYTES = 40;
const PIXEL_BYTES = SIDE * SIDE * 4;
// One bit a pixel, rows padded to 32 bits; all zero, since the alpha channel says what is seen through.
const MASK_BYTES = SIDE * 4;

// The picture: a rounded dark square, on it an arrow that leads away, to the upper right.
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

/** Returns the bytes of favicon.ico: one picture of 16 by 16 with 32 bits a pixel, drawn here and not copied. */
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
  // A bitmap's rows stand upside down.
  for (const row of PICTURE.toReversed()) {
    for (const cell of row) {
      for (const byte of COLORS[cell] ?? [0, 0, 0, 0]) offset = file.writeUInt8(byte, offset);
    }
  }
  return file;
}

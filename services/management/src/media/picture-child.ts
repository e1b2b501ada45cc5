import { buffer } from 'node:stream/consumers';
import sharp, { type Metadata } from 'sharp';
import { MEDIA_WIDTH_MAX, mediaWidths } from '@smartlink/media/address';
import { type ChildAnswer, PIXELS_MAX, type PictureRefusal } from './picture-encoder.js';

// The program of the child process that decodes pictures of strangers: from its standard input to its standard output. It
// knows no secret, has no open connection, and ends with its one picture.

// Of libvips' many decoders only those of the types that are taken.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((type) => `VipsForeignLoad${type}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

/** Of the largest file: a strip of 20 times its width is 565 by 11,300 then, which WebP can hold. */
const KEPT_PIXELS_MAX = 6_400_000;
const HEIGHT_RATIO_MAX = 20;

class Refused extends Error {
  readonly reason: PictureRefusal;

  constructor(reason: PictureRefusal) {
    super(reason);
    this.reason = reason;
  }
}

async function encode(bytes: Buffer): Promise<{ answer: ChildAnswer; files: readonly Buffer[] }> {
  const { width, height } = await readSize(bytes);
  const widest = Math.max(
    1,
    Math.min(width, MEDIA_WIDTH_MAX, Math.floor(Math.sqrt((KEPT_PIXELS_MAX * width) / height))),
  );
  const input = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient();
  const decoded = await refusing(
    'picture',
    input
      .resize({ width: widest })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const { channels, width: rawWidth, height: rawHeight } = decoded.info;
  const picture = () => sharp(decoded.data, { raw: { channels, width: rawWidth, height: rawHeight } });
  const extension = channels === 4 && !(await picture().stats()).isOpaque ? 'png' : 'jpg';

  const files: { width: number; extension: 'webp' | 'jpg' | 'png'; data: Buffer }[] = [];
  for (const each of mediaWidths(rawWidth)) {
    const resized = () => picture().resize({ width: each });
    const fallback =
      extension === 'png'
        ? resized().png({ palette: true, effort: 1 })
        : resized().flatten({ background: '#fff' }).jpeg({ quality: 82 });
    files.push(
      { width: each, extension: 'webp', data: await resized().webp({ quality: 80 }).toBuffer() },
      { width: each, extension, data: await fallback.toBuffer() },
    );
  }
  return {
    answer: {
      width: rawWidth,
      height: rawHeight,
      files: files.map(({ data, ...file }) => ({ ...file, bytes: data.length })),
    },
    files: files.map(({ data }) => data),
  };
}

/** The size of the picture as it is shown. Throws Refused. */
async function readSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  if (bytes.length === 0) throw new Refused('picture');
  const metadata = await refusing('picture', sharp(bytes, { limitInputPixels: false }).metadata());
  const { width, height } = metadata.autoOrient;
  if (width * height > PIXELS_MAX) throw new Refused('pixels');
  if (isAnimated(bytes, metadata)) throw new Refused('animated');
  if (height > HEIGHT_RATIO_MAX * width) throw new Refused('strip');
  return { width, height };
}

function isAnimated(bytes: Buffer, { format, pages = 1 }: Metadata): boolean {
  // libvips reads neither the frames of an APNG nor those of an AVIF sequence.
  if (format === 'png') return hasChunk(bytes, 'acTL');
  if (format === 'heif') return pages > 1 || bytes.toString('latin1', 8, 12) === 'avis';
  return pages > 1;
}

/** Whether a PNG has a chunk of the type before its pixels (PNG, third edition, 5.3). */
function hasChunk(png: Buffer, wanted: string): boolean {
  let at = 8;
  while (at + 8 <= png.length) {
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === wanted) return true;
    if (type === 'IDAT') return false;
    at += 12 + png.readUInt32BE(at);
  }
  return false;
}

async function refusing<T>(reason: PictureRefusal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new Refused(reason);
  }
}

function write(answer: ChildAnswer, files: readonly Buffer[] = []): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  for (const file of files) process.stdout.write(file);
}

try {
  const { answer, files } = await encode(await buffer(process.stdin));
  write(answer, files);
} catch (err) {
  if (!(err instanceof Refused)) throw err;
  write({ refusal: err.reason });
}

import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPictureEncoder } from './picture-encoder.js';

const MIB = 1024 * 1024;
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();

test('a child that takes too much memory or time is ended, and the next picture is decoded', async () => {
  const picture = await noise(1_000, 1_000);
  // Node alone takes more.
  expect(await createPictureEncoder({ memoryBytesMax: 20 * MIB }).encode(picture)).toBe('resources');
  expect(await createPictureEncoder({ encodeMsMax: 1 }).encode(picture)).toBe('resources');
  const encoder = createPictureEncoder();
  const small = sharp({ create: { width: 9, height: 9, channels: 3, background: '#375' } });
  const outcomes = [encoder.encode(Buffer.from('no picture')), encoder.encode(await small.gif().toBuffer())];
  expect(await Promise.all(outcomes)).toEqual(['picture', expect.objectContaining({ width: 9, height: 9 })]);
});

test('40 megapixels are decoded within the limits, and kept no wider than 1600 pixels', async () => {
  const large = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: '#375' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const encoded = await createPictureEncoder().encode(large);
  expect(encoded).toMatchObject({ width: 1_600, height: 1_000 });
});

test('a closed encoder ends its child', async () => {
  const encoder = createPictureEncoder();
  const encoding = encoder.encode(await noise(1_000, 1_000));
  encoder.close();
  await expect(encoding).rejects.toThrow(/abort/);
  await expect(encoder.encode(Buffer.alloc(1))).rejects.toThrow(/abort/);
});

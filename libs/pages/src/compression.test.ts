import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressPage } from './site.js';

const LARGE_BYTES = 256 * 1024;
/** Words that compress differently at each level, `length` bytes of them. */
const textOf = (length: number): string => {
  let text = '';
  for (let seed = 1; text.length < length; seed = (seed * 48_271) % 2_147_483_647) {
    text += `<li>${(seed % 4096).toString(36)}</li>`;
  }
  return text.slice(0, length);
};
const brotliAt = (level: number, text: string): Buffer =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });

const TEXTS = { empty: '', short: '<p>Çay – 3 ₼</p>', large: textOf(LARGE_BYTES) };

test.each(Object.entries(TEXTS))('a text that is %s can be read again in both encodings', (_, text) => {
  const { brotli, gzip } = compressPage(text);
  expect(brotliDecompressSync(brotli).toString()).toBe(text);
  expect(gunzipSync(gzip).toString()).toBe(text);
});

test.each(Object.entries(TEXTS))('no memory is held beside what a text that is %s takes', (_, text) => {
  for (const bytes of Object.values(compressPage(text)))
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
});

test('bytes are compressed as the text they hold', () => {
  expect(compressPage(Buffer.from(TEXTS.short))).toEqual(compressPage(TEXTS.short));
});

test('from 256 KiB on a page is compressed by brotli at level 9, below at level 5', () => {
  const small = textOf(LARGE_BYTES - 1);
  expect(compressPage(small).brotli.length).toBe(brotliAt(5, small).length);
  expect(compressPage(TEXTS.large).brotli.length).toBe(brotliAt(9, TEXTS.large).length);
  expect(brotliAt(9, small).length).toBeLessThan(brotliAt(5, small).length);
});

test('gzip is made at level 6', () => {
  const text = textOf(50_000);
  expect(compressPage(text).gzip.length).toBe(gzipSync(text, { level: 6 }).length);
  expect(gzipSync(text, { level: 1 }).length).not.toBe(gzipSync(text, { level: 6 }).length);
});

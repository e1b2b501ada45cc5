import { expect, test } from 'vitest';
import { readLines } from './lines.js';

async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) yield await Promise.resolve(bytes.subarray(i, i + size));
}

async function linesOf(text: string, size: number, bytesMax: number) {
  const lines = [];
  for await (const line of readLines(cut(text, size), bytesMax)) lines.push(line.bytes?.toString() ?? null);
  return lines;
}

test.each([1, 2, 3, 7, 100])(
  'lines are whole wherever the stream is cut, here every %d bytes',
  async (size) => {
    expect(await linesOf('äö\r\n\nlong line here\nüé', size, 6)).toEqual(['äö', '', null, 'üé']);
    expect(await linesOf('a\n', size, 6)).toEqual(['a']);
    expect(await linesOf('', size, 6)).toEqual([]);
  },
);

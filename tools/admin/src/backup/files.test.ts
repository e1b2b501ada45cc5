import { expect, test } from 'vitest';
import { inWholeLines } from './files.js';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) {
    await Promise.resolve();
    yield Buffer.from(text.slice(at, at + size));
  }
}

async function piecesOf(text: string, size: number, bytesMax: number): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of inWholeLines(inChunks(text, size), bytesMax)) pieces.push(piece.toString());
  return pieces;
}

const LINES = Array.from({ length: 60 }, (_, i) => `${'x'.repeat((i * 7) % 23)}\n`);

test('rows are handed on whole, in order, and never more at once than was said', async () => {
  for (const size of [1, 2, 5, 17, 64, 5_000]) {
    for (const bytesMax of [24, 25, 40, 100, 5_000]) {
      const pieces = await piecesOf(LINES.join(''), size, bytesMax);
      expect(pieces.join('')).toBe(LINES.join(''));
      for (const piece of pieces) {
        expect(piece.endsWith('\n')).toBe(true);
        expect(piece.length).toBeLessThanOrEqual(bytesMax);
      }
      // As full as whole lines make them.
      for (const [i, piece] of pieces.slice(0, -1).entries()) {
        const next = (pieces[i + 1] ?? '').indexOf('\n') + 1;
        expect(piece.length + next).toBeGreaterThan(size === 1 ? bytesMax : bytesMax - 24);
      }
    }
  }
});

test('a row that is longer than the most is a piece by itself, and the last need not end', async () => {
  for (const size of [1, 3, 100]) {
    expect(await piecesOf('a\nbbbbbbbbbb\nc\nd', size, 4)).toEqual(['a\n', 'bbbbbbbbbb\n', 'c\nd']);
  }
});

import { expect, test } from 'vitest';
import { inWholeLines } from './files.js';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) {
    await Promise.resolve();
    yield Buffer.from(text.slice(at, at + size));
  }
}

const LINES = Array.from({ length: 60 }, (_, i) => `${'x'.repeat((i * 7) % 23)}\n`).join('');

test('rows are passed on whole, in order, in pieces of about the given size', async () => {
  for (const size of [1, 5, 64, 5_000]) {
    for (const bytesAbout of [4, 40, 5_000]) {
      const pieces: string[] = [];
      for await (const piece of inWholeLines(inChunks(`${LINES}end`, size), bytesAbout))
        pieces.push(piece.toString());
      expect(pieces.join('')).toBe(`${LINES}end`);
      for (const piece of pieces.slice(0, -1)) {
        expect(piece.endsWith('\n')).toBe(true);
        expect(piece.length).toBeGreaterThan(bytesAbout - 24);
        expect(piece.length).toBeLessThan(bytesAbout + size + 24);
      }
    }
  }
});

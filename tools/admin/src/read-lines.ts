/** A line without its end, and its number from 1; null when it is longer than it may be. */
export type Line = { readonly number: number; readonly text: string | null };

/**
 * Yields the lines of a stream of bytes. Memory is bounded by `bytesMax`, also when no line ever ends; a longer one
 * comes without its text.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > bytesMax) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const text = bytes > bytesMax ? null : Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
    parts = [];
    bytes = 0;
    number += 1;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}

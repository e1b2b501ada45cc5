const RETURN = 0x0d;

/** A line without its end, and its number from 1. `bytes`: null when it is too long. */
export type Line = { readonly number: number; readonly bytes: Buffer | null };

/** The lines of a stream. Memory is bounded by `bytesMax`, also when no line ever ends. */
export async function* readLines(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > bytesMax) parts = [];
    else parts.push(part);
  };
  const finishLine = (): Line => {
    const line = bytes > bytesMax ? null : Buffer.concat(parts);
    parts = [];
    bytes = 0;
    number += 1;
    return { number, bytes: line?.at(-1) === RETURN ? line.subarray(0, -1) : line };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield finishLine();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield finishLine();
}

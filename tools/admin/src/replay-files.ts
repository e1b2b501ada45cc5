import { createReadStream, createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { parseEventLine } from './event-row.js';
import type { ExportedEvent } from './event-row.js';
import { insertEvents } from './insert-events.js';
import { Problem } from './problem.js';
import type { Progress } from './progress.js';
import { readLines } from './read-lines.js';
import type { Line } from './read-lines.js';
import { describe } from './session.js';

const EVENTS_PER_INSERT = 10_000;
// The text columns together have less than 3 KiB, escaped in the worst case six times that.
const LINE_BYTES_MAX = 64 * 1024;

export type Replayed = {
  readonly inserted: number;
  /** Events of days whose cells are final. */
  readonly skipped: number;
  /** Lines that are no events of ours. */
  readonly refused: number;
};

type Options = {
  /** YYYY-MM-DD: events before it are skipped. */
  readonly rawFrom: string;
  readonly progress: Progress;
  /** Told of every line that is refused, as `FILE:12: reason`. */
  readonly onRefused: (line: string) => void;
};

/**
 * Inserts the events of a file that `events export` has written, ten thousand at a time. Lines that are no events are
 * left out, and written to `<file>.refused` as they are, so that they can be mended and replayed by themselves; that
 * file is made anew. Throws Problem when a file cannot be read; what was inserted before stays, and does not count
 * twice when the file is replayed again.
 */
export async function replayFile(
  clickhouse: ClickHouseClient,
  file: string,
  { rawFrom, progress, onRefused }: Options,
): Promise<Replayed> {
  const counts = { inserted: 0, skipped: 0, refused: 0 };
  const refusedFile = openRefusedFile(`${file}.refused`);
  let batch: ExportedEvent[] = [];
  const send = async () => {
    if (batch.length > 0) await insertEvents(clickhouse, batch);
    counts.inserted += batch.length;
    progress.add(batch.length);
    batch = [];
  };
  const refuse = async ({ number, text }: Line, reason: string) => {
    counts.refused += 1;
    onRefused(`${file}:${number}: ${reason}`);
    if (text !== null) await refusedFile.add(text);
  };
  try {
    await refusedFile.clear();
    for await (const line of readLines(openBytes(file), LINE_BYTES_MAX)) {
      if (line.text === null) await refuse(line, `is longer than ${LINE_BYTES_MAX} bytes`);
      else if (line.text !== '') {
        const event = parseEventLine(line.text);
        if ('reason' in event) await refuse(line, event.reason);
        else if (event.ts < rawFrom) counts.skipped += 1;
        else batch.push(event);
      }
      if (batch.length >= EVENTS_PER_INSERT) await send();
    }
    await send();
  } catch (err) {
    throw isFileError(err) ? new Problem(`${file} cannot be read: ${describe(err)}`) : err;
  } finally {
    await refusedFile.close();
  }
  return counts;
}

function openBytes(file: string): AsyncIterable<Buffer> {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes;
  const text = createGunzip();
  // `pipe` hands no failure on.
  bytes.on('error', (err) => text.destroy(err));
  return bytes.pipe(text);
}

/** The file is made with the first line that goes into it. */
function openRefusedFile(name: string) {
  let stream: WriteStream | null = null;
  return {
    clear: () => rm(name, { force: true }),
    add: async (line: string) => {
      stream ??= createWriteStream(name, { mode: 0o600 });
      if (!stream.write(`${line}\n`)) await once(stream, 'drain');
    },
    close: async () => {
      if (stream === null) return;
      stream.end();
      await finished(stream);
    },
  };
}

/** Of the file system, or of what is no gzip or ends early (Z_DATA_ERROR, Z_BUF_ERROR). */
function isFileError(err: unknown): boolean {
  if (!(err instanceof Error) || !('code' in err)) return false;
  return 'path' in err || err.code === 'EISDIR' || String(err.code).startsWith('Z_');
}

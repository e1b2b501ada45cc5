import { createReadStream, createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { COLUMN_NAMES, parseEventLine } from './event-row.js';
import type { ExportedEvent } from './event-row.js';
import { cannotRead, cannotWrite } from './file-problems.js';
import { insertEvents } from './insert-events.js';
import type { Verdict, Visit, VisitJudge } from './judge-visits.js';
import { Problem } from './problem.js';
import type { Progress } from './progress.js';
import { readLines } from './read-lines.js';
import type { Line } from './read-lines.js';

const EVENTS_PER_INSERT = 10_000;
// The text columns together have less than 3 KiB, escaped in the worst case six times that.
const LINE_BYTES_MAX = 64 * 1024;

// The heading of an export as CSV.
const CSV_START = COLUMN_NAMES.slice(0, 2).join(',');

/** What a visit with this verdict is counted among. */
export const COUNTED_AS = {
  welcome: 'inserted',
  final: 'skipped',
  gone: 'gone',
  purged: 'purged',
} as const satisfies Record<Verdict, string>;

export type Replayed = {
  readonly inserted: number;
  /** Events of days whose cells are final. */
  readonly skipped: number;
  /** Events whose smartlink is gone. */
  readonly gone: number;
  /** Events that were purged. */
  readonly purged: number;
  /** Lines that are no events of ours. */
  readonly refused: number;
};

type Options = {
  readonly judge: VisitJudge['judge'];
  readonly progress: Progress;
  /** Told of every line that is refused, as `FILE:12: reason`. */
  readonly onRefused: (line: string) => void;
};

/**
 * Inserts the events of a file that `events export` has written, ten thousand at a time. Lines that are no events are
 * left out, and written to `<file>.refused` as they are, so that they can be mended and replayed by themselves; that
 * file is made anew. Throws Problem when a file cannot be read or is CSV; what was inserted before stays, and does not count
 * twice when the file is replayed again.
 */
export async function replayFile(
  clickhouse: ClickHouseClient,
  file: string,
  { judge, progress, onRefused }: Options,
): Promise<Replayed> {
  const counts = { inserted: 0, skipped: 0, gone: 0, purged: 0, refused: 0 };
  // Beside a pipe or a terminal there is nothing to put a file.
  const refusedFile = openRefusedFile((await isPlainFile(file)) ? `${file}.refused` : null);
  let batch: ExportedEvent[] = [];
  const send = async () => {
    if (batch.length === 0) return;
    const verdicts = await judge(batch.map(toVisit));
    const welcome = batch.filter((_event, i) => verdicts[i] === 'welcome');
    if (welcome.length > 0) await insertEvents(clickhouse, welcome);
    for (const verdict of verdicts) counts[COUNTED_AS[verdict]] += 1;
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
      if (line.number === 1 && line.text?.startsWith(CSV_START) === true) {
        throw new Problem(`${file} is CSV: only ndjson can be replayed.`);
      }
      if (line.text === null) await refuse(line, `is longer than ${LINE_BYTES_MAX} bytes`);
      else if (line.text !== '') {
        const event = parseEventLine(line.text);
        if ('reason' in event) await refuse(line, event.reason);
        else batch.push(event);
      }
      if (batch.length >= EVENTS_PER_INSERT) await send();
    }
    await send();
  } catch (err) {
    throw isFileError(err) ? cannotRead(file, err) : err;
  } finally {
    await refusedFile.close();
  }
  return counts;
}

const toVisit = (event: ExportedEvent): Visit => ({
  ownerId: event.owner_id,
  smartlinkId: event.smartlink_id,
  timeMs: Date.parse(`${event.ts.replace(' ', 'T')}Z`),
});

function openBytes(file: string): AsyncIterable<Buffer> {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes;
  const text = createGunzip();
  // `pipe` hands no failure on.
  bytes.on('error', (err) => text.destroy(err));
  return bytes.pipe(text);
}

async function isPlainFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null))?.isFile() === true;
}

/** The file is made with the first line that goes into it; with no name nothing is kept. */
function openRefusedFile(name: string | null) {
  let stream: WriteStream | null = null;
  let failure: Error | null = null;
  return {
    clear: async () => {
      if (name !== null) await rm(name, { force: true });
    },
    add: async (line: string) => {
      if (name === null) return;
      stream ??= createWriteStream(name, { mode: 0o600 }).on('error', (err) => (failure = err));
      if (!stream.write(`${line}\n`) && failure === null) await once(stream, 'drain');
      if (failure !== null) throw cannotWrite(name, failure);
    },
    close: async () => {
      if (stream === null || failure !== null) return;
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

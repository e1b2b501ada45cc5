import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { LINE_CHARACTERS_MAX, coveringLabels, readBlocklistLine } from './blocklist-line.js';
import { halfSipHash } from './half-sip-hash.js';
import type { HashKey } from './half-sip-hash.js';
import { buildHashSet, createHashCollector } from './hash-set.js';
import type { HashCollector, HashSet } from './hash-set.js';

// A million hosts are 20 to 30 MB.
const FILE_BYTES_MAX = 1024 ** 3;
const ENTRIES_MAX = 8_000_000;
// Some two thousand lines, two milliseconds; between two chunks the event loop turns.
const CHUNK_BYTES = 32_768;

/** A file that can be read and is no blocklist. It is not tried again until it changes. */
export class DamagedBlocklistError extends Error {
  constructor(file: string, fault: string) {
    super(`${file} ${fault}`);
    this.name = 'DamagedBlocklistError';
  }
}

export type LoadedBlocklist = {
  readonly hashes: HashSet;
  /** The most labels that a host on it has: no domain with more covers anything. */
  readonly labelsMax: number;
  /** Lines that are neither host, URL nor comment. */
  readonly strangeLines: number;
  /** The first of them, as file:line; null when there is none. */
  readonly firstStrangeLine: string | null;
};

type Tally = {
  lines: number;
  entryLines: number;
  labelsMax: number;
  strangeLines: number;
  firstStrangeLine: number | null;
};

/**
 * Reads blocklists into one set, hashed with `key`, in slices of some milliseconds. Rejects with DamagedBlocklistError
 * for a file that holds no line at all (what a failed download leaves), more strange lines than entries (a page that
 * says why there was none), or more than can be kept; with Node's error for one that cannot be read, and with `signal`'s
 * reason.
 */
export async function loadBlocklist(
  files: readonly string[],
  key: HashKey,
  signal: AbortSignal,
): Promise<LoadedBlocklist> {
  const collected = createHashCollector();
  let strangeLines = 0;
  let labelsMax = 0;
  let firstStrangeLine: string | null = null;
  for (const file of files) {
    const tally = await readFileInto(collected, file, key, signal);
    if (tally.lines === 0) throw new DamagedBlocklistError(file, 'is empty, without even a comment');
    if (tally.strangeLines > tally.entryLines) {
      throw new DamagedBlocklistError(
        file,
        `is no list of hosts or URLs: ${tally.strangeLines} of its lines are neither, the first is line ${tally.firstStrangeLine ?? 0}`,
      );
    }
    strangeLines += tally.strangeLines;
    labelsMax = Math.max(labelsMax, tally.labelsMax);
    if (tally.firstStrangeLine !== null) firstStrangeLine ??= `${file}:${tally.firstStrangeLine}`;
  }
  return { hashes: await buildHashSet(collected), labelsMax, strangeLines, firstStrangeLine };
}

async function readFileInto(
  collected: HashCollector,
  file: string,
  key: HashKey,
  signal: AbortSignal,
): Promise<Tally> {
  const tally: Tally = { lines: 0, entryLines: 0, labelsMax: 0, strangeLines: 0, firstStrangeLine: null };
  const pair = new Int32Array(2);
  const takeLine = (line: string): void => {
    tally.lines += 1;
    const entries = readBlocklistLine(line);
    if (entries === null) {
      tally.strangeLines += 1;
      tally.firstStrangeLine ??= tally.lines;
      return;
    }
    if (entries.length > 0) tally.entryLines += 1;
    for (const entry of entries) {
      tally.labelsMax = Math.max(tally.labelsMax, coveringLabels(entry));
      halfSipHash(entry, key, pair);
      collected.add(pair[0] ?? 0, pair[1] ?? 0);
    }
    if (collected.count() > ENTRIES_MAX) {
      throw new DamagedBlocklistError(file, `brings more than ${ENTRIES_MAX} entries`);
    }
  };
  for await (const lines of readLines(file, signal)) for (const line of lines) takeLine(line);
  return tally;
}

/** Yields the lines of a file, without their breaks, a chunk's at a time. */
async function* readLines(file: string, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    let rest = '';
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      bytes += bytesRead;
      if (bytes > FILE_BYTES_MAX) throw new DamagedBlocklistError(file, 'is larger than 1 GiB');
      const text = decoder.write(chunk.subarray(0, bytesRead));
      const lines = (rest + (bytes === bytesRead ? text.replace(/^\uFEFF/, '') : text)).split(/\r?\n/);
      rest = lines.pop() ?? '';
      // Of a line that never ends no more is kept than shows that it is too long.
      rest = rest.slice(0, LINE_CHARACTERS_MAX + 1);
      yield lines;
    }
    rest += decoder.end();
    if (rest !== '') yield [rest];
  } finally {
    await handle.close();
  }
}

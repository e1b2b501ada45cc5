import { open } from 'node:fs/promises';
import { isIP } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import {
  buildHashSet,
  createHashCollector,
  halfSipHash,
  type HashCollector,
  type HashKey,
  type HashSet,
} from './hash-set.js';
import { canonicalise } from './safe-browsing-url.js';

// A million hosts are 20 to 30 MB.
const FILE_BYTES_MAX = 1024 ** 3;
const ENTRIES_MAX = 8_000_000;
// About 2,000 lines and 2 ms; the event loop turns between two chunks.
const CHUNK_BYTES = 32_768;
/** Above any URL that the API accepts (2,048 characters) and any line of URLhaus. */
const LINE_CHARACTERS_MAX = 8_192;

/** A readable file that is no blocklist. It is not tried again until it changes. */
export class DamagedBlocklistError extends Error {}

export type LoadedBlocklist = {
  readonly hashes: HashSet;
  /** Labels of the longest host: no domain with more covers anything. */
  readonly labelsMax: number;
  /** Number of lines that are neither host, URL nor comment. */
  readonly strangeLines: number;
  /** `file:line`. */
  readonly firstStrangeLine: string | null;
};

/**
 * Reads blocklists into one set, hashed with `key`, in slices of a few milliseconds. Rejects with DamagedBlocklistError
 * for a file without any line (a failed download), with more strange lines than entries (an error page), or above the
 * limits; with Node's error for an unreadable file, and with the reason of `signal`.
 */
export async function loadBlocklist(
  files: readonly string[],
  key: HashKey,
  signal?: AbortSignal,
): Promise<LoadedBlocklist> {
  const collected = createHashCollector();
  let strangeLines = 0;
  let labelsMax = 0;
  let firstStrangeLine: string | null = null;
  for (const file of files) {
    const tally = await readFileInto(collected, file, key, signal);
    if (tally.lines === 0) throw new DamagedBlocklistError(`${file} is empty, without even a comment`);
    if (tally.strangeLines > tally.entryLines) {
      throw new DamagedBlocklistError(
        `${file} is no list of hosts or URLs: ${tally.strangeLines} of its lines are neither, the first is line ${tally.firstStrangeLine ?? 0}`,
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
  signal: AbortSignal | undefined,
) {
  const counts = { lines: 0, entryLines: 0, labelsMax: 0, strangeLines: 0 };
  const tally = { ...counts, firstStrangeLine: null as number | null };
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
      throw new DamagedBlocklistError(`${file} exceeds the maximum of ${ENTRIES_MAX} entries`);
    }
  };
  for await (const lines of readLines(file, signal)) for (const line of lines) takeLine(line);
  return tally;
}

/** The lines of a file, without their breaks, by chunk. */
async function* readLines(file: string, signal: AbortSignal | undefined): AsyncGenerator<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    let rest = '';
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      bytes += bytesRead;
      if (bytes > FILE_BYTES_MAX) throw new DamagedBlocklistError(`${file} is larger than 1 GiB`);
      const text = decoder.write(chunk.subarray(0, bytesRead));
      const lines = (rest + (bytes === bytesRead ? text.replace(/^\uFEFF/, '') : text)).split(/\r?\n/);
      rest = lines.pop() ?? '';
      // Bounds an endless line, and keeps enough to see that it is too long.
      rest = rest.slice(0, LINE_CHARACTERS_MAX + 1);
      yield lines;
    }
    rest += decoder.end();
    if (rest !== '') yield [rest];
  } finally {
    await handle.close();
  }
}

// An entry is a host, in lower case without a final dot, or a URL as host, path and query in canonical form: its spelling,
// scheme, user, port and fragment make no difference. A host has no slash, so the two cannot be confused.

const PLAIN_HOST = /^(?:[a-z0-9_-]{1,63}\.){1,126}[a-z][a-z0-9-]{0,62}$/;

/**
 * The hosts and URLs of a line: a host, a URL, `0.0.0.0 host …` as in a hosts file, or a row of URLhaus' CSV
 * (https://urlhaus.abuse.ch/api/: id, dateadded, url, …, each quoted). Empty for a blank line, a comment and a hosts
 * file's names of the machine itself; null for any other line.
 */
export function readBlocklistLine(line: string): readonly string[] | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const text = withoutComment(line).trim();
  if (text === '') return [];
  if (text.startsWith('"')) return readCsvRow(text);
  if (/^https?:\/\//i.test(text)) return oneOrNull(urlKey(text));
  const [first = '', ...names] = text.split(/\s+/);
  if (names.length === 0) return oneOrNull(hostKey(first));
  return isIP(first) === 0 ? null : readHostNames(names);
}

/**
 * The entries that would cover `url`: itself, its host, and the domains above it of at most `labelsMax` labels. Empty for
 * an invalid URL.
 */
export function keysCovering(url: string, labelsMax: number): readonly string[] {
  const parsed = parseUrl(url);
  if (parsed === null) return [];
  const { key, host } = keyOf(parsed);
  return [key, host, ...domainsAbove(host, labelsMax)];
}

/** Number of labels of a host, which covers its subdomains; 0 for a URL or an address. */
export function coveringLabels(entry: string): number {
  return entry.includes('/') || isAddress(entry) ? 0 : entry.split('.').length;
}

function readCsvRow(text: string): readonly string[] | null {
  const fields = /^"(?:[^"]|"")*","(?:[^"]|"")*","((?:[^"]|"")*)"/.exec(text);
  const url = fields?.[1]?.replaceAll('""', '"');
  return url === undefined ? null : oneOrNull(urlKey(url));
}

function readHostNames(names: readonly string[]): readonly string[] | null {
  const hosts: string[] = [];
  for (const name of names) {
    const host = hostKey(name);
    if (host !== null) hosts.push(host);
    // `localhost`, `broadcasthost` and `ip6-allnodes` are in every hosts file.
    else if (!/^[\w-]+$/.test(name)) return null;
  }
  return hosts;
}

function hostKey(name: string): string | null {
  const host = withoutLastDot(name.toLowerCase());
  if (PLAIN_HOST.test(host)) return host;
  // International names and addresses in any notation, as the WHATWG parser reads them.
  const isAddress6 = isIP(host) === 6;
  if (!isAddress6 && /[:/\\?#@[\]]/.test(host)) return null;
  const parsed = parseUrl(`http://${isAddress6 ? `[${host}]` : host}/`);
  const read = parsed === null ? '' : canonicalise(parsed.href).host;
  // An entry that blocks all of `com` is a mistake.
  return /[.:]/.test(read) ? read : null;
}

function urlKey(url: string): string | null {
  const parsed = parseUrl(url);
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? null : keyOf(parsed).key;
}

function keyOf({ href }: URL): { readonly key: string; readonly host: string } {
  const { host, path, query } = canonicalise(href);
  return { key: `${host}${path}${query === null ? '' : `?${query}`}`, host };
}

function domainsAbove(host: string, labelsMax: number): string[] {
  const domains: string[] = [];
  if (isAddress(host)) return domains;
  // From the end: a host may have 121 labels, and the longest entry usually has five.
  let dot = host.lastIndexOf('.');
  while (dot !== -1 && domains.length < labelsMax) {
    domains.push(host.slice(dot + 1));
    dot = host.lastIndexOf('.', dot - 1);
  }
  return domains;
}

/** An address has no domains above it. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host);
}

function withoutComment(line: string): string {
  if (line.startsWith('#')) return '';
  // A URL may contain #, so a comment after an entry needs a space before it.
  const comment = line.search(/\s#/);
  return comment === -1 ? line : line.slice(0, comment);
}

function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function oneOrNull(entry: string | null): readonly string[] | null {
  return entry === null ? null : [entry];
}

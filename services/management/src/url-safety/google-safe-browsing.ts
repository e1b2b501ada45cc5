import { createHash } from 'node:crypto';
import { createSlices } from '../event-loop-slices.js';
import { askInBatches, batchesOf } from './ask-in-batches.js';
import { createPrefixCache } from './prefix-cache.js';
import { createProviderClient } from './provider-client.js';
import { canonicalise, expressionsOf } from './safe-browsing-url.js';
import { readSearchAnswer } from './safe-browsing-answer.js';
import { ProviderError } from './safety-provider.js';
import type { SafetyProvider } from './safety-provider.js';

/** https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search */
export const SAFE_BROWSING_URL = 'https://safebrowsing.googleapis.com';

const PREFIX_CHARACTERS = 4;
// A thousand are allowed, but a GET line of 26 bytes a prefix must pass proxies that take 8 KiB.
const PREFIXES_A_QUESTION = 250;
// A hundred bytes each.
const CACHED_PREFIXES_MAX = 100_000;

/**
 * Returns Google Safe Browsing v5 in its no-storage mode: nothing but the first four bytes of SHA-256 hashes leaves the
 * house, 30 a URL at most. What the service answered is believed for as long as it says, of safe URLs too. Its terms
 * are for non-commercial use; commercial users take Web Risk.
 */
export function createSafeBrowsing(options: {
  baseUrl: string;
  apiKey: string;
  now: () => number;
}): SafetyProvider {
  const client = createProviderClient(options.baseUrl);
  const headers = { 'x-goog-api-key': options.apiKey };
  const cache = createPrefixCache({ entriesMax: CACHED_PREFIXES_MAX, now: options.now });
  return {
    name: 'google-safe-browsing',
    async findUnsafe(urls, signal) {
      const listed = new Set<string>();
      const unknown: string[] = [];
      const hashes = await hashAll(urls, signal, (prefix) => {
        const known = cache.get(prefix);
        if (known === undefined) unknown.push(prefix);
        else for (const hash of known) listed.add(hash);
      });
      try {
        await askInBatches(batchesOf(unknown, PREFIXES_A_QUESTION), signal, async (batch, either) => {
          for (const hash of await search(batch, either)) listed.add(hash);
          return [];
        });
      } catch (err) {
        if (!(err instanceof ProviderError)) throw err;
        const unsafe = await withListedHash(hashes, listed);
        throw new ProviderError(err.message, { unsafe, isProviderUp: err.isProviderUp, cause: err });
      }
      return withListedHash(hashes, listed);
    },
    close: client.close,
  };

  async function search(prefixes: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const answer = await client.ask({ method: 'GET', path: pathOf(prefixes), headers }, signal);
    const { unsafe, cacheMs } = readSearchAnswer(answer);
    const found = new Map<string, string[]>(prefixes.map((prefix) => [prefix, []]));
    for (const hash of unsafe) found.get(prefixOf(hash))?.push(hash);
    for (const [prefix, hashes] of found) cache.set(prefix, hashes, cacheMs);
    return unsafe;
  }
}

/** A URL and the hashes of its expressions. */
type UrlHashes = readonly [url: string, hashes: readonly string[]];

/**
 * Returns the hashes of all URLs, and tells of each prefix of theirs, once. Expressions that URLs have in common are
 * hashed once.
 */
async function hashAll(
  urls: readonly string[],
  signal: AbortSignal,
  onPrefix: (prefix: string) => void,
): Promise<readonly UrlHashes[]> {
  const known = new Map<string, string>();
  const prefixes = new Set<string>();
  const slices = createSlices();
  const hashOf = (expression: string): string => {
    const before = known.get(expression);
    if (before !== undefined) return before;
    const hash = sha256(expression);
    known.set(expression, hash);
    const prefix = prefixOf(hash);
    if (!prefixes.has(prefix)) {
      prefixes.add(prefix);
      onPrefix(prefix);
    }
    return hash;
  };
  const hashes: UrlHashes[] = [];
  for (const url of urls) {
    await slices.nextIfOver();
    signal.throwIfAborted();
    hashes.push([url, expressionsOf(canonicalise(new URL(url).href)).map(hashOf)]);
  }
  return hashes;
}

async function withListedHash(
  hashes: readonly UrlHashes[],
  listed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const unsafe = new Set<string>();
  if (listed.size === 0) return unsafe;
  const slices = createSlices();
  for (const [url, own] of hashes) {
    await slices.nextIfOver();
    if (own.some((hash) => listed.has(hash))) unsafe.add(url);
  }
  return unsafe;
}

/** 32 bytes as Latin-1 characters: they are compared, cut and kept as keys. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest().toString('latin1');
}

function prefixOf(hash: string): string {
  return hash.slice(0, PREFIX_CHARACTERS);
}

/** `alt=proto` is what the service does anyway; said, so that a change of its mind does not matter. */
function pathOf(prefixes: readonly string[]): string {
  const query = new URLSearchParams({ alt: 'proto' });
  for (const prefix of prefixes)
    query.append('hashPrefixes', Buffer.from(prefix, 'latin1').toString('base64'));
  return `/v5/hashes:search?${query.toString()}`;
}

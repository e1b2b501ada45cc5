import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createSlices } from '../time-slices.js';
import {
  askInBatches,
  batchesOf,
  createProviderClient,
  ProviderError,
  type SafetyProvider,
} from './provider.js';
import { readSearchAnswer } from './safe-browsing-answer.js';
import { canonicalise, expressionsOf } from './safe-browsing-url.js';

/** https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search */
export const SAFE_BROWSING_URL = 'https://safebrowsing.googleapis.com';

const PREFIX_CHARACTERS = 4;
// The API allows 1,000, but the GET line, 26 bytes a prefix, must pass proxies that accept 8 KiB.
const PREFIXES_A_QUESTION = 250;
// About 100 bytes each.
const CACHED_PREFIXES_MAX = 100_000;

/**
 * Google Safe Browsing v5 in its no-storage mode: only the first four bytes of SHA-256 hashes are sent, at most 30 a URL.
 * Answers, also about safe URLs, are cached for as long as the service says. Its terms are for non-commercial use;
 * commercial users need Web Risk.
 */
export function createSafeBrowsing(options: { baseUrl: string; apiKey: string }): SafetyProvider {
  const client = createProviderClient(options.baseUrl);
  const headers = { 'x-goog-api-key': options.apiKey };
  const cache = createPrefixCache(CACHED_PREFIXES_MAX);
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

/** The unsafe full hashes by 4-byte prefix of a hash, none for most; undefined when the service must be asked. */
export function createPrefixCache(max: number, clock: { now: () => number } = performance) {
  const answers = new LRUCache<string, readonly string[]>({ max, perf: clock, ttlResolution: 0 });
  return {
    get: (prefix: string) => answers.get(prefix),
    set(prefix: string, unsafe: readonly string[], cacheMs: number): void {
      // lru-cache takes a ttl of 0 for no limit.
      if (cacheMs > 0) answers.set(prefix, unsafe, { ttl: cacheMs });
      else answers.delete(prefix);
    },
  };
}

/** A URL and the hashes of its expressions. */
type UrlHashes = readonly [url: string, hashes: readonly string[]];

/** Hashes the expressions of all URLs. `onPrefix` is called once for each distinct prefix. */
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

/** 32 bytes as Latin-1 characters, so that a hash can be a key. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest().toString('latin1');
}

function prefixOf(hash: string): string {
  return hash.slice(0, PREFIX_CHARACTERS);
}

/** `alt=proto` is the service's default, stated in case the default changes. */
function pathOf(prefixes: readonly string[]): string {
  const query = new URLSearchParams({ alt: 'proto' });
  for (const prefix of prefixes)
    query.append('hashPrefixes', Buffer.from(prefix, 'latin1').toString('base64'));
  return `/v5/hashes:search?${query.toString()}`;
}

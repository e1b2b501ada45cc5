import { z } from 'zod';
import { readJsonAnswer } from './json-answer.js';
import type { ProviderAnswer } from './provider-client.js';
import { readFields } from './protobuf.js';
import type { ProtobufField } from './protobuf.js';
import { ProviderError } from './safety-provider.js';

/** What hashes:search answers. */
export type SearchAnswer = {
  /** Full hashes, 32 bytes as Latin-1 characters, of what is to be refused. */
  readonly unsafe: readonly string[];
  /** How long the answer holds for each prefix that was asked, 24 hours at most. */
  readonly cacheMs: number;
};

/** As many full hashes as a mebibyte holds. */
const HASHES_MAX = 32_768;
const HASH_BYTES = 32;
const CACHE_MAX_MS = 24 * 3_600_000;

// A detail with any other value must be disregarded whole. The attributes CANARY (not to be acted on) and FRAME_ONLY
// (harmless as the address of a page) are no reason to refuse either, so a detail counts only without attributes.
const THREATS = ['', 'MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE', 'POTENTIALLY_HARMFUL_APPLICATION'];

const jsonSchema = z.object({
  fullHashes: z
    .array(
      z.object({
        fullHash: z.base64(),
        fullHashDetails: z
          .array(
            z.object({
              threatType: z.string().default(''),
              attributes: z.array(z.string()).default([]),
            }),
          )
          .default([]),
      }),
    )
    .max(HASHES_MAX)
    .default([]),
  cacheDuration: z.string().regex(/^\d{1,9}(?:\.\d{1,9})?s$/),
});

/**
 * Reads the answer of hashes:search, as protobuf, which the service sends, or as JSON, which its reference shows
 * (https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search, .../reference/rpc/
 * google.security.safebrowsing.v5). Throws ProviderError when it is neither, or does not say how long it holds: Chromium
 * refuses such an answer too, and an empty message would call everything safe.
 */
export function readSearchAnswer({ contentType, body }: ProviderAnswer): SearchAnswer {
  const { hashes, cacheSeconds } = /^application\/json\b/i.test(contentType)
    ? readJson(body)
    : readProtobuf(body);
  if (hashes.some(({ fullHash }) => fullHash.length !== HASH_BYTES)) throw notUnderstood();
  return {
    unsafe: hashes.filter(({ isThreat }) => isThreat).map(({ fullHash }) => fullHash.toString('latin1')),
    cacheMs: Math.min(cacheSeconds * 1_000, CACHE_MAX_MS),
  };
}

type Hash = { readonly fullHash: Buffer; readonly isThreat: boolean };

function readJson(body: Buffer): { hashes: Hash[]; cacheSeconds: number } {
  const { fullHashes, cacheDuration } = readJsonAnswer(body, jsonSchema);
  return {
    hashes: fullHashes.map(({ fullHash, fullHashDetails }) => ({
      fullHash: Buffer.from(fullHash, 'base64'),
      isThreat: fullHashDetails.some(
        ({ threatType, attributes }) => THREATS.indexOf(threatType) > 0 && attributes.length === 0,
      ),
    })),
    cacheSeconds: parseFloat(cacheDuration),
  };
}

// message SearchHashesResponse { repeated FullHash full_hashes = 1; google.protobuf.Duration cache_duration = 2; }
// message FullHash { bytes full_hash = 1; repeated FullHashDetail full_hash_details = 2; }
// message FullHashDetail { ThreatType threat_type = 1; repeated ThreatAttribute attributes = 2; }
// message Duration { int64 seconds = 1; int32 nanos = 2; }
function readProtobuf(body: Buffer): { hashes: Hash[]; cacheSeconds: number } {
  const hashes: Hash[] = [];
  let cacheSeconds: number | null = null;
  for (const { number, bytes } of fieldsOf(body)) {
    if (number === 1 && bytes !== null) hashes.push(readFullHash(bytes));
    if (number === 2 && bytes !== null) cacheSeconds = firstNumber(bytes);
  }
  if (cacheSeconds === null) throw notUnderstood();
  return { hashes, cacheSeconds };
}

function readFullHash(message: Buffer): Hash {
  let fullHash: Buffer = Buffer.alloc(0);
  let isThreat = false;
  for (const { number, bytes } of fieldsOf(message)) {
    if (number === 1 && bytes !== null) fullHash = bytes;
    if (number === 2 && bytes !== null && isThreatDetail(bytes)) isThreat = true;
  }
  return { fullHash, isThreat };
}

function isThreatDetail(message: Buffer): boolean {
  const fields = fieldsOf(message);
  const type = fields.findLast(({ number }) => number === 1)?.value ?? 0;
  return type > 0 && type < THREATS.length && !fields.some(({ number }) => number === 2);
}

function firstNumber(message: Buffer): number {
  return fieldsOf(message).find(({ number }) => number === 1)?.value ?? 0;
}

function fieldsOf(message: Buffer): readonly ProtobufField[] {
  const fields = readFields(message);
  if (fields === null) throw notUnderstood();
  return fields;
}

function notUnderstood(): ProviderError {
  return new ProviderError('the answer is not of the documented shape', { isProviderUp: false });
}

import { z } from 'zod';
import { type ProviderAnswer, readJsonAnswer, unreadableAnswer } from './provider.js';

type SearchAnswer = {
  /** Unsafe full hashes, 32 bytes each as Latin-1 characters. */
  readonly unsafe: readonly string[];
  /** How long the answer is valid for each requested prefix, at most 24 hours. */
  readonly cacheMs: number;
};

/** The number of full hashes in 1 MiB. */
const HASHES_MAX = 32_768;
const HASH_BYTES = 32;
const CACHE_MAX_MS = 24 * 3_600_000;

// A detail with any other type must be ignored. So are details with an attribute: CANARY must not be acted on, and
// FRAME_ONLY is harmless as the address of a page.
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
 * Reads an answer of hashes:search: protobuf, which the service sends, or JSON, which its reference shows
 * (https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search, .../reference/rpc/
 * google.security.safebrowsing.v5). Throws ProviderError when it is neither, or lacks its validity: Chromium refuses such
 * an answer too, and an empty message would call everything safe.
 */
export function readSearchAnswer({ contentType, body }: ProviderAnswer): SearchAnswer {
  const { hashes, cacheSeconds } = /^application\/json\b/i.test(contentType)
    ? readJson(body)
    : readProtobuf(body);
  if (hashes.some(({ fullHash }) => fullHash.length !== HASH_BYTES)) throw unreadableAnswer();
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
  if (cacheSeconds === null) throw unreadableAnswer();
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

/** A whole number or bytes, which may be an embedded message; both null for fixed-width fields. */
type ProtobufField = {
  readonly number: number;
  readonly value: number | null;
  readonly bytes: Buffer | null;
};

const VARINT_BYTES_MAX = 10;
const FIXED_BYTES: Readonly<Record<number, number | undefined>> = { 1: 8, 5: 4 };

/**
 * The fields of a protobuf message in order (https://protobuf.dev/programming-guides/encoding/). Numbers above 2^53 lose
 * their lowest bits. Throws ProviderError for malformed bytes. Forty lines instead of a library with a compiler: one
 * answer of one service is read, and nothing is written.
 */
function fieldsOf(message: Buffer): readonly ProtobufField[] {
  const fields: ProtobufField[] = [];
  let at = 0;
  while (at < message.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number === 0) throw unreadableAnswer();
    if (wireType === 0) {
      fields.push({ number, value: readVarint(), bytes: null });
      continue;
    }
    const length = wireType === 2 ? readVarint() : FIXED_BYTES[wireType];
    if (length === undefined || length > message.length - at) throw unreadableAnswer();
    const bytes = wireType === 2 ? message.subarray(at, at + length) : null;
    fields.push({ number, value: null, bytes });
    at += length;
  }
  return fields;

  function readVarint(): number {
    let value = 0;
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw unreadableAnswer();
  }
}

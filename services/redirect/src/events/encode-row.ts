import { randomFillSync } from 'node:crypto';
import { OUTCOME_CODES, SOURCE_CODES, TEXT_BYTES_MAX, type VisitEvent } from '@smartlink/visits/event';
import { createRecentMap } from '../bounded-maps.js';

const FIXED_BYTES = 8 + 16 + 16 + 16 + 1 + 1 + 8;
const LENGTH_BYTES_MAX = 2;
const TEXT_CAPS = Object.values(TEXT_BYTES_MAX);

/** Maximum length of a row. Fits the 16-bit row lengths of a spool frame. */
export const ROW_BYTES_MAX = FIXED_BYTES + TEXT_CAPS.reduce((sum, cap) => sum + cap + LENGTH_BYTES_MAX, 0);
/** Minimum length of a row: every text empty. */
export const ROW_BYTES_MIN = FIXED_BYTES + TEXT_CAPS.length;

/**
 * Writes one event at `offset` of `target` as a RowBinary row in the order of EVENT_COLUMNS, with a new event id. Returns
 * its bytes, or 0 when fewer than ROW_BYTES_MAX are left and nothing was written. Texts are cut to their bound at a
 * character and lone surrogates become U+FFFD, so the row is always well-formed.
 *
 * Repeated parts, `linkPart` and the visitor's columns, are kept encoded: encoding them again made the whole visit × 1.09.
 * Events should come from one object literal: spread objects become dictionaries, and each property access a search.
 */
export function encodeRow(
  target: Buffer,
  offset: number,
  event: VisitEvent,
  writeId: WriteUuidV7,
  linkPart: string = encodeLinkPart(event),
): number {
  if (target.length - offset < ROW_BYTES_MAX) return 0;
  let at = writeTime(target, offset, event.timeMs);
  writeId(target, at, event.timeMs);
  at = writeLinkPart(target, at + 16, linkPart);
  target[at++] = SOURCE_CODES[event.source];
  target[at++] = OUTCOME_CODES[event.outcome];
  at = writeExclusion(target, at, event.exclusion);
  at = writeCountry(target, at, event.country);
  at = writeDevice(target, at, event.device);
  at = writeOs(target, at, event.os);
  at = writeBrowser(target, at, event.browser);
  at = writeLanguage(target, at, event.language);
  at = writeReferrerHost(target, at, event.referrerHost);
  at = writeText(target, at, event.utmSource, TEXT_BYTES_MAX.utmSource);
  at = writeText(target, at, event.utmMedium, TEXT_BYTES_MAX.utmMedium);
  at = writeText(target, at, event.utmCampaign, TEXT_BYTES_MAX.utmCampaign);
  at = writeText(target, at, event.utmTerm, TEXT_BYTES_MAX.utmTerm);
  at = writeText(target, at, event.utmContent, TEXT_BYTES_MAX.utmContent);
  at = writeRule(target, at, event.rule);
  at = writeVariant(target, at, event.variant);
  at = writeButton(target, at, event.button);
  return writeUInt64(target, at, event.visitorId) - offset;
}

/** Milliseconds as Int64, little-endian, without the cost of a BigInt. Times before 1970 do not occur. */
function writeTime(target: Buffer, offset: number, timeMs: number): number {
  const whole = Math.trunc(timeMs);
  target.writeUInt32LE(whole % 0x1_0000_0000, offset);
  return target.writeUInt32LE(Math.floor(whole / 0x1_0000_0000), offset + 4);
}

const HEX_VALUES = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) {
  HEX_VALUES[digit.toString(16).charCodeAt(0)] = digit;
  HEX_VALUES[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}
// Positions of the two digits of each byte in `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in RowBinary's byte order.
const UUID_DIGITS = new Uint8Array([16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19]);

/**
 * A link's ids, slug and domain as in its rows, one character per byte: each link in L1 has one, and a Uint8Array takes 240 bytes
 * instead of 56.
 */
export function encodeLinkPart(
  link: Pick<VisitEvent, 'ownerId' | 'smartlinkId' | 'slug' | 'domain'>,
): string {
  const whole = Buffer.alloc(IDS_BYTES + TEXT_BYTES_MAX.slug + TEXT_BYTES_MAX.domain + 2 * LENGTH_BYTES_MAX);
  writeUuid(whole, 0, link.ownerId);
  writeUuid(whole, 16, link.smartlinkId);
  const at = writeText(whole, IDS_BYTES, link.slug, TEXT_BYTES_MAX.slug);
  return whole.toString('latin1', 0, writeText(whole, at, link.domain, TEXT_BYTES_MAX.domain));
}

const IDS_BYTES = 32;

// Called on the text itself, the method costs 0.2 µs a row: V8 sees more string forms than its inline cache holds, and
// looks it up for each letter.
const textMethods: { readonly charCodeAt: (this: string, index: number) => number } = String.prototype;
const codeAt = Function.prototype.call.bind(textMethods.charCodeAt) as (
  text: string,
  index: number,
) => number;

function writeLinkPart(target: Buffer, offset: number, part: string): number {
  const { length } = part;
  for (let index = 0; index < length; index++) target[offset + index] = codeAt(part, index);
  return offset + length;
}

function writeUuid(target: Uint8Array, offset: number, uuid: string): void {
  for (let index = 0; index < 16; index++) {
    const digit = UUID_DIGITS[index] ?? 0;
    const high = HEX_VALUES[uuid.charCodeAt(digit)] ?? 0;
    const low = HEX_VALUES[uuid.charCodeAt(digit + 1)] ?? 0;
    target[offset + index] = (high << 4) | low;
  }
}

// Countries, browsers and languages are few, referrers many: 100 bytes each, 400 KiB a column at most.
const COLUMN_TEXTS_MAX = 2_048;
// A visitor's text is a view of its header, which must not be kept in memory.
const COLUMN_TEXT_LENGTH_MAX = 64;

const writeExclusion = createTextColumn(TEXT_BYTES_MAX.exclusion);
const writeCountry = createTextColumn(TEXT_BYTES_MAX.country);
const writeDevice = createTextColumn(TEXT_BYTES_MAX.device);
const writeOs = createTextColumn(TEXT_BYTES_MAX.os);
const writeBrowser = createTextColumn(TEXT_BYTES_MAX.browser);
const writeLanguage = createTextColumn(TEXT_BYTES_MAX.language);
const writeReferrerHost = createTextColumn(TEXT_BYTES_MAX.referrerHost);
const writeRule = createTextColumn(TEXT_BYTES_MAX.rule);
const writeVariant = createTextColumn(TEXT_BYTES_MAX.variant);
const writeButton = createTextColumn(TEXT_BYTES_MAX.button);

/** A writer for a column whose texts repeat. */
function createTextColumn(bytesMax: number): (target: Buffer, offset: number, text: string) => number {
  const known = createRecentMap<Uint8Array>(COLUMN_TEXTS_MAX);
  return (target, offset, text) => {
    if (text === '') {
      target[offset] = 0;
      return offset + 1;
    }
    const bytes = known.get(text);
    if (bytes !== undefined) return copyBytes(target, offset, bytes);
    const end = writeText(target, offset, text, bytesMax);
    if (text.length > COLUMN_TEXT_LENGTH_MAX) return end;
    known.set(text, Uint8Array.from(target.subarray(offset, end)));
    return end;
  };
}

// Up to here a loop is faster than a call.
const LOOP_BYTES_MAX = 24;

function copyBytes(target: Buffer, offset: number, bytes: Uint8Array): number {
  const { length } = bytes;
  if (length > LOOP_BYTES_MAX) target.set(bytes, offset);
  else for (let index = 0; index < length; index++) target[offset + index] = bytes[index] ?? 0;
  return offset + length;
}

// Buffer.writeBigUInt64LE takes the number apart with BigInt arithmetic, 100 ns; a typed array does it in 20 ns.
const word = new BigUint64Array(1);
const wordBytes = new Uint8Array(word.buffer);

/** Little-endian, like every machine that runs Node and ClickHouse. */
function writeUInt64(target: Buffer, offset: number, value: bigint): number {
  word[0] = value;
  for (let index = 0; index < 8; index++) target[offset + index] = wordBytes[index] ?? 0;
  return offset + 8;
}

/** A varint of the length in bytes, then UTF-8. Lengths stay below 16,384, so they take one or two bytes. */
function writeText(target: Buffer, offset: number, text: string, bytesMax: number): number {
  if (text === '') {
    target[offset] = 0;
    return offset + 1;
  }
  // Buffer.write stops before a character that would be cut, and writes U+FFFD for a lone surrogate.
  const bytes = target.write(text, offset + 1, bytesMax, 'utf8');
  if (bytes < 0x80) {
    target[offset] = bytes;
    return offset + 1 + bytes;
  }
  target.copyWithin(offset + 2, offset + 1, offset + 1 + bytes);
  target[offset] = (bytes & 0x7f) | 0x80;
  target[offset + 1] = bytes >>> 7;
  return offset + 2 + bytes;
}

const POOL_BYTES = 8192;
const RANDOM_BYTES_PER_ID = 8;
// 12 bits count the ids of a millisecond. Each starts below half, so at least 2,048 more fit.
const COUNTER_START_MAX = 0x7ff;
const COUNTER_MAX = 0xfff;

/** Writes a new UUIDv7 at `offset` of `target`: 16 bytes in RowBinary's order. */
export type WriteUuidV7 = (target: Uint8Array, offset: number, timeMs: number) => void;

/**
 * UUIDv7 (RFC 9562, 5.7 and 6.2 method 1): 48 bits of milliseconds, a 12-bit counter with a random start each
 * millisecond, 62 random bits. The ids of one writer ascend even when the clock goes back; ids of two writers differ by
 * 62 + 11 random bits per millisecond. Random bytes are fetched 8 KiB at a time, because one call costs more than a whole
 * row.
 *
 * ClickHouse stores a UUID as two little-endian UInt64: bytes 7…0 of the text's order, then bytes 15…8.
 */
export function createUuidV7Writer(fillRandom: (pool: Uint8Array) => void = randomFillSync): WriteUuidV7 {
  const pool = new Uint8Array(POOL_BYTES);
  const view = new DataView(pool.buffer);
  let used = POOL_BYTES;
  let lastMs = -1;
  let counter = 0;

  return (target, offset, timeMs) => {
    if (used === POOL_BYTES) {
      fillRandom(pool);
      used = 0;
    }
    const low = view.getUint32(used);
    const high = view.getUint32(used + 4);
    used += RANDOM_BYTES_PER_ID;

    if (timeMs > lastMs) {
      lastMs = timeMs;
      counter = (high ^ low) & COUNTER_START_MAX;
    } else if (counter === COUNTER_MAX) {
      lastMs++;
      counter = (high ^ low) & COUNTER_START_MAX;
    } else {
      counter++;
    }

    const upper = Math.floor(lastMs / 0x1_0000);
    const lower = lastMs % 0x1_0000;
    target[offset] = counter & 0xff;
    target[offset + 1] = 0x70 | (counter >>> 8);
    target[offset + 2] = lower & 0xff;
    target[offset + 3] = lower >>> 8;
    target[offset + 4] = upper & 0xff;
    target[offset + 5] = (upper >>> 8) & 0xff;
    target[offset + 6] = (upper >>> 16) & 0xff;
    target[offset + 7] = upper >>> 24;
    target[offset + 8] = low & 0xff;
    target[offset + 9] = (low >>> 8) & 0xff;
    target[offset + 10] = (low >>> 16) & 0xff;
    target[offset + 11] = low >>> 24;
    target[offset + 12] = high & 0xff;
    target[offset + 13] = (high >>> 8) & 0xff;
    target[offset + 14] = (high >>> 16) & 0xff;
    target[offset + 15] = 0x80 | ((high >>> 24) & 0x3f);
  };
}

import { OUTCOME_CODES, SOURCE_CODES, TEXT_BYTES_MAX } from '@smartlink/visit-events/columns';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import type { WriteUuidV7 } from './uuid-v7.js';

const FIXED_BYTES = 8 + 16 + 16 + 16 + 1 + 1 + 8;
const LENGTH_BYTES_MAX = 2;
const TEXT_CAPS = Object.values(TEXT_BYTES_MAX);

/** No row is longer, whatever the visitor sent. Fits the 16-bit row lengths of a spool frame. */
export const ROW_BYTES_MAX = FIXED_BYTES + TEXT_CAPS.reduce((sum, cap) => sum + cap + LENGTH_BYTES_MAX, 0);
/** No row is shorter: every text empty. */
export const ROW_BYTES_MIN = FIXED_BYTES + TEXT_CAPS.length;

/**
 * Writes one event at `offset` of `target` as a row of ClickHouse's RowBinary, in the order of EVENT_COLUMNS, with a
 * new event id. Returns the bytes written, or 0 when fewer than ROW_BYTES_MAX bytes are left and nothing was written.
 * Texts are cut to their bound at a character and lone surrogates become U+FFFD, so the row is always well-formed.
 *
 * What comes again and again, `linkPart` and what is said of visitors, is kept as it stands in a row: letter by letter the
 * whole visit took × 1.09 (docs/benchmarks/redirect-designs.md). Events should all come from one literal: put together by
 * spreading they become dictionaries, each look at which is a search.
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
// Where the two digits of each byte stand in `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in RowBinary's order of bytes.
const UUID_DIGITS = new Uint8Array([16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19]);

/**
 * Returns what rows say of a link, its two ids and the slug, a character for each byte: every link in L1 has one, and as a
 * Uint8Array it would take 240 bytes instead of 56.
 */
export function encodeLinkPart(link: Pick<VisitEvent, 'ownerId' | 'smartlinkId' | 'slug'>): string {
  const whole = Buffer.alloc(IDS_BYTES + TEXT_BYTES_MAX.slug + LENGTH_BYTES_MAX);
  writeUuid(whole, 0, link.ownerId);
  writeUuid(whole, 16, link.smartlinkId);
  return whole.toString('latin1', 0, writeText(whole, IDS_BYTES, link.slug, TEXT_BYTES_MAX.slug));
}

const IDS_BYTES = 32;

// Asked of the text itself, a method costs 0.2 µs a row: V8 holds texts in more forms than it keeps apart here, and looks
// the method up anew for each letter.
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

// Countries, browsers and languages are few, referrers as many as there are: 100 bytes each, 400 KiB a column.
const COLUMN_TEXTS_MAX = 4_096;
// A visitor's own text is a view of the header it came in, which must not be kept along.
const COLUMN_TEXT_LENGTH_MAX = 64;

const writeExclusion = createTextColumn(TEXT_BYTES_MAX.exclusion);
const writeCountry = createTextColumn(TEXT_BYTES_MAX.country);
const writeDevice = createTextColumn(TEXT_BYTES_MAX.device);
const writeOs = createTextColumn(TEXT_BYTES_MAX.os);
const writeBrowser = createTextColumn(TEXT_BYTES_MAX.browser);
const writeLanguage = createTextColumn(TEXT_BYTES_MAX.language);
const writeReferrerHost = createTextColumn(TEXT_BYTES_MAX.referrerHost);

/** Returns what writes the texts of a column in which the same ones come again and again. */
function createTextColumn(bytesMax: number): (target: Buffer, offset: number, text: string) => number {
  const known = new Map<string, Uint8Array>();
  return (target, offset, text) => {
    if (text === '') {
      target[offset] = 0;
      return offset + 1;
    }
    const bytes = known.get(text);
    if (bytes !== undefined) return copyBytes(target, offset, bytes);
    const end = writeText(target, offset, text, bytesMax);
    if (text.length > COLUMN_TEXT_LENGTH_MAX) return end;
    if (known.size >= COLUMN_TEXTS_MAX) known.clear();
    known.set(text, Uint8Array.from(target.subarray(offset, end)));
    return end;
  };
}

// Of a few bytes a loop is faster than a call.
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

/** Little-endian, as is every machine that Node and ClickHouse run on. */
function writeUInt64(target: Buffer, offset: number, value: bigint): number {
  word[0] = value;
  for (let index = 0; index < 8; index++) target[offset + index] = wordBytes[index] ?? 0;
  return offset + 8;
}

/** A varint of the length in bytes, then UTF-8. Caps stay below 16,384, so the length takes one or two bytes. */
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

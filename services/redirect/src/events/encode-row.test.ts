import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import { TEXT_BYTES_MAX, type VisitEvent } from '@smartlink/visits/event';
import { ROW_BYTES_MAX, ROW_BYTES_MIN, createUuidV7Writer, encodeRow } from './encode-row.js';

// In the order of the row.
const TEXTS = Object.keys(TEXT_BYTES_MAX) as (keyof typeof TEXT_BYTES_MAX)[];

const EMPTY = makeVisitEvent({
  ...Object.fromEntries(TEXTS.map((name) => [name, ''])),
  timeMs: 1_789_000_000_123,
  source: 'scan',
  outcome: 'fallback',
  smartlinkId: 'FFEEDDCC-BBAA-4988-9766-554433221100',
  visitorId: 0xfedc_ba98_7654_3210n,
});

const writeId = createUuidV7Writer();

function encode(changes: Partial<VisitEvent>): Buffer {
  const target = Buffer.alloc(ROW_BYTES_MAX + 7, 0xee);
  const bytes = encodeRow(target, 7, { ...EMPTY, ...changes }, writeId);
  expect(target.subarray(7 + bytes).every((byte) => byte === 0xee || bytes + 7 > target.length - 300)).toBe(
    true,
  );
  return target.subarray(7, 7 + bytes);
}

/** Reads a row by the format's definition, as plainly as can be. */
function decode(row: Buffer) {
  let at = 0;
  const uuid = () => {
    const bytes = Buffer.concat([
      row.subarray(at, at + 8).reverse(),
      row.subarray(at + 8, at + 16).reverse(),
    ]);
    at += 16;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
  const text = () => {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = row[at++] ?? 0;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    at += length;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(row.subarray(at - length, at));
  };
  const timeMs = Number(row.readBigInt64LE(0));
  at = 8;
  const [eventId, ownerId, smartlinkId, slug, domain] = [uuid(), uuid(), uuid(), text(), text()];
  const [source, outcome] = [row[at++], row[at++]];
  const rest = Object.fromEntries(TEXTS.slice(2).map((name) => [name, text()]));
  const visitorId = row.readBigUInt64LE(at);
  return {
    timeMs,
    eventId,
    ownerId,
    smartlinkId,
    source,
    outcome,
    visitorId,
    texts: { slug, domain, ...rest },
    bytes: at + 8,
  };
}

/** The longest well-formed beginning of a text that fits. */
function cut(text: string, bytesMax: number): string {
  let kept = '';
  for (const char of text.toWellFormed()) {
    if (Buffer.byteLength(kept + char) > bytesMax) break;
    kept += char;
  }
  return kept;
}

test('writes ids, time, enums and the visitor id as RowBinary has them', () => {
  const row = decode(encode({}));
  expect(row).toMatchObject({
    timeMs: EMPTY.timeMs,
    ownerId: EMPTY.ownerId,
    smartlinkId: EMPTY.smartlinkId.toLowerCase(),
    source: 2,
    outcome: 3,
    visitorId: EMPTY.visitorId,
    bytes: ROW_BYTES_MIN,
  });
  expect(row.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

const NASTY = [
  'a',
  'a'.repeat(24),
  'a'.repeat(25),
  'a'.repeat(127),
  'a'.repeat(128),
  'é',
  `${'a'.repeat(23)}é`,
  '😀'.repeat(200),
  'a'.repeat(65_536),
  '\n\n',
  '\u0a0a\u0a0a',
  '\0',
  '\ud800',
  'x\udc00y',
  `${'x'.repeat(254)}\ud83d\ude00`,
  '€'.repeat(100),
  '\ufeffbom',
];

test.each(TEXTS)('keeps %s well-formed and within its bound, whatever is in it', (name) => {
  for (const text of NASTY) {
    const { texts } = decode(encode({ [name]: text }));
    expect(texts).toMatchObject({ [name]: cut(text, TEXT_BYTES_MAX[name]) });
  }
});

test('cuts at every place of a text of mixed widths without breaking a character', () => {
  const units = ['a', 'é', '€', '😀', '\ud83d', '\ude00'];
  const random = createRandom(1);
  for (let round = 0; round < 2_000; round++) {
    const utmTerm = Array.from({ length: random(400) }, () => units[random(units.length)]).join('');
    expect(decode(encode({ utmTerm })).texts).toMatchObject({
      utmTerm: cut(utmTerm, TEXT_BYTES_MAX.utmTerm),
    });
  }
});

test('the longest row fits ROW_BYTES_MAX and 16 bits', () => {
  const longest = Object.fromEntries(TEXTS.map((name) => [name, '😀a'.repeat(1_000)]));
  expect(encode(longest).length).toBeLessThanOrEqual(ROW_BYTES_MAX);
  expect(ROW_BYTES_MAX).toBeLessThan(0x1_0000);
});

test('writes nothing where the longest row might not fit', () => {
  const target = Buffer.alloc(ROW_BYTES_MAX - 1);
  expect(encodeRow(target, 0, EMPTY, writeId)).toBe(0);
  expect(target.every((byte) => byte === 0)).toBe(true);
});

function createReader(fillRandom?: (pool: Uint8Array) => void) {
  const write = createUuidV7Writer(fillRandom);
  const target = Buffer.alloc(16);
  return (timeMs: number) => {
    write(target, 0, timeMs);
    const bytes = Buffer.concat([
      Buffer.from(target.subarray(0, 8)).reverse(),
      Buffer.from(target.subarray(8)).reverse(),
    ]);
    return bytes.toString('hex');
  };
}

test('holds the time of the event, version 7 and the RFC variant', () => {
  const id = createReader()(1_789_000_000_123);
  expect(Number.parseInt(id.slice(0, 12), 16)).toBe(1_789_000_000_123);
  expect(id[12]).toBe('7');
  expect('89ab').toContain(id[16]);
});

test('ascends within a millisecond, past its 4,096 ids, and when the clock is set back', () => {
  const next = createReader((pool) => pool.fill(0xff));
  let last = '';
  for (let round = 0; round < 10_000; round++) {
    const id = next(1_789_000_000_000 - (round % 3) * 60_000);
    expect(id > last).toBe(true);
    last = id;
  }
});

test('does not repeat itself over 100,000 ids, nor the ids of another writer', () => {
  const [one, two] = [createReader(), createReader()];
  const ids = new Set<string>();
  for (let round = 0; round < 50_000; round++) {
    ids.add(one(1_789_000_000_000 + Math.floor(round / 1_000)));
    ids.add(two(1_789_000_000_000 + Math.floor(round / 1_000)));
  }
  expect(ids.size).toBe(100_000);
});

import { expect, test } from 'vitest';
import { createUuidV7Writer } from './uuid-v7.js';

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

test('ascends within a millisecond, past its 4,096 ids, and when the clock goes back', () => {
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

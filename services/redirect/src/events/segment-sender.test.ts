import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { createShipperCounters } from '../metrics/event-counters.js';
import type { EventTable } from './event-table.js';
import { createBackoff, createQuarantine, createSegmentSender, pickBatch } from './segment-sender.js';
import type { ListedSegment } from './spool-files.js';

const segment = (rowCount: number, bytes: number): ListedSegment => ({
  name: '',
  stem: '',
  state: 'seg',
  openedMs: 0,
  pid: 1,
  processToken: '',
  nonce: 0,
  rowCount,
  sentMs: 0,
  bytes,
});
const bounds = { rowsMax: 100, bytesMax: 1_000 };

test('takes segments in order as long as rows and bytes fit', () => {
  const waiting = [segment(40, 1), segment(60, 1), segment(1, 1)];
  expect(pickBatch(waiting, bounds)).toEqual({ files: waiting.slice(0, 2), isFull: true });
  expect(pickBatch([segment(1, 600), segment(1, 600)], bounds).files.length).toBe(1);
  expect(pickBatch(waiting.slice(0, 2), bounds)).toEqual({ files: waiting.slice(0, 2), isFull: false });
});

test('a segment above the bounds is sent alone', () => {
  expect(pickBatch([segment(500, 5_000), segment(1, 1)], bounds).files.length).toBe(1);
});

test('doubles up to five seconds, stays within its jitter, and starts over', () => {
  const [shortest, longest] = [createBackoff(() => 0), createBackoff(() => 1)];
  const pauses = Array.from({ length: 10 }, () => [shortest.nextMs(), longest.nextMs()]);
  expect(pauses.slice(0, 3)).toEqual([
    [50, 100],
    [100, 200],
    [200, 400],
  ]);
  expect(pauses.at(-1)).toEqual([2_500, 5_000]);
  shortest.reset();
  expect(shortest.nextMs()).toBe(50);
});

test.each([
  ['seg', 5],
  ['again', 0],
] as const)(
  'rows of an unreadable .%s segment are torn unless they were delivered before',
  async (state, torn) => {
    const spoolDir = mkdtempSync(join(tmpdir(), 'smartlink-sender-'));
    onTestFinished(() => {
      rmSync(spoolDir, { recursive: true });
    });
    const name = `1700000000000-000001-w1-1-a_b-0000beef.5.${state}`;
    mkdirSync(join(spoolDir, name));
    const counters = createShipperCounters();
    const log = createLogger({ service: 'test', level: 'silent' });
    const send = createSegmentSender({
      spoolDir,
      // No row reaches it.
      table: {} as EventTable,
      log,
      now: () => 0,
      counters,
      signal: new AbortController().signal,
      quarantine: createQuarantine({ spoolDir, bytesMax: 1_000, log }),
    });
    await send([{ ...segment(5, 100), name, state }]);
    expect(counters.tornEvents).toBe(torn);
  },
);

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { createRecorderCounters, type RecorderCounters } from '../metrics/event-counters.js';
import { createSpoolWriter, type SpoolWriter } from './spool-writer.js';

let folder: string;
let writer: SpoolWriter;
let counters: RecorderCounters;
/** Each call to a file or to the folder, with the kinds of files that the folder held at its end. */
let calls: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'smartlink-spool-'));
  calls = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const probe = await open(folder, 'r');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  for (const name of ['write', 'datasync', 'sync'] as const) {
    const real = Reflect.get(handles, name) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(handles, name).mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      const result = await real.apply(this, args);
      calls.push(`${name} ${readdirSync(folder).map(extname).join()}`);
      return result as never;
    });
  }
  counters = createRecorderCounters();
  writer = createSpoolWriter({
    spoolDir: folder,
    writerId: 'test',
    bytesMax: 1e9,
    log: createLogger({ service: 'test', level: 'silent' }),
    now: () => Date.now(),
    counters,
  });
});

afterEach(async () => {
  await writer.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const append = () => writer.append(Buffer.alloc(64), 1);

test('events are on the disk 100 ms after they were written', async () => {
  expect(await append()).toBe('written');
  await vi.advanceTimersByTimeAsync(99);
  expect(calls).toEqual(['write .open']);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitUntil(() => calls.length === 2);
  expect(calls).toEqual(['write .open', 'datasync .open']);
});

test('a segment is on the disk before it is renamed, and its new name before it counts as sealed', async () => {
  await append();
  await writer.close();
  expect(calls).toEqual(['write .open', 'datasync .open', 'sync .seg']);
});

test('a segment that could not be renamed is sealed as soon as the disk permits', async () => {
  await append();
  const stem = readdirSync(folder)[0]?.replace(/\.open$/, '') ?? '';
  const obstacle = join(folder, `${stem}.1.seg`);
  mkdirSync(obstacle);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => counters.diskErrors === 1);
  expect(counters).toMatchObject({ sealedSegments: 0, unsealedEvents: 1 });
  rmSync(obstacle, { recursive: true });
  await vi.advanceTimersByTimeAsync(500);
  await vi.waitUntil(() => counters.sealedSegments === 1);
  expect(readdirSync(folder)).toEqual([`${stem}.1.seg`]);
  expect(counters.unsealedEvents).toBe(0);
});

test('a segment that cannot be renamed is tried once more at the end', async () => {
  await append();
  const stem = readdirSync(folder)[0]?.replace(/\.open$/, '') ?? '';
  const obstacle = join(folder, `${stem}.1.seg`);
  mkdirSync(obstacle);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => counters.diskErrors === 1);
  rmSync(obstacle, { recursive: true });
  await writer.close();
  expect(readdirSync(folder)).toEqual([`${stem}.1.seg`]);
});

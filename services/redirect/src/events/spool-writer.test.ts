import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { createRecorderCounters } from '../metrics/event-counters.js';
import { createSpoolWriter, type SpoolWriter } from './spool-writer.js';

let folder: string;
let writer: SpoolWriter;
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
  writer = createSpoolWriter({
    spoolDir: folder,
    writerId: 'test',
    bytesMax: 1e9,
    log: createLogger({ service: 'test', level: 'silent' }),
    now: () => Date.now(),
    counters: createRecorderCounters(),
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

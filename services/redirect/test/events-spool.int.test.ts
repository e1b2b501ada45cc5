import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { until } from '@smartlink/test-support/until';
import type { EventRecorder } from '../src/events/event-recorder.js';
import { fileHeader, FRAME_HEADER_BYTES } from '../src/events/spool-segment.js';
import { makeEvent, readStored, recordAll, say, type Spool } from './events-fixtures.js';
import { frameWithSpool } from './events-spool-frame.js';

const MIB = 1024 ** 2;

const own = frameWithSpool();

const droppedBy = ({ counters }: EventRecorder) =>
  Object.values(counters.droppedEvents).reduce((sum, count) => sum + count, 0);

/** Sends what the spool holds and checks that every event that was not dropped has arrived, once. */
async function expectExactCount(from: Spool, recorder: EventRecorder): Promise<void> {
  const shipper = await from.send(own.clickhouseUrl);
  expect(shipper.counters).toMatchObject({
    spooledEvents: 0,
    tornEvents: 0,
    tornBytes: 0,
    quarantinedEvents: 0,
  });
  expect(recorder.counters.bufferedEvents).toBe(0);
  const stored = await readStored(own.clickhouseUrl);
  expect(stored.rows).toBe(recorder.counters.acceptedEvents - droppedBy(recorder));
  expect(stored.numbers.size).toBe(stored.rows);
}

/** Records in portions, letting the writes run, until the condition holds. */
async function recordWhile(recorder: EventRecorder, isEnough: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isEnough()) {
    for (let count = 0; count < 2_000; count++)
      void recorder.record(makeEvent(recorder.counters.acceptedEvents));
    if (performance.now() - startedAt > 30_000) throw new Error('30 s of events were not enough');
    await new Promise(setImmediate);
  }
}

test('segments are sealed by size and by time, readable by their owner alone', async () => {
  const recorder = own.spool.recorder();
  await recordWhile(recorder, () => recorder.counters.writtenBytes > 6 * MIB);
  await until(
    () => own.spool.names('.seg').length >= 2 && own.spool.names('.open').length === 0,
    'both segments are sealed',
  );
  await recorder.close();
  for (const name of own.spool.names('.seg')) {
    const { size, mode } = statSync(join(own.spool.folder, name));
    expect(size).toBeLessThan(8 * MIB + 4_096);
    expect(mode & 0o777).toBe(0o600);
  }
  await expectExactCount(own.spool, recorder);
});

test('a full spool drops by reason, exactly, and takes events again when there is room', async () => {
  const recorder = own.spool.recorder({ bytesMax: 12 * MIB });
  await recordWhile(recorder, () => recorder.counters.droppedEvents.spool_full > 10_000);
  const bytes = [...own.spool.names('.seg'), ...own.spool.names('.open')].reduce(
    (sum, name) => sum + statSync(join(own.spool.folder, name)).size,
    0,
  );
  expect(bytes).toBeLessThanOrEqual(12 * MIB);

  // Once sent, the segments are kept only as long as nobody needs their room.
  const shipper = own.spool.shipper(own.clickhouseUrl);
  shipper.start();
  const before = recorder.counters.writtenEvents;
  await until(
    () => recorder.counters.writtenEvents > before && recorder.counters.bufferedEvents === 0,
    'writes go on',
  );
  await shipper.stop({ deadlineMs: 5_000 });
  const dropped = droppedBy(recorder);
  void recorder.record(makeEvent(9_999_999));
  await recorder.close();
  expect(droppedBy(recorder)).toBe(dropped);
  await expectExactCount(own.spool, recorder);
  say(`spool full: ${recorder.counters.acceptedEvents} accepted − ${dropped} dropped = delivered, exactly`);
});

test('a spool folder that is cleared away is made again', async () => {
  const recorder = own.spool.recorder();
  void recorder.record(makeEvent(1));
  await until(() => own.spool.names('.seg').length === 1, 'the first segment is sealed');
  rmSync(own.spool.folder, { recursive: true });
  void recorder.record(makeEvent(2));
  await recorder.close();
  expect(readdirSync(own.spool.folder).length).toBe(1);
});

test('the open segment of a dead process is taken over, that of a living one is left alone', async () => {
  const recorder = own.spool.recorder();
  void recorder.record(makeEvent(1));
  await until(() => recorder.counters.writtenEvents === 1, 'the event is written');
  const [live = ''] = own.spool.names('.open');
  const bytes = readFileSync(join(own.spool.folder, live));
  // The same segment as a process of an earlier boot would have left it, with half a frame at its end.
  const dead = live.replace(/-\d+-[0-9a-f]{8}_/, '-1-00000000_');
  expect(dead).not.toBe(live);
  writeFileSync(join(own.spool.folder, dead), Buffer.concat([bytes, bytes.subarray(-40)]));
  const empty = dead.replace(/^\d{13}/, '1000000000000');
  writeFileSync(join(own.spool.folder, empty), '');

  const shipper = own.spool.shipper(own.clickhouseUrl);
  shipper.start();
  await until(() => shipper.counters.deliveredEvents >= 1, 'the segment is delivered');
  expect(shipper.counters).toMatchObject({ adoptedSegments: 1, tornBytes: 40, tornEvents: 0 });
  await recorder.close();
  await until(() => shipper.isDrained(), 'everything is sent');
  await shipper.stop({ deadlineMs: 5_000 });
  // Both segments hold the same event: one row.
  expect(shipper.counters.deliveredEvents).toBe(2);
  expect((await readStored(own.clickhouseUrl)).rows).toBe(1);
});

test('what cannot be read of a dead process’s segments is counted and logged', async () => {
  const recorder = own.spool.recorder();
  for (const number of [1, 2, 3]) {
    void recorder.record(makeEvent(number));
    await until(() => recorder.counters.writtenEvents === number, 'the event is written');
  }
  const [live = ''] = own.spool.names('.open');
  const bytes = readFileSync(join(own.spool.folder, live));
  await recorder.close();
  for (const name of own.spool.names('.seg')) rmSync(join(own.spool.folder, name));
  const dead = (second: number) =>
    live.replace(
      /^\d{13}(.*)-\d+-[0-9a-f]{8}_/,
      `17000000000${String(second).padStart(2, '0')}$1-1-00000000_`,
    );
  // The second of three frames is damaged.
  const damaged = Buffer.from(bytes);
  const frameBytes = (bytes.length - fileHeader().length) / 3;
  damaged[fileHeader().length + frameBytes + FRAME_HEADER_BYTES] = 0xff;
  writeFileSync(join(own.spool.folder, dead(1)), damaged);
  // Its only frame is cut.
  const cutBytes = FRAME_HEADER_BYTES + 4;
  writeFileSync(join(own.spool.folder, dead(2)), bytes.subarray(0, fileHeader().length + cutBytes));
  // No file, so the disk cannot read it.
  mkdirSync(join(own.spool.folder, dead(3)));
  const folderBytes = statSync(join(own.spool.folder, dead(3))).size;

  const lines: { readonly msg: string; readonly segment: string; readonly events?: number }[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
  const log = createLogger({ service: 'test', level: 'warn', destination: { write } });
  const shipper = own.spool.shipper(own.clickhouseUrl, { log });
  shipper.start();
  await until(() => shipper.isDrained(), 'everything is sent');
  await shipper.stop({ deadlineMs: 5_000 });
  expect(shipper.counters).toMatchObject({
    adoptedSegments: 1,
    deliveredEvents: 2,
    tornEvents: 2,
    tornBytes: frameBytes + cutBytes + folderBytes,
  });
  expect(lines.map(({ msg, segment, events }) => [msg, segment, events])).toEqual([
    ['adopted segment is damaged', dead(1), 1],
    ['adopted segment is damaged', dead(2), 1],
    ['unreadable segment quarantined', dead(3), undefined],
  ]);
  expect(own.spool.names('.open')).toEqual([]);
  expect(readdirSync(join(own.spool.folder, 'quarantine'))).toContain(dead(3));
});

test('other files in the folder are left alone', async () => {
  mkdirSync(join(own.spool.folder, 'lost+found'));
  writeFileSync(join(own.spool.folder, 'notes.seg'), 'mine');
  await recordAll(own.spool, 0, 10);
  const { counters } = await own.spool.send(own.clickhouseUrl);
  expect(counters.deliveredEvents).toBe(10);
  expect(readFileSync(join(own.spool.folder, 'notes.seg'), 'utf8')).toBe('mine');
});

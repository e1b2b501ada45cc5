import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import { createRecorderCounters, type RecorderCounters } from '../metrics/event-counters.js';
import { createUuidV7Writer } from './encode-row.js';
import { createDropLog, createEventBuffer, type EventBufferLimits } from './event-recorder.js';
import type { AppendOutcome } from './spool-writer.js';

const EVENT = makeVisitEvent({ timeMs: 1_789_000_000_000 });

/** A disk whose every write ends when, and how, the test says. */
function createDisk() {
  const waiting: ((outcome: AppendOutcome) => void)[] = [];
  const frames: { bytes: number; rows: number }[] = [];
  return {
    frames,
    spool: {
      append: (frame: Buffer, rows: number) => {
        frames.push({ bytes: frame.length, rows });
        return new Promise<AppendOutcome>((resolve) => waiting.push(resolve));
      },
      close: () => Promise.resolve(),
    },
    answer: async (outcome: AppendOutcome) => {
      await vi.waitFor(() => {
        expect(waiting.length).toBeGreaterThan(0);
      });
      waiting.shift()?.(outcome);
      await new Promise(setImmediate);
    },
  };
}

function build(limits: Partial<EventBufferLimits> = {}) {
  const disk = createDisk();
  const counters = createRecorderCounters();
  const buffer = createEventBuffer({
    spool: disk.spool,
    writeId: createUuidV7Writer(),
    counters,
    limits: { halfBytes: 8_192, flushAfterMs: 1, retryAfterMs: 1, strictWaitMs: 10_000, ...limits },
  });
  return { disk, counters, buffer };
}

function expectBalance(counters: RecorderCounters): void {
  const dropped = Object.values(counters.droppedEvents).reduce((sum, count) => sum + count, 0);
  expect(counters.writtenEvents + counters.bufferedEvents + dropped).toBe(counters.acceptedEvents);
}

test('the write of an event begins 5 ms after it was recorded', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { spool, frames } = createDisk();
  const buffer = createEventBuffer({
    spool,
    writeId: createUuidV7Writer(),
    counters: createRecorderCounters(),
  });
  buffer.record(EVENT);
  vi.advanceTimersByTime(4);
  expect(frames).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(frames).toHaveLength(1);
});

test('a slow disk fills both halves and no more; what finds no room is dropped as buffer_full', async () => {
  const { disk, counters, buffer } = build();
  for (let count = 0; count < 1_000; count++) buffer.record(EVENT);
  expect(disk.frames.length).toBe(1);
  expect(counters.droppedEvents.buffer_full).toBe(1_000 - counters.bufferedEvents);
  expect(counters.bufferedEvents).toBeLessThan((2 * 8_192) / 80);
  expect(disk.frames[0]?.bytes).toBeLessThanOrEqual(8_192);
  expectBalance(counters);

  await disk.answer('written');
  await disk.answer('written');
  expect(counters.bufferedEvents).toBe(0);
  expectBalance(counters);
});

test.each(['spool_full', 'spool_error'] as const)(
  'keeps what is buffered through %s and names it in drops',
  async (reason) => {
    const { disk, counters, buffer } = build();
    buffer.record(EVENT);
    await disk.answer(reason);
    for (let count = 0; count < 1_000; count++) buffer.record(EVENT);
    expect(counters.droppedEvents[reason]).toBeGreaterThan(0);
    expect(counters.droppedEvents.buffer_full).toBe(0);
    expectBalance(counters);

    await disk.answer('written');
    expect(counters.writtenEvents).toBe(1);
    expect(buffer.record(EVENT)).toBe(true);
    await disk.answer('written');
    expectBalance(counters);
  },
);

test('strict: answers true only after the write, and false at once while the disk refuses', async () => {
  const { disk, counters, buffer } = build();
  let answer: boolean | undefined;
  void buffer.recordStrict(EVENT).then((isWritten) => (answer = isWritten));
  await new Promise(setImmediate);
  expect(answer).toBeUndefined();
  await disk.answer('written');
  expect(answer).toBe(true);

  const refused = buffer.recordStrict(EVENT);
  await disk.answer('spool_error');
  expect(await refused).toBe(false);
  expect(await buffer.recordStrict(EVENT)).toBe(false);
  expect(counters.bufferedEvents).toBe(2);
});

test('strict: a disk that does not answer holds the visitor no longer than the bound', async () => {
  const { buffer } = build({ strictWaitMs: 1 });
  expect(await buffer.recordStrict(EVENT)).toBe(false);
});

test('strict: events of one turn share a write', async () => {
  const { disk, buffer } = build();
  const answers = [buffer.recordStrict(EVENT), buffer.recordStrict(EVENT), buffer.recordStrict(EVENT)];
  await disk.answer('written');
  expect(await Promise.all(answers)).toEqual([true, true, true]);
  expect(disk.frames.map((frame) => frame.rows)).toEqual([3]);
});

test('close writes what is buffered, behind a write under way; later events are dropped as closed', async () => {
  const { disk, counters, buffer } = build();
  buffer.record(EVENT);
  await vi.waitFor(() => {
    expect(disk.frames.length).toBe(1);
  });
  buffer.record(EVENT);
  const closed = buffer.close();
  expect(buffer.record(EVENT)).toBe(false);
  await disk.answer('written');
  await disk.answer('written');
  await closed;
  expect(counters).toMatchObject({ writtenEvents: 2, bufferedEvents: 0, droppedEvents: { closed: 1 } });
});

test('close gives up on a disk that refuses, and counts the loss', async () => {
  const { disk, counters, buffer } = build({ retryAfterMs: 100_000 });
  buffer.record(EVENT);
  await disk.answer('spool_error');
  const closed = buffer.close();
  await disk.answer('spool_error');
  await closed;
  expect(counters).toMatchObject({ bufferedEvents: 0, droppedEvents: { spool_error: 1 } });
  expectBalance(counters);
});

test('one error when dropping begins, one a minute while it lasts, one info when it is over', () => {
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const counters = createRecorderCounters();
  const look = createDropLog(counters, createLogger({ service: 'test', level: 'info', destination }));

  look(0);
  counters.writtenEvents = 500;
  look(1_000);
  expect(lines).toEqual([]);

  counters.droppedEvents.spool_full = 3;
  look(2_000);
  expect(lines).toMatchObject([
    { level: 'error', msg: 'dropping events', reason: 'spool_full', events: { spool_full: 3 } },
  ]);

  for (let second = 3; second <= 62; second++) {
    counters.droppedEvents.spool_full += 10;
    if (second === 30) counters.droppedEvents.buffer_full = 7;
    look(second * 1_000);
  }
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({
    level: 'error',
    reason: 'buffer_full, spool_full',
    events: { spool_full: 600, buffer_full: 7 },
    totalEvents: 610,
  });

  // Nobody visits, so nothing is lost; the spool is as full as before.
  look(100_000);
  expect(lines).toHaveLength(2);
  counters.writtenEvents = 501;
  look(101_000);
  look(102_000);
  expect(lines.slice(2)).toMatchObject([
    { level: 'info', msg: 'no longer dropping events', events: 610, totalEvents: 610 },
  ]);

  counters.droppedEvents.spool_error = 1;
  look(103_000);
  expect(lines[3]).toMatchObject({ level: 'error', reason: 'spool_error', events: { spool_error: 1 } });
});

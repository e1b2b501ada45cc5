import { expect, test, vi } from 'vitest';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { createEventBuffer } from './event-buffer.js';
import type { EventBufferLimits } from './event-buffer.js';
import { createRecorderCounters } from './event-counters.js';
import type { RecorderCounters } from './event-counters.js';
import type { AppendOutcome } from './spool-writer.js';
import { createUuidV7Writer } from './uuid-v7.js';

const EVENT: VisitEvent = {
  timeMs: 1_789_000_000_000,
  ownerId: '01890000-1111-7222-8333-0123456789ab',
  smartlinkId: '01890000-1111-7222-8333-0123456789ab',
  slug: 'hello',
  source: 'click',
  outcome: 'target',
  exclusion: '',
  country: 'XX',
  device: 'other',
  os: '',
  browser: '',
  language: '',
  referrerHost: '',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
  visitorId: 0n,
};

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

import { createLogger } from '@smartlink/process/logger';
import { expect, test } from 'vitest';
import { createDropLog } from './drop-log.js';
import { createRecorderCounters } from './event-counters.js';

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
    { level: 'error', msg: 'events are dropped', reason: 'spool_full', events: { spool_full: 3 } },
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
    { level: 'info', msg: 'events are no longer dropped', events: 610, totalEvents: 610 },
  ]);

  counters.droppedEvents.spool_error = 1;
  look(103_000);
  expect(lines[3]).toMatchObject({ level: 'error', reason: 'spool_error', events: { spool_error: 1 } });
});

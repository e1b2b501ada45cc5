import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import type { Shipper } from '../src/events/shipper.js';
import { parseSegmentName } from '../src/events/spool-files.js';
import { type Fault, type FaultyGateway, startFaultyGateway } from './events-faulty-gateway.js';
import {
  clearEvents,
  createSpool,
  readStored,
  recordAll,
  say,
  spoilRows,
  type Spool,
} from './events-fixtures.js';
import { useDatabases } from './serve.js';

const databases = useDatabases({ clickhouse: 'own' });
let gateway: FaultyGateway;
let spool: Spool;
let shipper: Shipper | undefined;

beforeAll(async () => {
  gateway = await startFaultyGateway(databases.clickhouseUrl);
});
afterAll(() => gateway.close());
beforeEach(() => {
  spool = createSpool();
  gateway.fault = () => 'none';
});
afterEach(async () => {
  await shipper?.stop({ deadlineMs: 0 });
  shipper = undefined;
  spool.remove();
  await clearEvents(databases.clickhouseUrl);
});

function ship(options: Parameters<Spool['shipper']>[1] = {}): Shipper {
  shipper = spool.shipper(gateway.clickhouseUrl, options);
  shipper.start();
  return shipper;
}

const drained = (running: Shipper, deadlineMs = 30_000) =>
  until(() => running.isDrained(), 'everything is sent', deadlineMs);

/** Answers the first faults of the list, one for each insert, then none. */
function faults(list: readonly Fault[]): () => Fault {
  let index = 0;
  return () => list[index++] ?? 'none';
}

test(
  'ClickHouse down from the start: events wait, and none is lost when it comes',
  { timeout: 240_000 },
  async () => {
    const count = trialSize(5_000, 1_000_000);
    let isUp = false;
    gateway.fault = () => (isUp ? 'none' : 'cut before');
    const running = ship();
    await recordAll(spool, 0, count);
    await until(
      () => running.counters.failedInserts >= 3 && running.counters.spooledEvents === count,
      'three inserts have failed',
    );
    expect(running.counters).toMatchObject({ deliveredEvents: 0, spooledEvents: count });
    expect(running.isDrained()).toBe(false);
    isUp = true;
    const upAt = performance.now();
    await drained(running, 120_000);
    const perSecond = Math.round(count / ((performance.now() - upAt) / 1_000));
    const stored = await readStored(databases.clickhouseUrl);
    expect(stored).toMatchObject({ rows: count, rawRows: count });
    expect(stored.numbers.size).toBe(count);
    expect(running.counters).toMatchObject({ deliveredEvents: count, tornEvents: 0, quarantinedEvents: 0 });
    recordFigure({
      promise: 'E4',
      trial: `${count} events wait while ClickHouse is down (${running.counters.failedInserts} failed inserts)`,
      measured: `0 lost, 0 doubled; ${perSecond}/s leave once it is back, the wait for the next try included`,
      holds: perSecond >= 20_000,
    });
  },
);

test('connections reset after the commit, and errors 500: 0 lost, 0 doubled', async () => {
  gateway.fault = faults(['cut after', 'error 500', 'cut after', 'cut before']);
  await recordAll(spool, 0, 5_000);
  const running = ship();
  await drained(running);
  const stored = await readStored(databases.clickhouseUrl);
  expect(stored.numbers.size).toBe(5_000);
  expect(stored.rows).toBe(5_000);
  expect(running.counters).toMatchObject({ deliveredEvents: 5_000, failedInserts: 4, inserts: 5 });
  recordFigure({
    promise: 'E5',
    trial: '2 resets after the commit, 1 before it, 1 answer of 500; 5,000 events',
    measured: '0 lost, 0 doubled',
    holds: true,
  });
});

test('while ClickHouse hangs, the gauges show the waiting events, their age and the duration of the insert', async () => {
  gateway.fault = () => 'no answer';
  let nowMs = Date.now();
  await recordAll(spool, 0, 100);
  const before = gateway.insertsSeen();
  let lines = '';
  const destination = { write: (line: string) => void (lines += line) };
  const log = createLogger({ service: 'events-test', level: 'warn', destination });
  const running = ship({ now: () => nowMs, log, slowInsertMs: 20 });
  expect(running.inserts.seconds()).toBe(0);
  await until(() => gateway.insertsSeen() > before, 'an insert is under way');
  await until(() => lines.includes('"insert into ClickHouse has not finished"'), 'the log tells of it');
  await recordAll(spool, 100, 50);
  await until(() => running.counters.spooledEvents === 150, 'the gauges tell of both segments');
  const bytes = spool.names('.seg').reduce((sum, name) => sum + statSync(join(spool.folder, name)).size, 0);
  expect(running.counters).toMatchObject({
    spooledSegments: 2,
    spooledBytes: bytes,
    inserts: 1,
    failedInserts: 0,
  });
  const [oldest = ''] = spool.names('.seg').toSorted();
  nowMs = (parseSegmentName(oldest)?.openedMs ?? 0) + 60_000;
  expect(running.oldestSpooledSeconds()).toBe(60);
  expect(running.inserts.seconds()).toBeGreaterThan(0);
  await running.stop({ deadlineMs: 0 });
  expect(running.inserts.seconds()).toBe(0);
});

test('a batch is as large as its bounds allow, and full batches go back to back', async () => {
  for (let part = 0; part < 6; part++) await recordAll(spool, part * 1_000, 1_000);
  const before = gateway.insertsSeen();
  const running = ship({ limits: { batchRowsMax: 2_500, insertEveryMs: 3_600_000 } });
  await until(() => running.counters.deliveredEvents === 4_000, 'two full batches are sent');
  await running.stop({ deadlineMs: 30_000 });
  expect(running.counters).toMatchObject({ deliveredEvents: 6_000, inserts: 3 });
  expect(gateway.insertsSeen() - before).toBe(3);
  expect((await readStored(databases.clickhouseUrl)).rows).toBe(6_000);
});

test('a row that ClickHouse refuses is quarantined with its error, and all others are inserted', async () => {
  await recordAll(spool, 0, 300);
  await recordAll(spool, 300, 300);
  const [name = ''] = spool.names('.seg');
  spoilRows(join(spool.folder, name), (index) => index === 137);
  const running = ship();
  await drained(running);
  const stored = await readStored(databases.clickhouseUrl);
  expect(stored.rows).toBe(599);
  expect(stored.numbers.has(137)).toBe(false);
  expect(running.counters).toMatchObject({ deliveredEvents: 599, quarantinedEvents: 1, tornEvents: 0 });

  const folder = join(spool.folder, 'quarantine');
  const kept = readdirSync(folder);
  expect(kept.length).toBe(2);
  const explanation = JSON.parse(
    readFileSync(join(folder, kept.find((file) => file.endsWith('.json')) ?? ''), 'utf8'),
  );
  expect(explanation).toMatchObject({ segment: name, rowIndex: 137 });
  expect(String(explanation.code)).toMatch(/^(33|131)$/);
  say('poison: 1 of 600 rows in quarantine, 599 delivered');
});

test('refused rows that the quarantine has no room for are counted as discarded', async () => {
  await recordAll(spool, 0, 100);
  const [name = ''] = spool.names('.seg');
  spoilRows(join(spool.folder, name), (index) => index === 13 || index === 77);
  const running = ship({ limits: { quarantineBytesMax: 10 } });
  await drained(running);
  expect(running.counters).toMatchObject({
    deliveredEvents: 98,
    quarantinedEvents: 0,
    discardedEvents: 2,
    tornEvents: 0,
  });
});

test('a segment full of refused rows is put aside whole', async () => {
  await recordAll(spool, 0, 300);
  await recordAll(spool, 300, 10);
  const [name = ''] = spool.names('.seg');
  spoilRows(join(spool.folder, name), () => true);
  const running = ship();
  await drained(running);
  expect(running.counters).toMatchObject({ deliveredEvents: 10, quarantinedEvents: 300 });
  expect(readdirSync(join(spool.folder, 'quarantine'))).toContain(name);
});

test('an acknowledged segment is kept for a while, then deleted', async () => {
  let nowMs = Date.now();
  await recordAll(spool, 0, 10);
  const running = ship({ now: () => nowMs, limits: { reviewEveryMs: 0, keepMs: 60_000 } });
  await until(() => spool.sentNames().length === 1 && running.isDrained(), 'the segment is acknowledged');
  const [before = ''] = spool.sentNames();
  expect(before).toContain(`.10.${nowMs}.sent`);
  nowMs += 61_000;
  await until(() => spool.sentNames().length === 0, 'the segment is deleted');
  expect(running.counters).toMatchObject({ deliveredEvents: 10, resentEvents: 0 });
});

test('kept segments are bounded in bytes, the oldest go first', async () => {
  for (let part = 0; part < 4; part++) await recordAll(spool, part, 1);
  const names = spool.names('.seg').toSorted();
  const size = statSync(join(spool.folder, names[0] ?? '')).size;
  const running = ship({ limits: { keptBytesMax: Math.ceil(size * 2.5) } });
  // Before that there are two as well: while they are put there one by one.
  await until(() => running.isDrained() && spool.sentNames().length === 2, 'two segments are left');
  const stems = spool.sentNames().map((name) => name.split('.')[0]);
  expect(stems.toSorted()).toEqual(names.slice(2).map((name) => name.split('.')[0]));
});

test('after a restart of ClickHouse kept segments are sent again and nothing doubles', async () => {
  await recordAll(spool, 0, 500);
  const first = ship();
  await until(() => first.counters.deliveredEvents === 500, 'the events are delivered');
  await first.stop({ deadlineMs: 5_000 });
  const [name = ''] = spool.sentNames();
  // As if the acknowledgement were older than the server.
  renameSync(
    join(spool.folder, 'sent', name),
    join(spool.folder, 'sent', name.replace(/\.\d+\.sent$/, '.1000.sent')),
  );
  // As if the loss of power had taken the rows.
  await clearEvents(databases.clickhouseUrl);
  const second = ship();
  await until(() => second.counters.resentEvents === 500, 'the events are sent again');
  await drained(second);
  expect(second.counters).toMatchObject({ deliveredEvents: 0, spooledEvents: 0 });
  expect((await readStored(databases.clickhouseUrl)).rows).toBe(500);
  expect(spool.names('.again')).toEqual([]);
});

test('killed between the acknowledgement and its mark: sent again by the next one, 0 doubled', async () => {
  await recordAll(spool, 0, 500);
  const first = ship();
  await until(() => first.counters.deliveredEvents === 500, 'the events are delivered');
  await first.stop({ deadlineMs: 5_000 });
  const [name = ''] = spool.sentNames();
  renameSync(join(spool.folder, 'sent', name), join(spool.folder, name.replace(/\.\d+\.sent$/, '.seg')));
  const second = ship();
  await drained(second);
  const stored = await readStored(databases.clickhouseUrl);
  expect(stored.rows).toBe(500);
  expect(stored.numbers.size).toBe(500);
});

test('stop sends what is left, and leaves the rest when the deadline is over', async () => {
  await recordAll(spool, 0, 100);
  const quick = ship({ limits: { insertEveryMs: 3_600_000 } });
  await quick.stop({ deadlineMs: 30_000 });
  expect((await readStored(databases.clickhouseUrl)).rows).toBe(100);

  gateway.fault = () => 'error 500';
  await recordAll(spool, 100, 100);
  const hopeless = ship();
  await hopeless.stop({ deadlineMs: 200 });
  expect(spool.names('.seg').length).toBe(1);
});

// Without the deadline it would wait for the client's own timeout, as long as this test may take.
test('stop keeps its deadline when ClickHouse hangs while it is asked for its uptime', async () => {
  const line = await startBreakableProxy(databases.clickhouseUrl);
  line.freeze();
  await recordAll(spool, 0, 100);
  const hanging = spool.shipper(line.url);
  hanging.start();
  await hanging.stop({ deadlineMs: 200 });
  expect(spool.names('.seg').length).toBe(1);
  await line.close();
});

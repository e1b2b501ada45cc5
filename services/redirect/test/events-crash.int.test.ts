import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import type { RecorderCounters } from '../src/metrics/event-counters.js';
import { type OwnClickhouse, startOwnClickhouse } from './events-clickhouse.js';
import { type FaultyGateway, startFaultyGateway } from './events-faulty-gateway.js';
import { clearEvents, createSpool, readStored, recordAll, type Spool } from './events-fixtures.js';

const STOPS = trialSize(2, 20);
const CLICKHOUSE_KILLS = trialSize(1, 30);
const EVENTS_PER_ROUND = 5_000;
const EXIT_MS_MAX = 10_000;
const WRITER = fileURLToPath(new URL('events-writer.mjs', import.meta.url));

let clickhouse: OwnClickhouse;
let gateway: FaultyGateway;
let spool: Spool;

beforeAll(async () => {
  clickhouse = await startOwnClickhouse();
  gateway = await startFaultyGateway(clickhouse.clickhouseUrl());
});
afterAll(async () => {
  await gateway.close();
  await clickhouse.remove();
});
beforeEach(() => {
  spool = createSpool();
});
afterEach(async () => {
  spool.remove();
  await clearEvents(clickhouse.clickhouseUrl());
});

type Journal = {
  /** Number of the last event. */
  readonly accepted: number;
  readonly counters: RecorderCounters | null;
};

/** Lets a process record until it has accepted its share, ends it by SIGTERM and returns its journal. */
async function recordUntilStopped(
  round: number,
): Promise<{ journal: Journal; exitCode: number | null; exitMs: number }> {
  const first = round * 1_000_000;
  const path = join(spool.folder, `journal-${round}.txt`);
  const child = spawn(process.execPath, [WRITER, spool.folder, path, String(first)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  await until(
    () => readJournal(path).accepted >= first + EVENTS_PER_ROUND || child.exitCode !== null,
    'the process has recorded its share',
  );
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  const [exitCode] = (await exit) as [number | null];
  return { journal: readJournal(path), exitCode, exitMs: performance.now() - signalledAt };
}

function readJournal(path: string): Journal {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // The process has only just begun.
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').map((line) => line.split(' '));
  const counters = lines.find(([kind]) => kind === 'counters')?.[1];
  return {
    accepted: Number(lines.findLast(([kind]) => kind === 'accepted')?.[1] ?? 0),
    counters: counters === undefined ? null : (JSON.parse(counters) as RecorderCounters),
  };
}

async function shipEverything(clickhouseUrl: string) {
  const shipper = await spool.send(clickhouseUrl);
  expect(spool.names('.open')).toEqual([]);
  return { counters: shipper.counters, stored: await readStored(clickhouse.clickhouseUrl()) };
}

test('SIGTERM: every accepted event arrives, once', { timeout: 20_000 + STOPS * 6_000 }, async () => {
  let accepted = 0;
  let slowestMs = 0;
  for (let round = 0; round < STOPS; round++) {
    const { journal, exitCode, exitMs } = await recordUntilStopped(round);
    expect(exitCode).toBe(0);
    expect(journal.counters).toMatchObject({
      bufferedEvents: 0,
      writtenEvents: journal.counters?.acceptedEvents,
      droppedEvents: { buffer_full: 0, spool_full: 0, spool_error: 0, closed: 0 },
    });
    accepted += journal.counters?.acceptedEvents ?? 0;
    slowestMs = Math.max(slowestMs, exitMs);
  }
  const { stored, counters } = await shipEverything(clickhouse.clickhouseUrl());
  expect(stored.rows).toBe(accepted);
  expect(stored.numbers.size).toBe(accepted);
  expect(counters).toMatchObject({ deliveredEvents: accepted, tornEvents: 0, adoptedSegments: 0 });
  recordFigure({
    promise: 'E1',
    trial: `${STOPS} SIGTERMs of a process that records without a pause, ${accepted} events`,
    measured: `0 lost, 0 doubled; gone after ${Math.round(slowestMs)} ms at most`,
    holds: slowestMs <= EXIT_MS_MAX,
  });
});

test(
  'ClickHouse killed -9 during an insert: 0 lost, 0 doubled',
  { timeout: 20_000 + CLICKHOUSE_KILLS * 10_000 },
  async () => {
    const shipper = spool.shipper(gateway.clickhouseUrl);
    shipper.start();
    let repeated = 0;
    for (let round = 0; round < CLICKHOUSE_KILLS; round++) {
      const sent = new Promise<void>((resolve) => (gateway.onInsertSent = resolve));
      await recordAll(spool, round * 20_000, 20_000);
      await sent;
      gateway.onInsertSent = () => undefined;
      // The kills are spread over the insert, which takes some 50 ms.
      await new Promise((resolve) => setTimeout(resolve, (round * 9) % 60));
      await clickhouse.kill();
      await clickhouse.start();
      gateway.setUpstream(clickhouse.clickhouseUrl());
      const expected = (round + 1) * 20_000;
      await until(
        () => shipper.isDrained() && shipper.counters.deliveredEvents === expected,
        'all is sent',
        20_000,
      );
      const stored = await readStored(clickhouse.clickhouseUrl());
      expect(stored.numbers.size).toBe(expected);
      expect(stored.rows).toBe(expected);
      repeated = stored.rawRows - stored.rows;
    }
    await shipper.stop({ deadlineMs: 5_000 });
    const { failedInserts, resentEvents } = shipper.counters;
    recordFigure({
      promise: 'E3',
      trial: `${CLICKHOUSE_KILLS} kills -9 of ClickHouse during an insert, ${CLICKHOUSE_KILLS * 20_000} events`,
      measured:
        `0 lost, 0 doubled (${failedInserts} failed inserts, ${resentEvents} events sent again, ` +
        `${repeated} repeats merged away)`,
      holds: true,
    });
  },
);

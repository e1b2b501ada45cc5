// Describes and records events and ships them, as a redirect process and its primary do, as fast as ClickHouse takes
// them. Recorder and shipper share this one process: on the one core that everything has here that costs the same.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@smartlink/process/logger';
import { createEventRecorder } from '../../../dist/events/event-recorder.js';
import { createShipper } from '../../../dist/events/shipper.js';
import { readSettings, tellReached, tellResult } from './parent.js';
import { KNOWN_VISITORS, createDescriber, makeAnsweredVisits } from './visits.js';

export type ShipSettings = {
  readonly spoolDir: string;
  readonly clickhouseUrl: string;
  readonly events: number;
};

/** `dropped` is 0 in a sound run. */
export type ShipResult = {
  readonly elapsedMs: number;
  /** Processor time of this process, without the engine's. */
  readonly cpuMs: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly inserts: number;
};

const SLICE = 1_000;
/** A half of the recorder's buffer holds some 30,000. */
const BUFFERED_MAX = 15_000;
/** More than two of the shipper's batches: it never waits for events, and the spool stays small. */
const UNDELIVERED_MAX = 600_000;
const SPOOL_BYTES_MAX = 4 * 2 ** 30;
const DRAIN_LIMIT_MS = 120_000;
const PROGRESS_INTERVAL_MS = 500;

tellResult(await shipEvents(readSettings() as ShipSettings));

async function shipEvents({ spoolDir, clickhouseUrl, events }: ShipSettings): Promise<ShipResult> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const visits = makeAnsweredVisits(KNOWN_VISITORS);
  const describe = createDescriber();
  const recorder = createEventRecorder({
    spoolDir,
    writerId: 'bench',
    bytesMax: SPOOL_BYTES_MAX,
    strict: false,
    log,
  });
  const shipper = createShipper({ spoolDir, clickhouseUrl, log });
  const progress = setInterval(() => {
    tellReached(shipper.counters.deliveredEvents);
  }, PROGRESS_INTERVAL_MS);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  shipper.start();
  for (let number = 0; number < events; number += 1) {
    const visit = visits[number % visits.length];
    if (visit !== undefined) void recorder.record(describe(visit, Date.now()));
    if (number % SLICE !== 0) continue;
    do await sleep(recorder.counters.bufferedEvents > BUFFERED_MAX ? 1 : 0);
    while (
      recorder.counters.bufferedEvents > BUFFERED_MAX ||
      number - shipper.counters.deliveredEvents > UNDELIVERED_MAX
    );
  }
  await recorder.close();
  await shipper.stop({ deadlineMs: DRAIN_LIMIT_MS });
  const elapsedMs = performance.now() - startedAt;
  clearInterval(progress);
  const { user, system } = process.cpuUsage(cpuBefore);
  const dropped = Object.values(recorder.counters.droppedEvents).reduce((sum, count) => sum + count, 0);
  const { deliveredEvents: delivered, inserts } = shipper.counters;
  return { elapsedMs, cpuMs: (user + system) / 1_000, delivered, dropped, inserts };
}

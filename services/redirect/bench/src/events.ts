// `npm run bench -- events`: events a second through the spool into ClickHouse, and processor time of an event from the
// answered visit to bytes in the spool, in the process that answers visitors. Everything runs on one core.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { goal, number, spread } from '@smartlink/bench/figures';
import { collectGarbage, onOneCore } from '@smartlink/bench/machine';
import { type BenchRun, type Report, runBench, withProgress } from '@smartlink/bench/program';
import { type BenchStack, openBenchStack } from '@smartlink/bench/stack';
import { createLogger } from '@smartlink/process/lifecycle';
import { createEventRecorder, type EventRecorder } from '../../dist/events/event-recorder.js';
import { createShipper } from '../../dist/events/shipper.js';
import { type AnsweredVisit, createDescriber, makeAnsweredVisits } from './answered-visits.js';

type Run = BenchRun<{ readonly events: number }>;

const PER_SECOND_MIN = 100_000;
const CPU_US_MAX = 2;
const SLICE = 1_000;
/** Half of the recorder's buffer holds some 30,000. */
const BUFFERED_MAX = 15_000;
/** More than two of the shipper's batches: it never waits for events, and the spool stays small. */
const UNDELIVERED_MAX = 600_000;
const SPOOL_BYTES_MAX = 8 * 2 ** 30;
const DRAIN_LIMIT_MS = 120_000;
const PROGRESS_INTERVAL_MS = 500;
const WARM_UP_SHARE = 0.2;

const log = createLogger({ service: 'bench', level: 'warn' });

async function measureEvents(run: Run): Promise<Report> {
  const cost = run.wants('cost') ? await onOneCore(() => measureCost(run)) : null;
  const shipped = run.wants('ship') ? await onOneCore(() => measureShipping(run)) : null;
  const rows: string[][] = [];
  const notes: string[] = [];
  const addRow = (title: string, values: readonly number[]) => {
    const { median, least, most } = spread(values);
    rows.push([title, ...[median, least, most].map(number)]);
    return median;
  };
  if (cost !== null) {
    const cpuUs = addRow('CPU µs to describe, encode, buffer and write to the spool', cost);
    notes.push(goal(cpuUs <= CPU_US_MAX, `${number(cpuUs)} µs of CPU an event (at most ${CPU_US_MAX})`));
  }
  if (shipped !== null) {
    const perSecond = addRow('events/s through the spool into ClickHouse', shipped.perSecond);
    addRow('CPU µs of recorder and shipper', shipped.cpuUs);
    addRow('rows an insert', shipped.rowsPerInsert);
    const text = `${number(perSecond)} events/s (at least ${PER_SECOND_MIN})`;
    notes.push(goal(perSecond >= PER_SECOND_MIN, text));
  }
  const table = { title: 'Events on one core', head: ['', 'median', 'least', 'most'], rows };
  return { tables: [table], notes, figures: { cost, shipped } };
}

/** Processor time of one event in µs, by round; the recorder's opening and closing count too. */
async function measureCost({ sizes: { events, rounds }, signal }: Run): Promise<readonly number[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-bench-'));
  const visits = makeAnsweredVisits();
  const describe = createDescriber();
  const record = async (count: number) => {
    const recorder = openRecorder(path.join(folder, 'spool'));
    await goThrough(visits, count, {
      take: (visit, timeMs) => void recorder.record(describe(visit, timeMs)),
      isFull: () => recorder.counters.bufferedEvents > BUFFERED_MAX,
      pauseMs: 0,
    });
    await recorder.close();
    if (droppedBy(recorder) > 0) throw new Error(`${droppedBy(recorder)} events were dropped`);
  };
  try {
    await record(WARM_UP_SHARE * events);
    return await withProgress('cost of an event', rounds, async ({ step }) => {
      const costs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        signal.throwIfAborted();
        collectGarbage();
        const cpuUs = startCpuClock();
        await record(events);
        costs.push(cpuUs() / events);
        step();
      }
      return costs;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Describes and records events and ships them, as a redirect process and its primary do, as fast as ClickHouse takes them.
 * Recorder and shipper share a process: on one core that costs the same. Rejects when an event is lost.
 */
async function measureShipping({ sizes: { events, rounds }, signal }: Run) {
  const stack = await openBenchStack(signal);
  try {
    return await withProgress('events into ClickHouse', rounds * events, async ({ reach }) => {
      const runs: Shipped[] = [];
      for (let round = 0; round < rounds; round += 1) {
        signal.throwIfAborted();
        const onDelivered = (count: number) => {
          reach(round * events + count);
        };
        runs.push(await shipEvents(stack, events, onDelivered));
        await checkRows(stack, events);
      }
      return {
        perSecond: runs.map(({ elapsedMs }) => (events * 1_000) / elapsedMs),
        cpuUs: runs.map(({ cpuUs }) => cpuUs / events),
        rowsPerInsert: runs.map(({ inserts }) => events / inserts),
      };
    });
  } finally {
    await stack.close();
  }
}

/** Of all events; `cpuUs` without the engine's. */
type Shipped = Readonly<Record<'elapsedMs' | 'cpuUs' | 'inserts', number>>;

async function shipEvents(
  { folder, clickhouseUrl }: BenchStack,
  events: number,
  onDelivered: (count: number) => void,
): Promise<Shipped> {
  const spoolDir = folder('spool');
  const visits = makeAnsweredVisits();
  const describe = createDescriber();
  const recorder = openRecorder(spoolDir);
  const shipper = createShipper({ spoolDir, clickhouseUrl, log });
  const progress = setInterval(() => {
    onDelivered(shipper.counters.deliveredEvents);
  }, PROGRESS_INTERVAL_MS);
  const cpuClock = startCpuClock();
  const startedAt = performance.now();
  shipper.start();
  await goThrough(visits, events, {
    take: (visit, timeMs) => void recorder.record(describe(visit, timeMs)),
    isFull: (count) =>
      recorder.counters.bufferedEvents > BUFFERED_MAX ||
      count - shipper.counters.deliveredEvents > UNDELIVERED_MAX,
    pauseMs: 1,
  });
  await recorder.close();
  await shipper.stop({ deadlineMs: DRAIN_LIMIT_MS });
  const elapsedMs = performance.now() - startedAt;
  const cpuUs = cpuClock();
  clearInterval(progress);
  rmSync(spoolDir, { recursive: true });
  const { deliveredEvents: delivered, inserts } = shipper.counters;
  const dropped = droppedBy(recorder);
  if (delivered !== events || dropped !== 0)
    throw new Error(`Of ${events} events ${delivered} were delivered and ${dropped} dropped`);
  return { elapsedMs, cpuUs, inserts };
}

/** Rejects when ClickHouse does not have every event once; empties the table. */
async function checkRows({ clickhouse }: BenchStack, events: number): Promise<void> {
  const query = 'select toFloat64(count()) as rows from events final';
  const result = await clickhouse.query({ query, format: 'JSONEachRow' });
  const [row] = await result.json<{ rows: number }>();
  if (row?.rows !== events) throw new Error(`ClickHouse has ${row?.rows ?? 0} rows instead of ${events}`);
  await clickhouse.command({ query: 'truncate table events' });
}

const openRecorder = (spoolDir: string): EventRecorder =>
  createEventRecorder({ spoolDir, writerId: 'bench', bytesMax: SPOOL_BYTES_MAX, strict: false, log });

const droppedBy = ({ counters }: EventRecorder): number =>
  Object.values(counters.droppedEvents).reduce((sum, count) => sum + count, 0);

/** Processor time of this process since now, in µs. */
function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

type Walk = {
  readonly take: (visit: AnsweredVisit, timeMs: number) => void;
  /** Whether to pause after `count` visits, so that nothing is dropped. */
  readonly isFull: (count: number) => boolean;
  readonly pauseMs: number;
};

/** Every loop comes back to the event loop as often. */
async function goThrough(
  visits: readonly AnsweredVisit[],
  events: number,
  { take, isFull, pauseMs }: Walk,
): Promise<void> {
  for (let count = 0; count < events; count += 1) {
    const visit = visits[count % visits.length];
    if (visit !== undefined) take(visit, Date.now());
    if (count % SLICE !== 0) continue;
    do await sleep(isFull(count) ? pauseMs : 0);
    while (isFull(count));
  }
}

await runBench<{ readonly events: number }>({
  name: 'events',
  help: `npm run bench -- events [--events N] [--only PART]

Events a second through the spool into ClickHouse, and processor time of an event in the redirect process, on one core. A
whole run takes some 3 minutes.`,
  whole: { events: 1_000_000 },
  smoke: { events: 100_000 },
  secondsDefault: 1,
  parts: ['cost', 'ship'],
  numbers: { events: [100_000, 20_000_000, 'events of a round'] },
  measure: measureEvents,
});

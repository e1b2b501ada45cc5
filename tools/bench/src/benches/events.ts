import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@smartlink/process/lifecycle';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import type { VisitEvent } from '@smartlink/visits/event';
import { createEventRecorder } from '../../../../services/redirect/dist/events/event-recorder.js';
import { createShipper } from '../../../../services/redirect/dist/events/shipper.js';
import { goal, number, spread } from '../figures.js';
import { allowedCores, onCores } from '../machine.js';
import { type BenchRun, defineBench, type Report, withProgress } from '../program.js';
import { type BenchStack, openBenchStack } from '../stack.js';

type Run = BenchRun<{ readonly events: number }>;

const PER_SECOND_MIN = 100_000;
const SLICE = 1_000;
/** Half of the recorder's buffer holds some 30,000. */
const BUFFERED_MAX = 15_000;
/** More than two of the shipper's batches: it never waits for events, and the spool stays small. */
const UNDELIVERED_MAX = 600_000;
const SPOOL_BYTES_MAX = 8 * 2 ** 30;
const DRAIN_LIMIT_MS = 120_000;

async function measureEvents({ sizes: { events, rounds }, signal }: Run): Promise<Report> {
  const stack = await openBenchStack(signal);
  try {
    const shipped = await withProgress('events into ClickHouse', rounds, async (advance) => {
      const found: Shipped[] = [];
      for (let round = 0; round < rounds; round += 1) {
        signal.throwIfAborted();
        found.push(await shipEvents(stack, events));
        await checkRows(stack, events);
        advance();
      }
      return found;
    });
    const row = (title: string, key: keyof Shipped) => {
      const { median, least, most } = spread(shipped.map((each) => each[key]));
      return [title, ...[median, least, most].map(number)];
    };
    const { median } = spread(shipped.map(({ perSecond }) => perSecond));
    return {
      tables: [
        {
          title: 'Events through the spool into ClickHouse, on one core',
          head: ['', 'median', 'least', 'most'],
          rows: [row('events/s', 'perSecond'), row('CPU µs of recorder and shipper', 'cpuUs')],
        },
      ],
      notes: [goal(median >= PER_SECOND_MIN, `${number(median)} events/s (at least ${PER_SECOND_MIN})`)],
      figures: shipped,
    };
  } finally {
    await stack.close();
  }
}

/** `cpuUs` of one event, without the engine's. */
type Shipped = Readonly<Record<'perSecond' | 'cpuUs', number>>;

/**
 * Records events and ships them, as a redirect process and its primary do, as fast as ClickHouse takes them. Recorder and
 * shipper share a process: on one core that costs the same. Rejects when an event is lost.
 */
async function shipEvents({ folder, clickhouseUrl }: BenchStack, events: number): Promise<Shipped> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const spoolDir = folder('spool');
  const kinds = makeEvents();
  const recorderOptions = { spoolDir, writerId: 'bench', bytesMax: SPOOL_BYTES_MAX, strict: false, log };
  const recorder = createEventRecorder(recorderOptions);
  const shipper = createShipper({ spoolDir, clickhouseUrl, log });
  const before = process.cpuUsage();
  const startedAt = performance.now();
  shipper.start();
  const isFull = (count: number) =>
    recorder.counters.bufferedEvents > BUFFERED_MAX ||
    count - shipper.counters.deliveredEvents > UNDELIVERED_MAX;
  for (let count = 0; count < events; count += 1) {
    const event = kinds[count % kinds.length];
    if (event !== undefined) void recorder.record({ ...event, timeMs: Date.now() });
    if (count % SLICE !== 0) continue;
    do await sleep(1);
    while (isFull(count));
  }
  await recorder.close();
  await shipper.stop({ deadlineMs: DRAIN_LIMIT_MS });
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  rmSync(spoolDir, { recursive: true });
  const { deliveredEvents: delivered } = shipper.counters;
  const dropped = Object.values(recorder.counters.droppedEvents).reduce((sum, count) => sum + count, 0);
  if (delivered !== events || dropped !== 0)
    throw new Error(`Of ${events} events ${delivered} were delivered and ${dropped} dropped`);
  return { perSecond: (events * 1_000) / elapsedMs, cpuUs: (user + system) / events };
}

const LINKS = 1_000;
const VISITORS = 4_096;

/** Visits of many visitors to many links, half with a referrer, a quarter with a campaign. */
function makeEvents(): readonly VisitEvent[] {
  return Array.from({ length: VISITORS }, (_, number) => {
    const link = (number * 331) % LINKS;
    return makeVisitEvent({
      smartlinkId: `01930000-0000-7000-8000-${String(link).padStart(12, '0')}`,
      slug: `slug${link}`,
      country: ['AZ', 'DE', 'US', 'TR', 'FR'][number % 5] ?? '',
      language: ['az-AZ', 'de-DE', 'en-US', 'fr'][number % 4] ?? '',
      referrerHost: number % 2 === 0 ? '' : `www.site${number % 100}.example.org`,
      ...(number % 4 === 0 && { utmSource: 'newsletter', utmCampaign: 'spring-sale-2026' }),
      visitorId: (BigInt(number) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn,
    });
  });
}

/** Rejects when ClickHouse does not have every event once; empties the table. */
async function checkRows({ clickhouse }: BenchStack, events: number): Promise<void> {
  const query = 'select toFloat64(count()) as rows from events final';
  const result = await clickhouse.query({ query, format: 'JSONEachRow' });
  const [row] = await result.json<{ rows: number }>();
  if (row?.rows !== events) throw new Error(`ClickHouse has ${row?.rows ?? 0} rows instead of ${events}`);
  await clickhouse.command({ query: 'truncate table events' });
}

export const events = defineBench<{ readonly events: number }>({
  name: 'events',
  question: 'events from the recorder through the spool into ClickHouse',
  help: `npm run bench -- events [--events N]

Events a second from the recorder through the spool into ClickHouse, and their processor time, all on one core. --seconds
has no effect. A whole run takes a minute or two.`,
  whole: { events: 1_000_000 },
  smoke: { events: 100_000 },
  options: { events: { argument: 'N', help: 'events of a round', range: [100_000, 20_000_000] } },
  parts: { events: (run) => onCores(allowedCores().slice(-1), () => measureEvents(run)) },
});

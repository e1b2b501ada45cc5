import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import { keepToOneCore } from '@smartlink/bench/machine';
import { withProgress } from '@smartlink/bench/progress';
import { runProgram } from './run-program.js';
import type { Sizes } from './sizes.js';

export type EventPathFigures = {
  /** The one core that everything shared; null: nothing could be pinned. */
  readonly core: string | null;
  readonly events: number;
  /** Through the spool, and as JSONEachRow from memory; ratios pair by pair. */
  readonly shippedPerSecond: Spread;
  readonly insertedPerSecond: Spread;
  readonly ratio: Spread;
  /** Processor time of recorder and shipper, and of the client that inserts JSON, in µs a row. */
  readonly shipperCpuUs: Spread;
  readonly clientCpuUs: Spread;
  /** Rows a statement of the shipper's. */
  readonly rowsPerInsert: number;
};

export type EventCostFigures = {
  readonly events: number;
  /** Processor time in µs an event: of the loop alone, with describing, and with recording as well. The visitors have
   * all been here lately, but for those of the last, of whom none has. */
  readonly nothing: Spread;
  readonly described: Spread;
  readonly recorded: Spread;
  readonly recordedUnknown: Spread;
};

/** As large as batches usually are that somebody makes by hand. */
const JSON_ROWS_PER_INSERT = 50_000;

type Run = { readonly sizes: Sizes; readonly signal: AbortSignal };

/**
 * Measures how many events a second go through the spool into ClickHouse when one core does all of it, in turns with
 * JSON inserts from memory. Rejects when an event is lost.
 */
export async function measureEventPath({ sizes, signal }: Run): Promise<EventPathFigures> {
  const pinned = keepToOneCore();
  try {
    const stack = await openBenchStack({ report: () => undefined, signal });
    try {
      return { core: pinned?.core ?? null, ...(await comparePaths(stack, sizes, signal)) };
    } finally {
      await stack.close();
    }
  } finally {
    pinned?.giveBack();
  }
}

async function comparePaths(
  stack: BenchStack,
  { shippedEvents: events, shippingPairs }: Sizes,
  signal: AbortSignal,
): Promise<Omit<EventPathFigures, 'core'>> {
  const pairs: { shipped: Way; inserted: Way }[] = [];
  await withProgress('events into ClickHouse', 2 * shippingPairs * events, async ({ reach }) => {
    for (let pair = 0; pair < shippingPairs; pair += 1) {
      const before = 2 * pair * events;
      const options = { events, signal };
      const shipped = await ship(stack, {
        ...options,
        onReached: (reached) => {
          reach(before + reached);
        },
      });
      const inserted = await insert(stack, {
        ...options,
        onReached: (reached) => {
          reach(before + events + reached);
        },
      });
      pairs.push({ shipped, inserted });
    }
  });
  const perSecond = (way: Way) => (events * 1_000) / way.elapsedMs;
  const cpuUs = (way: Way) => (way.cpuMs * 1_000) / events;
  return {
    events,
    shippedPerSecond: spread(pairs.map(({ shipped }) => perSecond(shipped))),
    insertedPerSecond: spread(pairs.map(({ inserted }) => perSecond(inserted))),
    ratio: spread(pairs.map(({ shipped, inserted }) => perSecond(shipped) / perSecond(inserted))),
    shipperCpuUs: spread(pairs.map(({ shipped }) => cpuUs(shipped))),
    clientCpuUs: spread(pairs.map(({ inserted }) => cpuUs(inserted))),
    rowsPerInsert: events / spread(pairs.map(({ shipped }) => shipped.inserts)).median,
  };
}

type Way = { readonly elapsedMs: number; readonly cpuMs: number; readonly inserts: number };
type WayOptions = {
  readonly events: number;
  readonly signal: AbortSignal;
  readonly onReached: (reached: number) => void;
};

async function ship(stack: BenchStack, { events, signal, onReached }: WayOptions): Promise<Way> {
  const spoolDir = stack.folder('spool');
  const { clickhouseUrl } = stack;
  const found = (await runProgram({
    name: 'ship-events',
    settings: { spoolDir, clickhouseUrl, events },
    logFile: stack.logFile('ship-events'),
    onReached,
    signal,
  })) as Way & { delivered: number; dropped: number };
  rmSync(spoolDir, { recursive: true });
  if (found.delivered !== events || found.dropped !== 0) {
    throw new Error(`Of ${events} events ${found.delivered} were delivered and ${found.dropped} dropped`);
  }
  await takeRows(stack, events);
  return found;
}

async function insert(stack: BenchStack, { events, signal, onReached }: WayOptions): Promise<Way> {
  const { clickhouseUrl } = stack;
  const found = (await runProgram({
    name: 'insert-events',
    settings: { clickhouseUrl, events, rowsPerInsert: JSON_ROWS_PER_INSERT },
    logFile: stack.logFile('insert-events'),
    onReached,
    signal,
  })) as Omit<Way, 'inserts'>;
  await takeRows(stack, events);
  return { ...found, inserts: Math.ceil(events / JSON_ROWS_PER_INSERT) };
}

/** Looks that all rows are there, and empties the table for the next. */
async function takeRows({ clickhouse }: BenchStack, expected: number): Promise<void> {
  const query = 'select toFloat64(count()) as rows from events final';
  const [row] = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ rows: number }>();
  if (row?.rows !== expected) throw new Error(`ClickHouse has ${row?.rows ?? 0} rows instead of ${expected}`);
  await clickhouse.command({ query: 'truncate table events' });
}

/** Measures what one event costs the process that answers visitors, with a spool in `folder`. Rejects when an event is dropped. */
export async function measureEventCost({ sizes, signal }: Run, folder: string): Promise<EventCostFigures> {
  const { costEvents: events, costRounds: rounds } = sizes;
  const pinned = keepToOneCore();
  try {
    return await withProgress('cost of an event', rounds, async ({ reach }) => {
      const { dropped, ...costs } = (await runProgram({
        name: 'event-cost',
        settings: { spoolDir: join(folder, 'spool'), eventsPerRound: events, rounds },
        logFile: join(folder, 'event-cost.log'),
        onReached: reach,
        signal,
      })) as Record<'nothing' | 'described' | 'recorded' | 'recordedUnknown', readonly number[]> & {
        dropped: number;
      };
      if (dropped !== 0) throw new Error(`${dropped} events were dropped`);
      return {
        events,
        nothing: spread(costs.nothing),
        described: spread(costs.described),
        recorded: spread(costs.recorded),
        recordedUnknown: spread(costs.recordedUnknown),
      };
    });
  } finally {
    pinned?.giveBack();
  }
}

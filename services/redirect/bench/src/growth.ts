import type { Pool } from 'pg';
// `npm run bench -- growth`: operations on links in a database that grows, in turns with one that stays small.
import { inTurns, number, percentile, ratios, spread, type Table, timesText } from '@smartlink/bench/figures';
import { type Report, runBench, timed, withProgress } from '@smartlink/bench/program';
import { openBenchStack, type StackRun, withStack } from '@smartlink/bench/stack';
import { grow, type Operation, OPERATIONS, type Side, withSide } from './growth-side.js';
import { withRedis } from './links.js';

type Sizes = {
  /** Numbers of links in ascending order; all are compared with the first. */
  readonly links: readonly number[];
  /** Repetitions of each operation in a turn. */
  readonly repeats: number;
};
type Sides = Readonly<Record<'small' | 'grown', Side>>;
/** Medians of an operation in µs, by round. */
type Turns = Readonly<Record<keyof Sides, readonly number[]>>;
type SizeFindings = {
  readonly links: number;
  /** By the title of the operation. */
  readonly operations: Readonly<Record<string, Turns>>;
  readonly stored: StoredSizes;
};

async function measureGrowth(run: StackRun<Sizes>): Promise<Report> {
  const { stack, sizes, signal } = run;
  const [small = 0] = sizes.links;
  const grownStack = await openBenchStack(signal);
  try {
    return await withSide(run, { name: 'small', stack, links: small }, (smallSide) =>
      withSide(run, { name: 'grown', stack: grownStack, links: small }, async (grownSide) => {
        const sides = { small: smallSide, grown: grownSide };
        await measureTurns(run, sides, { title: 'warm-up', rounds: 1 });
        const found: SizeFindings[] = [];
        for (const links of sizes.links) {
          await growTo(grownSide, links, signal);
          const turns = { title: 'in turns', rounds: sizes.rounds };
          const operations = await measureTurns(run, sides, turns);
          const stored = await readSizes(grownStack.pg, grownStack.redisUrl);
          found.push({ links, operations, stored });
        }
        return { tables: [timeTable(found), roomTable(found)], figures: found };
      }),
    );
  } finally {
    await grownStack.close();
  }
}

/** Medians at the largest size, and their ratios to the small database at each size. */
function timeTable(sizes: readonly SizeFindings[]): Table {
  return {
    title: 'Time of an operation',
    head: ['operation', 'p50 ms at most', ...sizes.map(({ links }) => `× at ${links.toLocaleString('en')}`)],
    rows: OPERATIONS.map(({ title }) => {
      const turns = sizes.map(({ operations }) => operations[title] ?? { small: [], grown: [] });
      const ms = spread(turns.at(-1)?.grown ?? []).median / 1_000;
      return [title, number(ms), ...turns.map(({ small, grown }) => timesText(ratios(grown, small)))];
    }),
  };
}

/** Bytes of one link above the smallest size. */
function roomTable([base, ...sizes]: readonly SizeFindings[]): Table {
  return {
    title: 'Bytes of a link',
    head: ['links', 'Postgres', 'of these indexes', 'Redis'],
    rows: sizes.map(({ links, stored }) => {
      const per = (of: (stored: StoredSizes) => number) =>
        base === undefined ? '' : String(Math.round((of(stored) - of(base.stored)) / (links - base.links)));
      return [
        links.toLocaleString('en'),
        per(({ smartlinksBytes, slugsBytes }) => smartlinksBytes + slugsBytes),
        per(({ indexBytes }) => indexBytes),
        per(({ redisBytes }) => redisBytes),
      ];
    }),
  };
}

async function growTo(side: Side, links: number, signal: AbortSignal): Promise<void> {
  if (side.links >= links) return;
  const title = `${links.toLocaleString('en')} links`;
  await withProgress(title, 2 * (links - side.links), ({ reach }) =>
    grow(side, links, { signal, onStep: reach }),
  );
}

/** Every operation in turns; a first call with one round warms up. */
async function measureTurns(
  { sizes: { repeats }, signal }: StackRun<Sizes>,
  sides: Sides,
  { title, rounds }: { readonly title: string; readonly rounds: number },
): Promise<SizeFindings['operations']> {
  return withProgress(title, OPERATIONS.length * rounds * 2, async ({ step }) => {
    const found: Record<string, Turns> = {};
    for (const operation of OPERATIONS)
      found[operation.title] = await inTurns(
        ['small', 'grown'],
        { rounds, signal, onStep: step },
        (name, round) => repeat(operation, sides[name], { repeats, round, signal }),
      );
    return found;
  });
}

/** Operations that use several engines are repeated less often. */
const SLOW_SHARE = 5;

/** Median in µs. */
async function repeat(
  { run, isSlow = false }: Operation,
  side: Side,
  { repeats, round, signal }: { repeats: number; round: number; signal: AbortSignal },
): Promise<number> {
  const timesUs: number[] = [];
  const count = isSlow ? Math.ceil(repeats / SLOW_SHARE) : repeats;
  for (let i = 0; i < count; i += 1) {
    signal.throwIfAborted();
    timesUs.push(1_000 * (await timed(() => run(side, round))));
  }
  return percentile(timesUs, 0.5);
}

/** Bytes of all links. */
type StoredSizes = {
  readonly smartlinksBytes: number;
  readonly slugsBytes: number;
  /** Part of both. */
  readonly indexBytes: number;
  readonly redisBytes: number;
};

const SIZES = `
select pg_total_relation_size('smartlinks')::float8 as "smartlinksBytes",
       pg_total_relation_size('slugs')::float8 as "slugsBytes",
       (pg_indexes_size('smartlinks') + pg_indexes_size('slugs'))::float8 as "indexBytes"`;

async function readSizes(pg: Pool, redisUrl: string): Promise<StoredSizes> {
  const { rows } = await pg.query<Omit<StoredSizes, 'redisBytes'>>(SIZES);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('Postgres returned no sizes');
  return withRedis(redisUrl, async (redis) => {
    const redisBytes = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    return { ...sizes, redisBytes };
  });
}

await runBench<Sizes>({
  name: 'growth',
  help: `npm run bench -- growth [--full]

Look-ups in Postgres and Redis, publishing, and calls of the API in a database that grows from 1,000 to a million links,
in turns with one that stays at 1,000. --seconds has no effect. A whole run takes some 8 minutes.`,
  whole: { links: [1_000, 10_000, 100_000, 1_000_000], repeats: 200 },
  full: [
    { links: [1_000, 10_000, 100_000, 1_000_000, 10_000_000], repeats: 200 },
    'grow to ten million links: half an hour, 20 GB of disk, 8 GB of memory',
  ],
  smoke: { links: [1_000, 10_000], repeats: 10 },
  secondsDefault: 1,
  measure: (run) => withStack(run, measureGrowth),
});

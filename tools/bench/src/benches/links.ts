import { randomInt } from 'node:crypto';
import type { Redis } from 'ioredis';
import { findSnapshots, findWithin, publishSnapshots } from '@smartlink/links/publish';
import { createLinkResolver, type LinkResolver } from '@smartlink/links/resolve';
import { inTurns, number, ratios, spread, timesText } from '../figures.js';
import { fillLinks, KEY_PREFIX, publishLinks, scatteredSlug, withRedis } from '../link-data.js';
import { defineBench, type Report, timed, withProgress } from '../program.js';
import { type BenchStack, openBenchStack, type StackRun, withStack } from '../stack.js';
import { type ListSizes, measureLists } from './lists.js';
import { type LinkSizes, measureConnections, measureMemory } from './memory.js';

type Sizes = LinkSizes &
  ListSizes & {
    /** Repetitions of each operation in a turn. */
    readonly repeats: number;
  };

/** Engines with a number of links. */
type Side = {
  readonly stack: BenchStack;
  readonly redis: Redis;
  readonly resolver: LinkResolver;
  readonly links: number;
};

const SMALL_LINKS = 1_000;

async function measureGrowth(run: StackRun<Sizes>): Promise<Report> {
  const { sizes, signal } = run;
  const grownStack = await openBenchStack(signal);
  try {
    return await withSide(run.stack, SMALL_LINKS, signal, (small) =>
      withSide(grownStack, sizes.links, signal, async (grown) => {
        // Warms up.
        await measureOperations(run, { small, grown }, 1);
        const operations = await measureOperations(run, { small, grown }, sizes.rounds);
        const bytes = await readBytesPerLink(grown);
        const count = sizes.links.toLocaleString('en');
        const time = {
          title: `Time of an operation with ${count} links, as ratios to ${SMALL_LINKS.toLocaleString('en')}`,
          head: ['operation', 'p50 µs', 'ratio'],
          rows: Object.entries(operations).map(([title, turns]) => [
            ...[title, number(spread(turns.grown).median)],
            timesText(ratios(turns.grown, turns.small)),
          ]),
        };
        const room = {
          title: `Bytes of a link, of ${count}`,
          head: ['Postgres', 'of these indexes', 'Redis'],
          rows: [[bytes.tables, bytes.indexes, bytes.redis].map((value) => String(Math.round(value)))],
        };
        return { tables: [time, room], figures: { operations, bytes } };
      }),
    );
  } finally {
    await grownStack.close();
  }
}

/** Does `work` with engines that hold `count` links in Postgres and Redis. */
async function withSide<Result>(
  stack: BenchStack,
  count: number,
  signal: AbortSignal,
  work: (side: Side) => Promise<Result>,
): Promise<Result> {
  await withProgress(`${count.toLocaleString('en')} links`, 2 * count, async (advance) => {
    await fillLinks(stack.pg, { from: 0, to: count, signal, onStored: advance });
    await publishLinks(stack, { from: 0, to: count, signal, onPublished: advance });
  });
  return withRedis(stack.redisUrl, (redis) => {
    const stores = { redis, postgres: stack.pg, keyPrefix: KEY_PREFIX };
    const resolver = createLinkResolver({ ...stores, now: () => performance.now() });
    return work({ stack, redis, resolver, links: count });
  });
}

type SideName = 'small' | 'grown';

/** Medians of each operation in µs, by round. */
async function measureOperations(
  { sizes: { repeats }, signal }: StackRun<Sizes>,
  sides: Readonly<Record<SideName, Side>>,
  rounds: number,
) {
  const operations = Object.entries(OPERATIONS);
  return withProgress('in turns', operations.length * rounds * 2, async (advance) => {
    const found: Record<string, Readonly<Record<SideName, readonly number[]>>> = {};
    for (const [title, operation] of operations)
      found[title] = await inTurns(['small', 'grown'], { rounds, signal }, async (name) => {
        const timesUs: number[] = [];
        for (let i = 0; i < repeats; i += 1)
          timesUs.push(1_000 * (await timed(() => operation(sides[name]))));
        advance();
        return spread(timesUs).median;
      });
    return found;
  });
}

// Limit of the resolver.
const QUERY_BYTES_MAX = 1024 * 1024;
const BATCH = 100;
/** Above the versions of all stored links. */
let publishedVersion = 1_000_000_000;

/** Operations on random links; they reject on a wrong outcome. */
const OPERATIONS: Readonly<Record<string, (side: Side) => Promise<void>>> = {
  'Postgres: one link': (side) => findMany(side, 1),
  [`Postgres: ${BATCH} links at once`]: (side) => findMany(side, BATCH),
  'Redis: one link': async (side) => {
    const { source } = await side.resolver.resolve(anySlug(side));
    if (source !== 'redis') throw new Error('Redis does not have a link');
  },
  'publish a change to Redis': async (side) => {
    const slug = anySlug(side);
    const version = (publishedVersion += 1);
    const [snapshot] = (await findSnapshots(side.stack.pg, [slug])).values();
    if (snapshot === undefined) throw new Error('Postgres does not have a link');
    await publishSnapshots(side.redis, KEY_PREFIX, new Map([[slug, { ...snapshot, version }]]));
  },
};

const anySlug = ({ links }: Side): string => scatteredSlug(randomInt(links));

async function findMany(side: Side, count: number): Promise<void> {
  const slugs = new Set(Array.from({ length: count }, () => anySlug(side)));
  const found = await findWithin(side.stack.pg, [...slugs], QUERY_BYTES_MAX);
  if (found.size !== slugs.size) throw new Error('Postgres does not have every link');
}

const SIZES = `
select (pg_total_relation_size('smartlinks') + pg_total_relation_size('slugs'))::float8 as tables,
       (pg_indexes_size('smartlinks') + pg_indexes_size('slugs'))::float8 as indexes`;

async function readBytesPerLink({ stack, redis, links }: Side) {
  const { rows } = await stack.pg.query<{ tables: number; indexes: number }>(SIZES);
  const { tables, indexes } = rows[0] ?? { tables: Number.NaN, indexes: Number.NaN };
  const redisBytes = Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1]);
  return { tables: tables / links, indexes: indexes / links, redis: redisBytes / links };
}

export const links = defineBench<Sizes>({
  name: 'links',
  question: 'many links: their cost in Postgres and Redis, memory of a worker, lists of a large account',
  help: `npm run bench -- links [--links N] [--only PART]

growth: look-ups in Postgres and Redis, and publishing, with a million links, in turns with a database of 1,000. memory: a
worker with ever more links, beside its own figure cache_bytes. connections: a worker with 10,000 connections. lists: pages,
searches, the summary and the whole list of an account with 100,000 links. --seconds has no effect, --rounds only on growth
and lists. Needs Linux and wrk (apt-get install wrk). A whole run takes 20 minutes.`,
  whole: { links: 1_000_000, connections: 10_000, repeats: 200, accountLinks: 100_000, callRepeats: 20 },
  smoke: { links: 5_000, connections: 200, repeats: 10, accountLinks: 1_000, callRepeats: 2 },
  options: {
    links: {
      argument: 'N',
      help: 'number of links; ten million need 20 GB of disk and of memory, and hours',
      range: [5_000, 10_000_000],
    },
  },
  parts: {
    growth: (run) => withStack(run, { isPinned: true }, measureGrowth),
    memory: (run) => withStack(run, { isPinned: true }, measureMemory),
    connections: (run) => withStack(run, { isPinned: true }, measureConnections),
    lists: (run) => withStack(run, { isPinned: false }, measureLists),
  },
  needs: 'Linux and wrk',
});

import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBenchStack } from '@smartlink/bench/bench-stack';
import { percentile } from '@smartlink/bench/figures';
import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { linkSlugs } from '../many-links.js';
import type { StackRun } from '../stack-bench.js';
import { BATCH, operations } from './operations.js';
import type { Operation, OperationName } from './operations.js';
import { grow, withSide } from './side.js';
import type { Side } from './side.js';
import { explainFind, readScans, readSizes } from './stored-sizes.js';
import type { PlanStep, StoredSizes, TableScans } from './stored-sizes.js';

export type GrowthSizes = {
  /** Numbers of links, in the order in which the database grows; the first one is what all are compared with. */
  readonly links: readonly number[];
  /** The largest with --full. */
  readonly fullLinks: number;
  /** How often each operation is done in a turn. */
  readonly repeats: number;
};

/** Of one turn of an operation on one side, in µs. */
export type TurnFigures = { readonly p50Us: number; readonly p90Us: number };

export type SizeFindings = {
  readonly links: number;
  readonly operations: Readonly<
    Record<OperationName, Readonly<Record<'small' | 'grown', readonly TurnFigures[]>>>
  >;
  readonly stored: StoredSizes;
};

export type GrowthFindings = {
  readonly sizes: readonly SizeFindings[];
  readonly plans: Readonly<Record<'one' | 'batch', readonly PlanStep[]>>;
  /** While the operations ran on the largest size. */
  readonly scans: readonly TableScans[];
  /** Why the largest size of all was left out; null when it was not. */
  readonly skipped: string | null;
};

/**
 * Lets one database grow and measures each operation on it in turns with one that stays small. Rejects when an
 * operation fails, and on `signal`.
 */
export async function measureGrowth(run: StackRun<GrowthSizes>): Promise<GrowthFindings> {
  const { stack, sizes, signal, isFull } = run;
  const [small = 0, ...larger] = sizes.links;
  const grownStack = await openBenchStack({ report: () => undefined, signal });
  try {
    return await withSide(run, { name: 'small', stack, links: small }, (smallSide) =>
      withSide(run, { name: 'grown', stack: grownStack, links: small }, async (grownSide) => {
        const sides = { small: smallSide, grown: grownSide };
        await warmUp(run, sides);
        const found: SizeFindings[] = [];
        const measure = async (links: number) => {
          await growTo(grownSide, links, signal);
          found.push(await measureSize(run, sides));
        };
        await measure(small);
        for (const links of larger) await measure(links);
        const tooLarge = isFull ? reasonAgainst(found.at(-1), sizes.fullLinks) : 'only with --full';
        if (tooLarge === null) await measure(sizes.fullLinks);
        const skipped =
          tooLarge === null ? null : `${sizes.fullLinks.toLocaleString('en')} links: ${tooLarge}`;
        return { sizes: found, skipped, ...(await readPlans(run, sides)) };
      }),
    );
  } finally {
    await grownStack.close();
  }
}

type Sides = Readonly<Record<'small' | 'grown', Side>>;

async function growTo(side: Side, links: number, signal: AbortSignal): Promise<void> {
  if (side.links >= links) return;
  const title = `${links.toLocaleString('en')} links`;
  await withProgress(title, 2 * (links - side.links), ({ reach }) =>
    grow(side, links, { signal, onStep: reach }),
  );
}

async function warmUp({ sizes, signal }: StackRun<GrowthSizes>, sides: Sides): Promise<void> {
  await withProgress('warm-up', 2 * operations().length, async ({ step }) => {
    for (const operation of operations()) {
      for (const side of [sides.small, sides.grown]) {
        await repeat(operation, side, { repeats: sizes.repeats, round: -1, signal });
        step();
      }
    }
  });
}

async function measureSize(
  { sizes, signal, saved }: StackRun<GrowthSizes>,
  sides: Sides,
): Promise<SizeFindings> {
  const { rounds, repeats } = sizes;
  const { stack, links } = sides.grown;
  return saved.part(`links-${links}`, () =>
    withProgress('in turns', operations().length * rounds * 2, async ({ step }) => {
      const found: [OperationName, object][] = [];
      for (const operation of operations()) {
        const figures = await inTurns(['small', 'grown'], { rounds, signal, onStep: step }, (name, round) =>
          repeat(operation, sides[name], { repeats, round, signal }),
        );
        found.push([operation.name, figures]);
      }
      const stored = await readSizes(stack.pg, stack.redisUrl);
      return { links, stored, operations: Object.fromEntries(found) as SizeFindings['operations'] };
    }),
  );
}

/** What asks several engines is done so many times less often. */
export const SLOW_SHARE = 5;

async function repeat(
  { run, isSlow = false }: Operation,
  side: Side,
  { repeats, round, signal }: { repeats: number; round: number; signal: AbortSignal },
): Promise<TurnFigures> {
  const timesUs: number[] = [];
  const count = isSlow ? Math.ceil(repeats / SLOW_SHARE) : repeats;
  for (let i = 0; i < count; i += 1) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    await run(side, round);
    timesUs.push((performance.now() - startedAt) * 1_000);
  }
  return { p50Us: percentile(timesUs, 0.5), p90Us: percentile(timesUs, 0.9) };
}

// Sessions that have nothing to do tell what they have counted after so long.
const COUNTS_LAG_MS = 11_000;

/** Does every operation some more on the largest size, and looks how its tables were read meanwhile. */
async function readPlans(
  { sizes, signal }: StackRun<GrowthSizes>,
  { grown }: Sides,
): Promise<Pick<GrowthFindings, 'plans' | 'scans'>> {
  const { pg } = grown.stack;
  const slugs = linkSlugs(0, BATCH);
  const plans = { one: await explainFind(pg, slugs.slice(0, 1)), batch: await explainFind(pg, slugs) };
  await sleep(COUNTS_LAG_MS, undefined, { signal });
  const before = await readScans(pg);
  for (const operation of operations())
    await repeat(operation, grown, { repeats: sizes.repeats, round: 1_000, signal });
  await sleep(COUNTS_LAG_MS, undefined, { signal });
  const scans = (await readScans(pg)).map((after, i) => ({
    table: after.table,
    sequential: after.sequential - (before[i]?.sequential ?? 0),
    byIndex: after.byIndex - (before[i]?.byIndex ?? 0),
  }));
  return { plans, scans };
}

// Postgres writes everything twice, tables and log; and who fills a disk or a memory to the brim measures that.
const DISK_FACTOR = 2;
const MEMORY_FACTOR = 1.5;

/** Returns why there is no room for so many links, by what the last size took; null when there is. */
function reasonAgainst(last: SizeFindings | undefined, links: number): string | null {
  if (last === undefined) return 'nothing was measured before';
  const factor = links / last.links;
  const { smartlinksBytes, slugsBytes, redisBytes } = last.stored;
  const disk = statfsSync(tmpdir());
  const lacking = (name: string, free: number, needed: number) =>
    free < needed ? `${gigabytes(needed)} of ${name} are needed and ${gigabytes(free)} are free` : null;
  return (
    lacking('disk', disk.bavail * disk.bsize, DISK_FACTOR * factor * (smartlinksBytes + slugsBytes)) ??
    lacking('memory', freemem(), MEMORY_FACTOR * factor * redisBytes)
  );
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { slope } from '@smartlink/bench/figures';
import { runLoad } from '@smartlink/bench/load';
import type { ServerProcess } from '@smartlink/bench/server-process';
import type { Scenario } from './scenarios.js';
import type { Sizes } from './sizes.js';

export type MemorySample = {
  readonly creates: number;
  readonly heapMib: number;
  readonly rssMib: number;
};

export type MemoryFigures = {
  /** The first sample is before the first create. */
  readonly samples: readonly MemorySample[];
  readonly plannedCreates: number;
  /** MiB per 10,000 creates, over the last four fifths of the run. */
  readonly heapSlope: number;
  readonly rssSlope: number;
  /** null: the run was too short to tell. */
  readonly isFlat: boolean | null;
  /** Rows left in the outbox once the relay had 5 s to remove the last. */
  readonly outboxRows: number;
};

const MIB = 2 ** 20;
// The first fifth warms up: the compiler, pools, the young generation's size.
const WARM_UP_SHARE = 0.2;
/** Heap growth in MiB per 10,000 creates that still is flat: 26 bytes a create, less than the smallest object kept. */
export const FLAT_SLOPE_MAX = 0.25;
// A shorter run is mostly warm-up.
const JUDGED_CREATES_MIN = 50_000;
const OUTBOX_LIMIT_MS = 5_000;

/**
 * Creates links against one process, and weighs it after a forced collection every so many. No step is
 * begun that would most likely end after `endsAt`: a slow machine makes fewer.
 */
export async function measureMemory(options: {
  service: ServerProcess;
  scenario: Scenario;
  pg: Pool;
  sizes: Sizes;
  /** As performance.now() counts. */
  endsAt: number;
  signal: AbortSignal;
  onProgress: (creates: number) => void;
}): Promise<MemoryFigures> {
  const { service, scenario, pg, sizes, endsAt, signal, onProgress } = options;
  const perStep = sizes.memoryCreates / sizes.memorySteps;
  const samples = [await weigh(service, 0)];
  let stepMs = 0;
  for (let step = 1; step <= sizes.memorySteps && performance.now() + stepMs < endsAt; step += 1) {
    const startedAt = performance.now();
    const done = (step - 1) * perStep;
    await runLoad({
      url: service.url,
      connections: scenario.connections,
      requestsOf: (connection) => scenario.requestsOf(connection, step),
      expectedStatus: scenario.expectedStatus,
      requests: perStep,
      signal,
      onProgress: (answered) => {
        onProgress(done + answered);
      },
    });
    samples.push(await weigh(service, done + perStep));
    onProgress(done + perStep);
    stepMs = performance.now() - startedAt;
  }
  return {
    samples,
    plannedCreates: sizes.memoryCreates,
    ...judge(samples),
    outboxRows: await countOutboxRows(pg, signal),
  };
}

async function weigh(service: ServerProcess, creates: number): Promise<MemorySample> {
  const { heapUsedBytes, rssBytes } = await service.probe('after collection');
  return { creates, heapMib: heapUsedBytes / MIB, rssMib: rssBytes / MIB };
}

function judge(samples: readonly MemorySample[]) {
  const creates = samples.at(-1)?.creates ?? 0;
  const warm = samples.filter((sample) => sample.creates >= WARM_UP_SHARE * creates);
  const slopeOf = (valueOf: (sample: MemorySample) => number) =>
    slope(warm.map((sample) => ({ x: sample.creates / 10_000, y: valueOf(sample) })));
  const heapSlope = slopeOf(({ heapMib }) => heapMib);
  const isFlat = creates < JUDGED_CREATES_MIN ? null : heapSlope <= FLAT_SLOPE_MAX;
  return { heapSlope, rssSlope: slopeOf(({ rssMib }) => rssMib), isFlat };
}

async function countOutboxRows(pg: Pool, signal: AbortSignal): Promise<number> {
  const deadline = Date.now() + OUTBOX_LIMIT_MS;
  for (;;) {
    const { rows } = await pg.query<{ count: number }>(
      'select count(*)::integer as count from publish_outbox',
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0 || Date.now() > deadline) return count;
    await sleep(100, undefined, { signal });
  }
}

import type { Mutable, ShipperCounters } from './event-counters.js';
import { sumBytes } from './spool-listing.js';
import type { ListedSegment } from './spool-listing.js';

const MEASURE_EVERY_MS = 1_000;
/** A spool of very many segments is measured less often, so that it takes a twentieth of one core at most. */
const REST_PER_MEASURING = 19;

export type SpoolGauges = {
  /** Takes what somebody else has just found in the folder, in the order in which segments were opened. */
  readonly measured: (files: readonly ListedSegment[]) => void;
  /** Age of the oldest waiting segment now, 0 when nothing waits. */
  readonly oldestSeconds: () => number;
  /** Begins to look by itself about once a second. */
  readonly start: () => void;
  /** Resolves when the folder is left alone. Never rejects. */
  readonly stop: () => Promise<void>;
};

/**
 * Returns what keeps the gauges of the spool true in `counters`, also while the shipper waits for an answer. A look
 * that fails leaves them as they are: the shipper meets the same fault and says so.
 */
export function createSpoolGauges(deps: {
  list: () => Promise<readonly ListedSegment[]>;
  now: () => number;
  counters: Mutable<ShipperCounters>;
}): SpoolGauges {
  const { counters } = deps;
  let oldestOpenedMs: number | null = null;
  let measurings = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  function measured(files: readonly ListedSegment[]): void {
    const waiting = files.filter(isWaiting);
    measurings++;
    counters.spooledSegments = waiting.length;
    counters.spooledBytes = sumBytes(waiting);
    counters.spooledEvents = waiting.reduce(
      (sum, file) => sum + (file.state === 'seg' ? file.rowCount : 0),
      0,
    );
    oldestOpenedMs = waiting[0]?.openedMs ?? null;
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const before = measurings;
    const files = await deps.list().catch(() => null);
    // Who has looked meanwhile has seen more.
    if (files && measurings === before) measured(files);
    if (!isStopped) schedule((performance.now() - startedAt) * REST_PER_MEASURING);
  }

  function schedule(restMs: number): void {
    timer = setTimeout(
      () => {
        looking = look();
      },
      Math.max(MEASURE_EVERY_MS, restMs),
    ).unref();
  }

  return {
    measured,
    oldestSeconds: () => (oldestOpenedMs === null ? 0 : Math.max(0, (deps.now() - oldestOpenedMs) / 1_000)),
    start: () => {
      schedule(0);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Returns whether a segment still has to be sent and has no writer any more. */
export function isWaiting({ state }: ListedSegment): boolean {
  return state === 'seg' || state === 'again';
}

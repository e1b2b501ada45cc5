import { ROUNDS_DEFAULT } from '@smartlink/bench/bench-options';
import type { CommonOptions } from '@smartlink/bench/bench-options';

/** How much a run does. */
export type Sizes = {
  /** In ClickHouse when the API is measured, one after the other. */
  readonly eventsStored: readonly number[];
  readonly shippedEvents: number;
  readonly shippingPairs: number;
  readonly costEvents: number;
  readonly costRounds: number;
  /** Of each request, for one number of connections; in that time there are at least some, and at most some hundred. */
  readonly loadSeconds: number;
  readonly rawPairs: number;
};

/** As the goals say: fifty million events, one link of ten million among them. */
export const EVENTS_DEFAULT = 50_000_000;
export const EVENTS_MIN = 100_000;
export const EVENTS_MAX = 200_000_000;

const SMOKE_SECONDS = 0.2;

/** What an event needs on the disk while it is merged, and what the rest of a run does. */
const DISK_BYTES_PER_EVENT = 100;
const DISK_BYTES_BESIDES = 2 * 2 ** 30;

/** Of each request in a whole run, for one number of connections. */
export const LOAD_SECONDS = 3;

/** Returns the sizes of a run with so many events; growth is looked at from a fiftieth of them on. */
export function sizesFor(events: number, { rounds, seconds, isSmoke }: CommonOptions): Sizes {
  const isWhole = events >= EVENTS_DEFAULT;
  return {
    eventsStored: [Math.round(events / 50), events],
    shippedEvents: isWhole ? 1_000_000 : Math.min(events, 500_000),
    shippingPairs: isSmoke ? 1 : (rounds ?? (isWhole ? ROUNDS_DEFAULT : 1)),
    costEvents: isWhole ? 1_000_000 : 300_000,
    costRounds: isSmoke ? 1 : (rounds ?? (isWhole ? ROUNDS_DEFAULT : 3)),
    loadSeconds: isSmoke ? SMOKE_SECONDS : (seconds ?? (isWhole ? LOAD_SECONDS : 1)),
    rawPairs: isSmoke ? 1 : (rounds ?? (isWhole ? ROUNDS_DEFAULT : 3)),
  };
}

/** Returns how many bytes of disk a run needs. */
export function diskBytes(events: number): number {
  return events * DISK_BYTES_PER_EVENT + DISK_BYTES_BESIDES;
}

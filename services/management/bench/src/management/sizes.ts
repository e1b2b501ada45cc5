import { ROUNDS_DEFAULT } from '@smartlink/bench/bench-options';
import type { CommonOptions } from '@smartlink/bench/bench-options';

/** How much a run does. Times are in seconds of load. */
export type Sizes = {
  readonly pairs: number;
  readonly serviceSeconds: number;
  readonly bareSeconds: number;
  /** Once, before the first scenario: Fastify's bare route takes some 40,000 requests until it is compiled. */
  readonly startSeconds: number;
  readonly warmUpSeconds: number;
  readonly bigUserLinks: number;
  readonly memoryCreates: number;
  readonly memorySteps: number;
  /** How long the run takes at most: what is left of it decides how many creates the memory is measured over. */
  readonly runSecondsMax: number;
  /** What is said at the start; measured on two cores. */
  readonly duration: string;
};

const SMOKE: Sizes = {
  pairs: 1,
  serviceSeconds: 0.1,
  bareSeconds: 0.1,
  startSeconds: 0.2,
  warmUpSeconds: 0.1,
  bigUserLinks: 1_000,
  memoryCreates: 300,
  memorySteps: 3,
  runSecondsMax: 60,
  duration: 'half a minute',
};

/** Returns how much a run with these options does. */
export function sizesFor({ common, isQuick }: SizeOptions): Sizes {
  if (common.isSmoke) return SMOKE;
  const sizes = isQuick ? QUICK : FULL;
  const factor = common.seconds === null ? 1 : common.seconds / sizes.serviceSeconds;
  return {
    ...sizes,
    pairs: common.rounds ?? sizes.pairs,
    serviceSeconds: sizes.serviceSeconds * factor,
    bareSeconds: sizes.bareSeconds * factor,
  };
}

type SizeOptions = { readonly common: CommonOptions; readonly isQuick: boolean };

export const FULL: Sizes = {
  pairs: ROUNDS_DEFAULT,
  serviceSeconds: 1.6,
  bareSeconds: 1.2,
  startSeconds: 4,
  warmUpSeconds: 1,
  bigUserLinks: 100_000,
  memoryCreates: 100_000,
  memorySteps: 10,
  runSecondsMax: 580,
  duration: '6 to 10 minutes',
};

const QUICK: Sizes = {
  pairs: ROUNDS_DEFAULT,
  serviceSeconds: 0.4,
  bareSeconds: 0.3,
  startSeconds: 2,
  warmUpSeconds: 0.3,
  bigUserLinks: 20_000,
  memoryCreates: 3_000,
  memorySteps: 3,
  runSecondsMax: 85,
  duration: 'a minute or so',
};

/** Links of the user whose list is fetched whole (the goal says how many). */
export const LISTED_LINKS = 10_000;
/** Links of the user that the one with many links is compared with. */
export const SMALL_USER_LINKS = 100;
export const VISITS_PER_LINK = 10;

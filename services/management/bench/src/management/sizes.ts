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

export const FULL: Sizes = {
  pairs: 7,
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

export const QUICK: Sizes = {
  pairs: 5,
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

import type { RedirectProcess } from '../redirect-process.js';

export type ColdSizes = {
  readonly storedLinks: number;
  /** In Redis, and too many for the memory of the process that is asked for them. */
  readonly redisLinks: number;
  /** Visits in a phase of the client that counts them. */
  readonly countedVisits: number;
  /** Visits of each kind in a round, one at a time. */
  readonly loneVisits: number;
  /** Pages that nobody has seen, in a round. */
  readonly firstPages: number;
};

/** The services of a run; one each, so that the counts of each say what its visits were answered from. */
export type ColdServices = Readonly<
  Record<'hot' | 'redis' | 'postgres' | 'unknown' | 'pages', RedirectProcess>
>;

/** Pages stand behind the Url links. */
export const pageNumber = (sizes: ColdSizes, page: number): number => sizes.storedLinks + page;

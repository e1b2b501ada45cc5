/** One of the project's promises, and the bound by which it is kept or broken. */
export type ReliabilityPromise = {
  /** E: events. C: changes. F: the checkers and restarts. S: privacy. */
  readonly id: string;
  readonly goal: string;
  readonly bound: string;
};

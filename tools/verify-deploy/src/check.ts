/** What came of a check. A problem is a sentence a person can act on; a figure says what was looked at, and how much. */
export type Outcome =
  | { readonly kind: 'held'; readonly figure: string }
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  /** The machine lacks what it takes: `reason` names it, and what would help. */
  | { readonly kind: 'skipped'; readonly reason: string };

export type CheckContext = {
  /** The checkout. A check writes nothing into it. */
  readonly root: string;
  /** An empty folder of this check's own, removed after it. */
  readonly folder: string;
  /** Tells what is under way. Anything that takes over a second says so. */
  readonly report: (line: string) => void;
  /** Aborts when the run is interrupted: a check then stops what it has started, and rejects. */
  readonly signal: AbortSignal;
};

export type Check = {
  /** What `--only` takes: lower case, with hyphens. */
  readonly id: string;
  /** What is shown when it holds, as a sentence without a full stop. */
  readonly title: string;
  /** Does the check and stops whatever it has started. What it throws counts as a failure. */
  readonly run: (context: CheckContext) => Promise<Outcome>;
};

/** Returns that all is well when there are no problems, else the problems. */
export function outcomeOf(problems: readonly string[], figure: string): Outcome {
  return problems.length === 0 ? { kind: 'held', figure } : { kind: 'failed', problems };
}

import type { Settings } from './settings.js';
import type { Target } from './target.js';

/** What a scenario's own part of the launcher has while k6 runs. */
export type RunningLoad = {
  readonly target: Target;
  readonly settings: Settings;
  /** Resolves when the load has run for so many seconds; rejects when the run is over or is stopped before. */
  readonly at: (seconds: number) => Promise<void>;
  /** Says a line above the progress. */
  readonly say: (line: string) => void;
};

/** Runs beside k6. Whatever it has stopped it starts again, also when `at` rejects. */
export type During = (load: RunningLoad) => Promise<void>;

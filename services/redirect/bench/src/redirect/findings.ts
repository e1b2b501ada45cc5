import type { OpenLoopFigures } from '../open-loop.js';
import type { VisitLoad } from '../visit-load.js';
import type { ProfileEntry } from './perf-report.js';

/** Who is measured; `against` is the service of another checkout. */
export type Contender = 'bare' | 'same bytes' | 'nginx' | 'service' | 'against';

/** What a contender came to, round by round. */
export type Rounds<Figures> = Readonly<Partial<Record<Contender, readonly Figures[]>>>;

export type MixFindings = {
  readonly name: string;
  readonly title: string;
  readonly rounds: Rounds<VisitLoad>;
};

export type LatencyFigures = {
  readonly connections: number;
  readonly loads: readonly {
    readonly title: string;
    readonly perSecond: number;
    readonly rounds: Rounds<OpenLoopFigures>;
  }[];
};

export type ProfileFigures = {
  /** Shares of the worker's processor time, 0 to 1. */
  readonly groups: readonly { readonly group: string; readonly share: number }[];
  /** The greatest first. */
  readonly functions: readonly ProfileEntry[];
};

/** Visits and events of one service over the whole run. */
export type Account = {
  readonly service: string;
  /** Answers that the clients have counted, and at most so many more that were under way when they stopped. */
  readonly requests: number;
  readonly underWayMax: number;
  readonly redirects: number;
  readonly acceptedEvents: number;
  readonly writtenEvents: number;
  readonly droppedEvents: number;
};

/** All that a run found; what was left out is missing, and why is said in `skipped`. */
export type Findings = {
  readonly machine: string;
  readonly cores: string;
  readonly date: string;
  readonly sizes: { readonly rounds: number; readonly seconds: number };
  readonly requestBytes: number;
  readonly skipped: readonly string[];
  readonly ceiling: Rounds<VisitLoad> | null;
  readonly mixes: readonly MixFindings[] | null;
  readonly latency: LatencyFigures | null;
  readonly profile: ProfileFigures | null;
  readonly accounts: readonly Account[];
};

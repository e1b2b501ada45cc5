import type { BenchStack } from '@smartlink/bench/bench-stack';
import type { Cores } from '@smartlink/bench/machine';
import type { SavedParts } from '@smartlink/bench/saved-parts';
import type { VisitLoad } from '../visit-load.js';
import type { NamedMix } from './mixes.js';
import type { Options } from './options.js';
import type { Target } from './servers.js';
import type { Servers } from './start-servers.js';

export type RunOptions = {
  readonly options: Options;
  /** PATH: where programs are looked for. */
  readonly searchPath: string | undefined;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
};

/** What the parts of a run work on. */
export type Bench = RunOptions & {
  readonly stack: BenchStack;
  readonly cores: Cores;
  readonly servers: Servers;
  readonly mixes: readonly NamedMix[];
  /** Asks a server for redirects as fast as it goes, and keeps the account of it. */
  readonly load: (target: Target, mix: NamedMix, seconds: number) => Promise<VisitLoad>;
  /** Adds visits that were made in another way to the account; all of them were answered. */
  readonly count: (target: Target, visits: number) => void;
  readonly saved: SavedParts;
};

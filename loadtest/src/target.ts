import type { Engines } from './engines.js';
import type { Progress } from './progress.js';
import type { Settings } from './settings.js';

/** The stack that is put under load. */
export type Target = {
  /** Public address of the smartlinks, without a slash at its end. */
  readonly publicUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Null where only visits and the API are known. */
  readonly clickhouseUrl: string | null;
  readonly metricsUrl: string | null;
  /** Null for a stack that runs by itself. */
  readonly own: OwnParts | null;
  /** Resolves with what to say when a part of it ends by itself; never for a stack that runs by itself. */
  readonly failed: Promise<string>;
  /** Stops and removes what was started for it. Safe to call again. */
  readonly stop: () => Promise<void>;
};

export type OwnParts = {
  readonly engines: Engines;
  /** For the admin command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly email: string;
};

export type OwnStackOptions = {
  readonly settings: Settings;
  /** Whether engines are to be stopped and started one by one. */
  readonly hasGates: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

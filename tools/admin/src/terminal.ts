import type { Env } from './addresses.js';

/** What the command needs of the process around it. */
export type Terminal = {
  /** As process.argv: node, script, arguments. */
  readonly argv: readonly string[];
  readonly env: Env;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves once standard output takes more without keeping it in memory; false when nobody reads it any longer. */
  readonly stdoutReady: () => Promise<boolean>;
  /** A person is there to be asked. */
  readonly isTerminal: boolean;
  readonly isStdoutTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** Has `listener` called at Ctrl-C, and when the process is asked to end, instead of ending the process, until what is returned is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly columns: number | undefined;
};

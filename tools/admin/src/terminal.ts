import type { Env } from './addresses.js';

/** What the command needs of the process around it. */
export type Terminal = {
  /** As process.argv: node, script, arguments. */
  readonly argv: readonly string[];
  readonly env: Env;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** A person is there to be asked. */
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
};

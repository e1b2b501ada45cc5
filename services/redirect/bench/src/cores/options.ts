import { parseArgs } from 'node:util';
import {
  COMMON_ARGS,
  COMMON_HELP,
  ROUNDS_DEFAULT,
  pageFolderOf,
  readCommon,
  readValues,
} from '@smartlink/bench/bench-options';
import type { Problem } from '@smartlink/bench/bench-options';

export type Options = {
  readonly rounds: number;
  /** Of load in each measurement. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly resumes: boolean;
  /** Where the page goes; null: nowhere. */
  readonly pageFolder: string | null;
};

const SECONDS_DEFAULT = 5;
const WARM_UP_SECONDS = 4;

export const HELP = `npm run bench -- cores

What a second process of the redirect service brings: the service with one and with two processes under the same load, in
turns. Nothing is pinned, so on two cores client and processes share them; what a process can do by itself is told by its
processor time a visit. Needs Linux and wrk (apt-get install wrk). A whole run takes about two minutes and writes
docs/benchmarks/cores.md.

${COMMON_HELP}`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() => parseArgs({ args: [...args], options: COMMON_ARGS }));
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const common = readCommon(values);
  if ('problem' in common) return common;
  return {
    rounds: common.isSmoke ? 1 : (common.rounds ?? ROUNDS_DEFAULT),
    // wrk takes whole seconds.
    seconds: common.isSmoke ? 1 : Math.max(1, Math.round(common.seconds ?? SECONDS_DEFAULT)),
    warmUpSeconds: common.isSmoke ? 1 : WARM_UP_SECONDS,
    resumes: common.resumes,
    pageFolder: pageFolderOf(common, { isWhole: true, seconds: SECONDS_DEFAULT }),
  };
}

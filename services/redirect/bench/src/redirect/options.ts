import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  COMMON_ARGS,
  COMMON_HELP,
  ROUNDS_DEFAULT,
  pageFolderOf,
  readCommon,
  readParts,
  readValues,
} from '@smartlink/bench/bench-options';
import type { Problem } from '@smartlink/bench/bench-options';

/** The parts of a run, in their order. */
export const PARTS = ['ceiling', 'mixes', 'latency', 'profile'] as const;

export type Part = (typeof PARTS)[number];

export type Sizes = {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly manyLinks: number;
  readonly latencyConnections: number;
  readonly profileSeconds: number;
};

export type Options = {
  readonly sizes: Sizes;
  readonly parts: readonly Part[];
  /** Another built checkout of the project, measured beside this one; null: none. */
  readonly against: string | null;
  readonly resumes: boolean;
  /** Where the page goes; null: nowhere. */
  readonly pageFolder: string | null;
};

/** wrk takes whole seconds. */
export const SECONDS_DEFAULT = 3;

const WHOLE = { warmUpSeconds: 4, manyLinks: 10_000, latencyConnections: 500, profileSeconds: 10 };
const SMOKE: Sizes = {
  rounds: 1,
  seconds: 1,
  warmUpSeconds: 1,
  manyLinks: 200,
  latencyConnections: 50,
  profileSeconds: 2,
};

export const HELP = `npm run bench -- redirect [--only PART] [--against FOLDER]

What a redirect costs with everything on, from a real process with Redis, Postgres and a spool on the disk: requests a
second, processor time a request and latency at half load, each in turns with a bare uWebSockets.js handler, one that
answers our bytes, and nginx, on one core of their own. Needs Linux and wrk; nginx and perf, which says where the time
goes, are left out where they are missing (apt-get install wrk nginx-light linux-perf). A whole run takes some 8 minutes
and writes docs/benchmarks/redirect.md.

  --only PART  one part, or several when given again; writes nothing
               ${PARTS.join(', ')}
  --against FOLDER
               another checkout of the project, built; its service is measured in turns with this one
${COMMON_HELP}`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({
      args: [...args],
      options: {
        ...COMMON_ARGS,
        only: { type: 'string', multiple: true },
        against: { type: 'string' },
      },
    }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const common = readCommon(values);
  if ('problem' in common) return common;
  const only = readParts(PARTS, values.only);
  if (only !== null && 'problem' in only) return only;
  const sizes = {
    ...WHOLE,
    rounds: common.rounds ?? ROUNDS_DEFAULT,
    seconds: Math.max(1, Math.round(common.seconds ?? SECONDS_DEFAULT)),
  };
  return {
    sizes: common.isSmoke ? SMOKE : sizes,
    parts: only ?? PARTS,
    against: values.against === undefined ? null : path.resolve(values.against),
    resumes: common.resumes,
    pageFolder: pageFolderOf(common, { isWhole: only === null, seconds: SECONDS_DEFAULT }),
  };
}

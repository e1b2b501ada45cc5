import { parseArgs } from 'node:util';
import {
  COMMON_ARGS,
  COMMON_HELP,
  pageFolderOf,
  readCommon,
  readParts,
  readValues,
} from '@smartlink/bench/bench-options';
import type { CommonOptions, Problem } from '@smartlink/bench/bench-options';
import { FULL } from './sizes.js';

/** The parts of a run; the names of scenarios are parts too. */
export const PARTS = [
  'validate',
  'not-found',
  'fetch',
  'list-100',
  'list-10000',
  'create-url',
  'create-txtbin',
  'create-qrmenu',
  'patch',
  'big-list',
  'statements',
  'memory',
] as const;

export type Part = (typeof PARTS)[number];

export type Options = {
  readonly common: CommonOptions;
  readonly isQuick: boolean;
  /** null: all of them. */
  readonly only: readonly Part[] | null;
  /** Folder for a profile of the service, which node writes when it ends; null: none. */
  readonly profileFolder: string | null;
  /** Where the page goes; null: nowhere. */
  readonly pageFolder: string | null;
};

export const HELP = `npm run bench -- [management] [--quick] [--only NAME] [--cpu-prof FOLDER]

What the management API costs, on engines and processes of its own: requests a second, p50, p99 and processor time
against a bare Fastify route that answers the same bytes, in turns; statements a request; one page of many links;
memory over many creates. A whole run writes docs/benchmarks/management.md.

  --quick            smaller and shorter; writes nothing
  --only NAME        one part, or several when given again; writes nothing
                     ${PARTS.slice(0, 6).join(', ')},
                     ${PARTS.slice(6).join(', ')}
  --cpu-prof FOLDER  has node write a profile of the service there
${COMMON_HELP}`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({
      args: [...args],
      options: {
        ...COMMON_ARGS,
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        'cpu-prof': { type: 'string' },
      },
    }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const common = readCommon(values);
  if ('problem' in common) return common;
  const only = readParts(PARTS, values.only);
  if (only !== null && 'problem' in only) return only;
  const isWhole = only === null && !values.quick;
  return {
    common,
    isQuick: values.quick,
    only,
    profileFolder: values['cpu-prof'] ?? null,
    pageFolder: pageFolderOf(common, { isWhole, seconds: FULL.serviceSeconds }),
  };
}

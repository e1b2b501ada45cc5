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
import { EVENTS_DEFAULT, EVENTS_MAX, EVENTS_MIN, LOAD_SECONDS } from './sizes.js';

/** The parts of a run, in their order. */
export const PARTS = ['cost', 'ship', 'api'] as const;

export type Part = (typeof PARTS)[number];

export type Options = {
  readonly common: CommonOptions;
  readonly events: number;
  /** null: all of them. */
  readonly only: readonly Part[] | null;
  /** Where the page goes; null: nowhere. */
  readonly pageFolder: string | null;
};

export const HELP = `npm run bench -- analytics [--events N] [--only PART]

What it costs to take visits in and to answer for them, on engines and processes of its own: events a second through
the spool into ClickHouse on one core, beside JSON inserts; processor time of an event in the redirect process; with 50
million events stored, analytics, summary, list and fetch over HTTP, the rollup, bytes on the disk, and the same
questions on raw rows. A whole run takes some 12 minutes and writes docs/benchmarks/analytics.md.

  --events N   events stored, ${EVENTS_MIN.toLocaleString('en')} to ${EVENTS_MAX.toLocaleString('en')} (default ${EVENTS_DEFAULT.toLocaleString('en')}); with fewer than that the other
               parts are smaller too, and nothing is written. 1000000 takes a minute or two
  --only PART  one part, or several when given again; writes nothing
               ${PARTS.join(', ')}
${COMMON_HELP}`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({
      args: [...args],
      options: {
        ...COMMON_ARGS,
        events: { type: 'string' },
        only: { type: 'string', multiple: true },
      },
    }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const common = readCommon(values);
  if ('problem' in common) return common;
  const asked = values.events ?? String(common.isSmoke ? EVENTS_MIN : EVENTS_DEFAULT);
  const events = Number(asked.replaceAll(/[_,]/g, ''));
  if (!Number.isInteger(events) || events < EVENTS_MIN || events > EVENTS_MAX) {
    return { problem: `--events must be a number from ${EVENTS_MIN} to ${EVENTS_MAX}.` };
  }
  const only = readParts(PARTS, values.only);
  if (only !== null && 'problem' in only) return only;
  const isWhole = only === null && events >= EVENTS_DEFAULT;
  return { common, events, only, pageFolder: pageFolderOf(common, { isWhole, seconds: LOAD_SECONDS }) };
}

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
  readonly entries: number;
  readonly rounds: number;
  /** Where the page goes; null: nowhere. */
  readonly pageFolder: string | null;
};

export const ENTRIES_DEFAULT = 1_000_000;
const ENTRIES_MAX = 4_000_000;
const ENTRIES_SMOKE = 20_000;

export const HELP = `npm run bench -- blocklist [--entries N]

What the blocklist of URL safety costs: a look-up, memory, and how long the event loop stands still while a changed list
is read again. Needs no engines, some 20 seconds. A run over a million entries writes docs/benchmarks/blocklist.md.
Look-ups are compared with those of a Set of strings.

  --entries N  hosts and URLs in the list, 1,000 to 4,000,000 (default 1,000,000); another number writes nothing
${COMMON_HELP}`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({
      args: [...args],
      options: {
        ...COMMON_ARGS,
        entries: { type: 'string' },
      },
    }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const common = readCommon(values);
  if ('problem' in common) return common;
  const entries = Number(values.entries ?? (common.isSmoke ? ENTRIES_SMOKE : ENTRIES_DEFAULT));
  const isValid = Number.isInteger(entries) && entries >= 1_000 && entries <= ENTRIES_MAX;
  if (!isValid) return { problem: `--entries must be a whole number from 1,000 to 4,000,000.` };
  const rounds = common.rounds ?? (common.isSmoke ? 1 : ROUNDS_DEFAULT);
  return {
    entries,
    rounds,
    pageFolder: pageFolderOf(common, { isWhole: entries === ENTRIES_DEFAULT, seconds: 0 }),
  };
}

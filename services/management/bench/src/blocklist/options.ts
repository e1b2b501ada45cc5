import { parseArgs } from 'node:util';
import { readValues } from '@smartlink/bench/bench-options';
import type { Problem } from '@smartlink/bench/bench-options';

export type Options = { readonly entries: number };

export const ENTRIES_DEFAULT = 1_000_000;
const ENTRIES_MAX = 4_000_000;

export const HELP = `npm run bench -- blocklist [--entries N]

What the blocklist of URL safety costs: a look-up, memory, and how long the event loop stands still while a changed list
is read again. Needs no engines, some 20 seconds. A run over a million entries writes docs/benchmarks/blocklist.md.

  --entries N  hosts and URLs in the list, 1,000 to 4,000,000 (default 1,000,000); another number writes nothing
  --help       this`;

/** Returns what the arguments ask for: options, `'help'`, or a line that says what is wrong with them. */
export function readOptions(args: readonly string[]): Options | 'help' | Problem {
  const values = readValues(() =>
    parseArgs({
      args: [...args],
      options: {
        entries: { type: 'string', default: String(ENTRIES_DEFAULT) },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }),
  );
  if ('problem' in values) return values;
  if (values.help) return 'help';
  const entries = Number(values.entries);
  const isValid = Number.isInteger(entries) && entries >= 1_000 && entries <= ENTRIES_MAX;
  return isValid ? { entries } : { problem: `--entries must be a whole number from 1,000 to 4,000,000.` };
}

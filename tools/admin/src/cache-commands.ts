import type { Command } from 'commander';
import { verifyCache } from './cache-verify.js';
import { warmCache } from './cache-warm.js';
import { examples } from './examples.js';
import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';
import { isUuid } from './uuid.js';

const RATE_DEFAULT = 5_000;

/** Adds `cache warm|verify`. */
export function addCacheCommands(program: Command, terminal: Terminal): void {
  const cache = program.command('cache').description('what Redis holds of the smartlinks');
  cache
    .command('warm')
    .description('publish smartlinks from Postgres to Redis, newest first')
    .option('--limit <n>', 'only so many smartlinks')
    .option('--rate <n>', 'addresses a second at most', String(RATE_DEFAULT))
    .option('--after <id>', 'go on behind this smartlink, as an interrupted run has said')
    .option('--json', 'print {"smartlinks","addresses","unreadable"}')
    .addHelpText(
      'after',
      `
Never needed for visitors to be served: what is not in Redis comes from Postgres. It spares Postgres that. What Redis has
as new or newer stays, so it may run beside live traffic. Snapshots stay in Redis for 24 hours.
${examples('cache warm', 'cache warm --limit 100000 --rate 2000')}`,
    )
    .action((options: { limit?: string; rate: string; after?: string; json?: true }) =>
      warmCache(terminal, {
        limit: options.limit === undefined ? null : readCount('--limit', options.limit),
        rate: readCount('--rate', options.rate),
        after: readId(options.after),
        json: options.json === true,
      }),
    );
  cache
    .command('verify')
    .description('compare Redis with Postgres, and say what is wrong')
    .option('--sample <n>', 'only so many addresses, by chance')
    .option('--repair', 'put right what is wrong')
    .option(
      '--json',
      'print {"checked","right","missing","changing","older","newer","different","damaged","unknown","unreadable","repaired"}',
    )
    .addHelpText(
      'after',
      `
What is not in Redis is no fault: visits fill it in. What seems wrong is looked at again a moment later, so that changes
which happen meanwhile are not told. Without --sample it also looks for addresses that Redis knows and Postgres does not,
as after a restore. Ends with 1 when something is wrong and was not repaired.
${examples('cache verify', 'cache verify --sample 10000', 'cache verify --repair')}`,
    )
    .action((options: { sample?: string; repair?: true; json?: true }) =>
      verifyCache(terminal, {
        sample: options.sample === undefined ? null : readCount('--sample', options.sample),
        repair: options.repair === true,
        json: options.json === true,
      }),
    );
}

function readCount(option: string, text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count === 0) {
    throw new Problem(`${option} ${JSON.stringify(text)}: expected a whole number from 1 to 999999999.`);
  }
  return count;
}

function readId(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!isUuid(text)) throw new Problem(`--after ${JSON.stringify(text)}: expected the id of a smartlink.`);
  return text;
}

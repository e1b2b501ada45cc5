import type { Command } from 'commander';
import { examples } from './examples.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { countActive, makeDue } from './safety-queries.js';
import { withSession } from './session.js';
import type { Terminal } from './terminal.js';
import { findUser } from './user-commands.js';

const MINUTES_DEFAULT = 15;
const MINUTES_MAX = 1_440;
// Rows that are locked at once: some tens of milliseconds.
const SLICE_LINKS = 5_000;
const LINKS = { name: 'smartlinks', size: 1 };

/** Adds `safety recheck`. */
export function addSafetyCommands(program: Command, terminal: Terminal): void {
  const safety = program.command('safety').description('what the safety provider says of URLs');
  safety
    .command('recheck')
    .description('have the URLs of all active smartlinks judged again soon, and not within a day')
    .option('--email <address>', 'only those of this user')
    .option(
      '--minutes <n>',
      `over how long they are spread, from a minute after now on, up to ${MINUTES_MAX}`,
      String(MINUTES_DEFAULT),
    )
    .option('--json', 'print {"smartlinks"}')
    .addHelpText(
      'after',
      `
The management service judges them as they come due, where it has a SAFETY_PROVIDER, and pauses links that have unsafe
URLs. After a change of a blocklist the minute gives every process the time to read it (SAFETY_BLOCKLIST_RELOAD_SECONDS).
Mind the limits of a service that is asked over the network: Web Risk takes 6,000 URLs a minute.
${examples('safety recheck', 'safety recheck --email ann@example.com --minutes 0')}`,
    )
    .action((options: RecheckOptions) => recheck(terminal, options));
}

type RecheckOptions = { email?: string; minutes: string; json?: true };

async function recheck(terminal: Terminal, options: RecheckOptions): Promise<void> {
  const minutes = readMinutes(options.minutes);
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  let smartlinks = 0;
  try {
    await withSession(terminal.env, async ({ db }) => {
      const userId = options.email === undefined ? null : (await findUser(db, options.email)).id;
      const progress = showProgress(terminal, 'Making due', await countActive(db, userId), LINKS);
      try {
        let last: string | null = null;
        do {
          if (interrupt.signal.aborted) {
            throw new Problem(
              `Interrupted: ${plural(smartlinks, 'smartlink')} are due to be judged again soon.`,
            );
          }
          const ids = await makeDue(db, { userId, after: last, limit: SLICE_LINKS, minutes });
          smartlinks += ids.length;
          progress.add(ids.length);
          last = ids.length < SLICE_LINKS ? null : (ids.at(-1) ?? null);
        } while (last !== null);
      } finally {
        progress.stop();
      }
    });
  } finally {
    stopListening();
  }
  terminal.stdout(
    options.json
      ? `${JSON.stringify({ smartlinks })}\n`
      : `The URLs of ${plural(smartlinks, 'smartlink')} are due to be judged again, the last in ${plural(minutes + 1, 'minute')}. ` +
          'Only a management service that runs with a SAFETY_PROVIDER other than none judges them.\n',
  );
}

function readMinutes(text: string): number {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : MINUTES_MAX + 1;
  if (minutes > MINUTES_MAX) {
    throw new Problem(`--minutes ${JSON.stringify(text)}: expected a whole number from 0 to ${MINUTES_MAX}.`);
  }
  return minutes;
}

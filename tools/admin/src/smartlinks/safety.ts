import type { Command } from 'commander';
import type { QueryResult } from 'pg';
import { findUser } from '../accounts/find-user.js';
import { addAccountOption, readCount } from '../cli/options.js';
import { print, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { withSession } from '../engines/session.js';

const MINUTES_MAX = 1_440;
const readMinutes = (text: string): number => readCount('--minutes', text, 0, MINUTES_MAX);
// Rows that are locked at once: some tens of milliseconds.
const SLICE_LINKS = 5_000;
// Web Risk takes 6,000 URLs a minute.
const LINKS_A_MINUTE = 6_000;
const DEFAULT_MINUTES_MAX = 15;

export function addSafetyCommands(program: Command, terminal: Terminal): void {
  const safety = program.command('safety').description('check URLs with the safety provider');
  addAccountOption(safety.command('recheck'), 'only smartlinks of this user')
    .description('check the URLs of all active smartlinks again soon instead of within a day')
    .option(
      '--minutes <n>',
      `minutes over which the checks are spread, up to ${MINUTES_MAX}; default: one for each full ${LINKS_A_MINUTE} smartlinks, ${DEFAULT_MINUTES_MAX} at most`,
      readMinutes,
    )
    .option('-j, --json', 'print {"smartlinks"}')
    .addHelpText(
      'after',
      `
The management service checks the URLs as they become due if it has a SAFETY_PROVIDER, and pauses links with unsafe URLs.
After a change of a blocklist it does so by itself. Mind the limits of a provider that is queried over the network: Web
Risk takes 6,000 URLs a minute.
${examples('safety recheck', 'safety recheck --account ann@example.com --minutes 0')}`,
    )
    .action((options: RecheckOptions) => recheck(terminal, options));
}

type RecheckOptions = { account?: string; minutes?: number; json?: true };

async function recheck(terminal: Terminal, { account, json, ...given }: RecheckOptions): Promise<void> {
  let smartlinks = 0;
  let minutes = given.minutes ?? 0;
  await whileListening(
    terminal,
    () => `: ${plural(smartlinks, 'smartlink')} are due to be judged again soon.`,
    (signal) =>
      withSession(terminal.env, async ({ db }) => {
        const userId = account === undefined ? null : (await findUser(db, account)).id;
        const { rows } = await db.query<{ total: number }>(COUNT_ACTIVE, [userId]);
        const total = rows[0]?.total ?? 0;
        minutes = given.minutes ?? Math.min(DEFAULT_MINUTES_MAX, Math.floor(total / LINKS_A_MINUTE));
        await withProgress(terminal, { doing: 'Making due', total, unit: 'smartlinks' }, async (add) => {
          let last: string | null = null;
          do {
            signal.throwIfAborted();
            const due: QueryResult<{ id: string }> = await db.query(MAKE_DUE, [
              userId,
              last,
              SLICE_LINKS,
              minutes,
            ]);
            const made = due.rows.length;
            smartlinks += made;
            add(made);
            last = made < SLICE_LINKS ? null : (due.rows.at(-1)?.id ?? null);
          } while (last !== null);
        });
      }),
  );
  print(
    terminal,
    json,
    { smartlinks },
    `The URLs of ${plural(smartlinks, 'smartlink')} are due to be judged again, ${minutes === 0 ? 'at once' : `the last in ${plural(minutes, 'minute')}`}. ` +
      'Only a management service that runs with a SAFETY_PROVIDER other than none judges them.\n',
  );
}

const COUNT_ACTIVE = `
select count(*)::integer as total from smartlinks where status = 'Active' and ($1::uuid is null or user_id = $1)`;

// The next smartlinks after an id become due within $4 minutes, unless they are due earlier.
// Locked in the order of ids, as everywhere.
const MAKE_DUE = `
with slice as (
  select id from smartlinks
  where status = 'Active' and ($1::uuid is null or user_id = $1) and ($2::uuid is null or id > $2)
  order by id
  limit $3
  for no key update
), moved as (
  update smartlinks
  set urls_check_due_at = least(urls_check_due_at, now() + interval '1 minute' * random() * $4::integer)
  from slice
  where smartlinks.id = slice.id
)
select id from slice order by id`;

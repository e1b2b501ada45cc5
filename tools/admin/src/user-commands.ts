import { randomUUID } from 'node:crypto';
import { FORGOTTEN_HOURS } from '@smartlink/visit-analytics/forgotten-visits';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { addAuditEntry, wasUser } from './audit-queries.js';
import { confirm } from './confirm.js';
import { eraseUser } from './erase-user.js';
import { examples } from './examples.js';
import { hideKey } from './hide-keys.js';
import { createKey } from './keys.js';
import { LIMIT_MAX, readLimit } from './list-limit.js';
import { DEFAULT_PLAN, findPlanName } from './plans.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { findUserRow, insertUser, listUsers, lockUser, setPlan } from './queries.js';
import type { UserRow } from './queries.js';
import { inTransaction, withSession } from './session.js';
import { formatTable, formatTime } from './table.js';
import type { Terminal } from './terminal.js';
import { isUuid } from './uuid.js';

const EMAIL_LENGTH_MAX = 254;

/** Adds `users create|list|set-plan|delete`. */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('the people whose smartlinks these are');
  users
    .command('create')
    .description('make a user and their first API key, which is shown this once')
    // Not requiredOption: that is looked at before a mistyped --emial is, and tells the wrong fault.
    .option('--email <address>', 'address of the user, needed; one user an address')
    .option('--plan <name>', 'name of a plan, see plans list', DEFAULT_PLAN)
    .option('--json', 'print {"userId","email","plan","apiKey"}')
    .addHelpText(
      'after',
      examples(
        'users create --email ann@example.com',
        'users create --email ann@example.com --plan Professional --json',
      ),
    )
    .action((options: CreateOptions) => createUser(terminal, options));
  users
    .command('list')
    .description('list the users by address')
    .option('--after <address>', 'only who comes after this address: the next page')
    .option('--limit <n>', `most users to list, up to ${LIMIT_MAX}`, '100')
    .option('--json', 'print an array')
    .addHelpText('after', examples('users list', 'users list --after ann@example.com --limit 1000 --json'))
    .action((options: ListOptions) => list(terminal, options));
  users
    .command('set-plan')
    .description('give a user another plan; it holds within a second')
    .argument('<user>', 'id or address')
    .argument('<plan>', 'name of a plan, see plans list')
    .option('--json', 'print {"userId","email","plan"}')
    .addHelpText('after', examples('users set-plan ann@example.com Starter'))
    .action((user: string, plan: string, options: { json?: true }) =>
      changePlan(terminal, user, plan, options),
    );
  users
    .command('delete')
    .description('delete a user for good: smartlinks, keys and events; the addresses stay taken')
    .argument('<user>', 'id or address; the id again when the events of a deleted user are left')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"userId","email","slugs","tombstonesPublished"}')
    .addHelpText(
      'after',
      examples('users delete ann@example.com', 'users delete ann@example.com --yes --json'),
    )
    .action((user: string, options: { yes?: true; json?: true }) => deleteUser(terminal, user, options));
}

type CreateOptions = { email?: string; plan: string; json?: true };

async function createUser(terminal: Terminal, options: CreateOptions): Promise<void> {
  if (options.email === undefined) {
    throw new Problem('--email <address> is missing: whose user is it to be?');
  }
  const email = readAddress('--email', options.email);
  const created = await withSession(terminal.env, async ({ db }) => {
    const plan = await findPlanName(db, options.plan);
    return inTransaction(db, async () => {
      const userId = randomUUID();
      if (!(await insertUser(db, { id: userId, email, plan }))) {
        throw new Problem(`There is a user ${email} already: keys create makes another key for them.`);
      }
      await addAuditEntry(db, 'user.create', userId, { plan });
      const { apiKey } = await createKey(db, { userId, name: 'first key', expiresAt: null });
      return { userId, email, plan, apiKey };
    });
  });
  if (options.json) {
    terminal.stdout(`${JSON.stringify(created)}\n`);
    return;
  }
  terminal.stdout(
    `Created ${created.email} (${created.plan}), id ${created.userId}.\nAPI key, shown only now:\n\n  ${created.apiKey}\n`,
  );
}

function readAddress(option: string, text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) || text.length > EMAIL_LENGTH_MAX) {
    throw new Problem(`${option} ${JSON.stringify(text)} is no e-mail address.`);
  }
  return text;
}

type ListOptions = { after?: string; limit: string; json?: true };

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit);
  const after = options.after === undefined ? null : readAddress('--after', options.after);
  // One more than is shown tells whether there is another page.
  const found = await withSession(terminal.env, ({ db }) => listUsers(db, after, limit + 1));
  const users = found.slice(0, limit);
  if (options.json) {
    terminal.stdout(
      `${JSON.stringify(
        users.map((user) => ({
          userId: user.id,
          email: user.email,
          plan: user.plan,
          createdAt: user.created_at.toISOString(),
          smartlinks: user.smartlinks,
          keys: user.keys,
        })),
      )}\n`,
    );
    return;
  }
  const last = users.at(-1);
  if (last === undefined) {
    terminal.stdout(
      after === null
        ? 'There are no users. users create makes one.\n'
        : 'There are no users after that address.\n',
    );
    return;
  }
  terminal.stdout(
    formatTable(
      ['EMAIL', 'PLAN', 'SMARTLINKS', 'KEYS', 'CREATED', 'ID'],
      users.map((user) => [
        user.email,
        user.plan,
        String(user.smartlinks),
        String(user.keys),
        formatTime(user.created_at),
        user.id,
      ]),
    ),
  );
  if (found.length > limit) terminal.stdout(`There are more: add --after ${last.email}.\n`);
}

async function changePlan(
  terminal: Terminal,
  idOrEmail: string,
  planName: string,
  options: { json?: true },
): Promise<void> {
  const changed = await withSession(terminal.env, async ({ db }) => {
    const user = await findUser(db, idOrEmail);
    const plan = await findPlanName(db, planName);
    await inTransaction(db, async () => {
      const before = await lockUser(db, user.id);
      if (before === null) throw noUser(idOrEmail);
      // Nothing happens, so there is nothing to note.
      if (before === plan) return;
      await setPlan(db, user.id, plan);
      await addAuditEntry(db, 'user.set-plan', user.id, { from: before, to: plan });
    });
    return { userId: user.id, email: user.email, plan };
  });
  terminal.stdout(
    options.json ? `${JSON.stringify(changed)}\n` : `${changed.email} is on the plan ${changed.plan} now.\n`,
  );
}

async function deleteUser(
  terminal: Terminal,
  idOrEmail: string,
  options: { yes?: true; json?: true },
): Promise<void> {
  await withSession(terminal.env, async (session) => {
    const known = await findUserRow(session.db, idOrEmail);
    // A user whose events were left behind by a failure is known by id only.
    const isLeft = known === null && isUuid(idOrEmail) && (await wasUser(session.db, idOrEmail));
    if (known === null && !isLeft) throw noUser(idOrEmail);
    const user = known ?? { id: idOrEmail, email: null, smartlinks: 0 };
    if (!options.yes) {
      await confirm(terminal, {
        what: 'Deleting a user',
        question: `Delete ${user.email ?? user.id}, ${plural(user.smartlinks, 'smartlink')} and all of their figures for good?`,
      });
    }
    const erasure = await eraseUser(terminal, session, user.id);
    if (options.json) {
      const { slugs, published } = erasure;
      terminal.stdout(
        `${JSON.stringify({ userId: user.id, email: user.email, slugs, tombstonesPublished: published })}\n`,
      );
      return;
    }
    terminal.stdout(
      `Deleted ${user.email ?? user.id} with everything of theirs; addresses that lead nowhere now: ${erasure.slugs}.\n`,
    );
    // The redirect service keeps what it has sent for 15 minutes, to send it again should ClickHouse restart.
    terminal.stdout(
      `Visits that are still on their way are deleted as they arrive, for ${FORGOTTEN_HOURS} hours.\n`,
    );
    if (!erasure.published) {
      terminal.stdout(
        'Redis did not answer: the management service takes the addresses down when it is back.\n',
      );
    }
  });
}

/** Returns the user with this id or address. Throws Problem when there is none; `otherwise` says what else to do then. */
export async function findUser(db: Client, idOrEmail: string, otherwise = ''): Promise<UserRow> {
  const user = await findUserRow(db, idOrEmail);
  if (user === null) throw noUser(idOrEmail, otherwise);
  return user;
}

/** Returns the one line for an id or address that nobody has; a key given by mistake is not repeated. */
export function noUser(idOrEmail: string, otherwise = ''): Problem {
  const shown = idOrEmail.includes('@') ? idOrEmail : hideKey(idOrEmail);
  return new Problem(`There is no user ${shown}: see npm run admin -- users list${otherwise}.`);
}

import type { Command } from 'commander';
import type { Client } from 'pg';
import { findSnapshots, publishSnapshots } from '@smartlink/links/publish';
import { failureMessage, inTransaction } from '@smartlink/process/database';
import { DEFAULT_PLAN, insertAccount, listAccounts } from '@smartlink/smartlink/accounts';
import { isUuid } from '@smartlink/smartlink/store';
import { ALL_DAYS, forgetVisits, FORGOTTEN_HOURS } from '@smartlink/visits/rollup';
import { withRedis } from '../cache/redis.js';
import { addAccountOption, LIMIT_MAX, readLimit, requireAccount } from '../cli/options.js';
import { confirm, print, Problem, sayWhenSlow, SLOW_DELETE, type Terminal } from '../cli/terminal.js';
import { examples, formatTime, plural } from '../cli/text.js';
import { withClickhouse, withoutRollups } from '../engines/clickhouse.js';
import { type Session, withSession, withTransaction } from '../engines/session.js';
import { addAuditEntry } from './audit.js';
import { findUser, findUserRow, noUser, readAddress } from './find-user.js';
import { createKey, describeKey } from './keys.js';
import { printPage } from './page.js';
import { addOwner, removeLeftPeople } from './people.js';
import { requirePlanName } from './plans.js';

const PUBLISH_BATCH_MAX = 500;

export function addUserCommands(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('manage the users who own smartlinks');
  // Not requiredOption: commander checks that before a mistyped --acount, and reports the wrong fault.
  addAccountOption(users.command('create'), 'e-mail of the new user (required, unique)')
    .description('create a user and a first API key, which is shown only once')
    .argument('[account]')
    .usage('[options]')
    .option('--plan <name>', 'name of a plan, see plans list', DEFAULT_PLAN)
    .option('-j, --json', 'print {"userId","email","plan","apiKey"}')
    .addHelpText(
      'after',
      examples(
        'users create --account ann@example.com',
        'users create --account ann@example.com --plan Professional --json',
      ),
    )
    .action((account: string | undefined, options: CreateOptions) =>
      createUser(terminal, { account, ...options }),
    );
  users
    .command('list')
    .description('list the users by address')
    .option('--after <email>', 'list the page after this user')
    .option('-n, --limit <n>', `number of users to list, up to ${LIMIT_MAX}`, readLimit, 100)
    .option('-j, --json', 'print an array')
    .addHelpText('after', examples('users list', 'users list --after ann@example.com --limit 1000 --json'))
    .action((options: ListOptions) => list(terminal, options));
  addAccountOption(users.command('set-plan'), 'e-mail or id of the user (required)')
    .description('change the plan of a user; takes effect within a second')
    // Scripts may give the user before the plan.
    .argument('[plan]')
    .argument('[planAfterUser]')
    .usage('[options] <plan>')
    .option('-j, --json', 'print {"userId","email","plan"}')
    .addHelpText('after', examples('users set-plan Starter --account ann@example.com'))
    .action((first: string | undefined, second: string | undefined, options: AccountOptions) =>
      changePlan(
        terminal,
        second === undefined ? { plan: first, ...options } : { account: first, plan: second, ...options },
      ),
    );
  addAccountOption(
    users.command('delete'),
    'e-mail or id of the user (required); of a deleted user the id, to delete remaining events',
  )
    .description('permanently delete a user with all smartlinks, keys and events; the slugs stay taken')
    .argument('[account]')
    .usage('[options]')
    .option('-y, --yes', 'do not ask')
    .option('-j, --json', 'print {"userId","email","slugs","tombstonesPublished"}')
    .addHelpText(
      'after',
      examples('users delete --account ann@example.com', 'users delete -a ann@example.com -y -j'),
    )
    .action((account: string | undefined, options: DeleteOptions) =>
      deleteUser(terminal, { account, ...options }),
    );
}

type JsonOption = { json?: true };
type AccountOptions = JsonOption & { account?: string | undefined };
type CreateOptions = AccountOptions & { plan: string };
type PlanOptions = AccountOptions & { plan?: string | undefined };
type DeleteOptions = AccountOptions & { yes?: true };

const FIRST_KEY = {
  name: 'first key',
  scopes: ['*'],
  allowedNetworks: null,
  expiresAt: null,
  createdBy: null,
} as const;

async function createUser(terminal: Terminal, options: CreateOptions): Promise<void> {
  const email = readAddress('--account', requireAccount(options.account, 'to create'));
  const created = await withTransaction(terminal.env, async (db) => {
    const plan = await requirePlanName(db, options.plan);
    const userId = await insertAccount(db, { email, plan });
    if (userId === null) {
      throw new Problem(`There is a user ${email} already: keys create makes another key for them.`);
    }
    await addAuditEntry(db, 'user.create', userId, { plan });
    const { hasPassword } = await addOwner(db, userId, email);
    const { apiKey } = await createKey(db, { ...FIRST_KEY, userId });
    return { user: { userId, email, plan, apiKey }, isKnown: hasPassword };
  });
  const { user, isKnown } = created;
  const owner = isKnown ? `${email} is a person already, with a password, and is the Owner.\n` : '';
  const text = `Created ${email} (${user.plan}), id ${user.userId}.\n${owner}${describeKey(user)}`;
  print(terminal, options.json, user, text);
}

type ListOptions = JsonOption & { after?: string; limit: number };

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const after = options.after === undefined ? null : readAddress('--after', options.after);
  printPage(terminal, options, {
    found: await withSession(terminal.env, ({ db }) =>
      listAccounts(db, { after, search: null, limit: options.limit + 1 }),
    ),
    columns: {
      EMAIL: ({ email }) => email,
      PLAN: ({ plan }) => plan,
      SMARTLINKS: ({ smartlinks }) => String(smartlinks),
      KEYS: ({ keys }) => String(keys),
      CREATED: ({ createdAt }) => formatTime(createdAt),
      ID: ({ id }) => id,
    },
    spare: ['ID', 'CREATED'],
    toJson: ({ id, ...user }) => ({ userId: id, ...user }),
    none: `There are no users${after === null ? '. users create makes one.' : ' after that address.'}`,
    more: (last) => `There are more: add --after ${last?.email}.`,
  });
}

async function changePlan(terminal: Terminal, options: PlanOptions): Promise<void> {
  const idOrEmail = requireAccount(options.account, 'to change');
  const { plan: planName, json } = options;
  if (planName === undefined) throw new Problem('Name the plan: see npm run admin -- plans list.');
  const changed = await withTransaction(terminal.env, async (db) => {
    const { id, email } = await findUser(db, idOrEmail);
    const plan = await requirePlanName(db, planName);
    const before = await lockUser(db, id);
    if (before === null) throw noUser(idOrEmail);
    if (before !== plan) {
      await db.query('update users set plan = $2 where id = $1', [id, plan]);
      await addAuditEntry(db, 'user.set-plan', id, { from: before, to: plan });
    }
    return { userId: id, email, plan };
  });
  print(terminal, json, changed, `${changed.email} is on the plan ${changed.plan} now.\n`);
}

/**
 * A user's plan, null when the user is gone. Until the transaction ends the plan cannot change, and no smartlink or key,
 * which refer to the row, can be created.
 */
async function lockUser(db: Client, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ plan: string }>('select plan from users where id = $1 for update', [
    userId,
  ]);
  return rows[0]?.plan ?? null;
}

async function deleteUser(terminal: Terminal, { account, yes, json }: DeleteOptions): Promise<void> {
  const idOrEmail = requireAccount(account, 'to delete');
  await withSession(terminal.env, async (session) => {
    const { db, addresses } = session;
    const known = await findUserRow(db, idOrEmail);
    // A user whose events were left behind by a failure is known by the id only.
    if (known === null && !(await wasUser(db, idOrEmail))) throw noUser(idOrEmail);
    const { id, email, smartlinks } = known ?? { id: idOrEmail, email: null, smartlinks: 0 };
    const name = email ?? id;
    if (!yes) {
      const what = `${name}, ${plural(smartlinks, 'smartlink')} and all of their figures`;
      await confirm(terminal, 'Deleting a user', `Delete ${what} for good?`);
    }
    if (addresses.clickhouseUrl === undefined) {
      throw new Problem(
        'CLICKHOUSE_URL is not set: the events of the user could not be deleted. Nothing was done.',
      );
    }
    const slugKeys = await inTransaction(db, () => eraseUser(db, id));
    const published = await publishTombstones(session, slugKeys).then(
      () => true,
      () => false,
    );
    await eraseVisits(terminal, session, id);
    print(
      terminal,
      json,
      { userId: id, email, slugs: slugKeys.length, tombstonesPublished: published },
      `Deleted ${name} with all smartlinks, keys and visits; addresses that lead nowhere now: ${slugKeys.length}.\n` +
        // The redirect service keeps sent segments for 15 minutes, to resend them if ClickHouse restarts.
        `Visits that are still on their way are deleted as they arrive, for ${FORGOTTEN_HOURS} hours.\n` +
        (published
          ? ''
          : 'Redis did not answer: the management service takes the addresses down when it is back.\n'),
    );
  });
}

/** Whether there ever was a user with this id: each is in the audit log. */
async function wasUser(db: Client, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  return (await db.query('select 1 from audit_entries where user_id = $1 limit 1', [id])).rows.length > 0;
}

/** Deletes a user with smartlinks, keys, totals, idempotency keys, and people of no other account. The slugs, which it returns, stay taken. */
async function eraseUser(db: Client, userId: string): Promise<readonly string[]> {
  // A create under way commits before this or fails, so that no slug is missed.
  const wasThere = (await lockUser(db, userId)) !== null;
  const { rows } = await db.query<{ key: string }>(
    `with held as (select key from slugs where user_id = $1 order by key for update)
     insert into publish_outbox (slug_key, version)
     select key, nextval('smartlink_version') from held
     returning slug_key as key`,
    [userId],
  );
  // Rows of slugs stay, so that a printed address never leads to another owner; foreign keys clear their owner.
  const members = await db.query<{ id: string }>(
    'select person_id as id from memberships where user_id = $1',
    [userId],
  );
  await db.query('delete from users where id = $1', [userId]);
  await removeLeftPeople(
    db,
    members.rows.map(({ id }) => id),
  );
  // The command is repeated to delete events that came later; the user is deleted once.
  if (wasThere) await addAuditEntry(db, 'user.delete', userId);
  return rows.map(({ key }) => key);
}

/** The management service publishes those that Redis does not take. */
async function publishTombstones(session: Session, slugKeys: readonly string[]): Promise<void> {
  const { db } = session;
  if (slugKeys.length === 0) return;
  await withRedis(session, async ({ redis, keyPrefix }) => {
    for (let i = 0; i < slugKeys.length; i += PUBLISH_BATCH_MAX) {
      const batch = slugKeys.slice(i, i + PUBLISH_BATCH_MAX);
      await publishSnapshots(redis, keyPrefix, await findSnapshots(db, batch));
      await db.query('delete from publish_outbox where slug_key = any($1::text[])', [batch]);
    }
  });
}

/** Throws Problem when ClickHouse fails: the same command with the user's id then deletes the visits. */
async function eraseVisits(terminal: Terminal, session: Session, userId: string): Promise<void> {
  const scope = { ownerId: userId, smartlinkId: null, ...ALL_DAYS };
  try {
    await withClickhouse(session, (clickhouse) =>
      withoutRollups(terminal, session, () =>
        sayWhenSlow(terminal, SLOW_DELETE, forgetVisits(clickhouse, scope, { alsoLater: true })),
      ),
    );
  } catch (err) {
    throw new Problem(
      `The user is deleted, their events are not yet (${failureMessage(err)}): run users delete --account ${userId} --yes again.`,
    );
  }
}

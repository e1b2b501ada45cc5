import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { inTransaction } from '@smartlink/process/database';
import { readChoice } from '../cli/options.js';
import { formatTable } from '../cli/table.js';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTime } from '../cli/text.js';
import { type Addresses, withSession } from '../engines/session.js';
import { addAuditEntry } from './audit.js';
import { findUser, readAddress } from './find-user.js';

const ROLES = ['Viewer', 'Editor', 'Owner'] as const;
/** How long a link can be redeemed. */
const VALID = { setup: '24 hours', 'sign-in': '15 minutes', reset: '30 minutes', invite: '7 days' } as const;
type Purpose = keyof typeof VALID;

type Options = { email?: string; account?: string; role?: string; operator?: true; json?: true };

export function addPeopleCommands(program: Command, terminal: Terminal): void {
  const people = program.command('people').description('manage the people who sign in to accounts');
  const add = (name: string, description: string) =>
    people
      .command(name)
      .description(description)
      .option('-e, --email <email>', 'e-mail of the person (required)');
  const LINK_JSON = 'print {"url","expiresAt"}';
  add('create', 'create a person, and print the link by which they set a password')
    .option('-a, --account <email>', 'account to make the person a member of, by e-mail or id')
    .option('--role <role>', `role in the account: ${ROLES.join(', ')}`, 'Owner')
    .option('--operator', 'let the person operate the installation')
    .option('-j, --json', LINK_JSON)
    .addHelpText('after', examples('people create --email ann@example.com --account shop@example.com'))
    .action((options: Options) => create(terminal, options));
  add('invite', 'print a link by which an address becomes a member of an account')
    .option('-a, --account <email>', 'e-mail or id of the account (required)')
    .option('--role <role>', `role in the account: ${ROLES.join(', ')}`, 'Editor')
    .option('-j, --json', LINK_JSON)
    .addHelpText(
      'after',
      examples('people invite --email bo@example.com --account shop@example.com --role Viewer'),
    )
    .action((options: Options) => create(terminal, options, 'invite'));
  add('sign-in-link', 'print a link that signs the person in, once, within 15 minutes')
    .option('-j, --json', LINK_JSON)
    .addHelpText('after', examples('people sign-in-link --email ann@example.com'))
    .action((options: Options) => link(terminal, options, 'sign-in'));
  add('reset-link', 'print a link by which the person sets a new password, within 30 minutes')
    .option('-j, --json', LINK_JSON)
    .addHelpText('after', examples('people reset-link --email ann@example.com'))
    .action((options: Options) => link(terminal, options, 'reset'));
  add('disable', 'end all sessions of a person, who cannot sign in any more')
    .option('-j, --json', 'print {"personId"}')
    .addHelpText('after', examples('people disable --email ann@example.com'))
    .action((options: Options) => disable(terminal, options));
  people
    .command('list')
    .description('list the people by address')
    .option('-j, --json', 'print an array')
    .addHelpText('after', examples('people list --json'))
    .action((options: Options) => list(terminal, options));
}

function readEmail({ email }: Options): string {
  if (email === undefined) throw new Problem('Name the person: --email <email>.');
  return readAddress('--email', email);
}

/** Makes the person and the membership. The invitation of an address that is no person yet makes both when it is redeemed. */
async function create(
  terminal: Terminal,
  options: Options,
  purpose: 'setup' | 'invite' = 'setup',
): Promise<void> {
  const email = readEmail(options);
  const role = readChoice('--role', options.role ?? '', ROLES);
  if (purpose === 'invite' && options.account === undefined) {
    throw new Problem('Name the account: --account <email>.');
  }
  const made = await withSession(terminal.env, ({ db, addresses }) =>
    inTransaction(db, async () => {
      const user = options.account === undefined ? null : await findUser(db, options.account);
      let person = await findPerson(db, email);
      if (person === null && purpose === 'invite' && user !== null) {
        return addLink(db, addresses, { purpose, email, userId: user.id, role });
      }
      person ??= await addPerson(db, email);
      if (options.operator) await db.query('update people set is_operator = true where id = $1', [person.id]);
      if (user !== null) await addMember(db, { userId: user.id, personId: person.id, role });
      const next = person.hasPassword ? 'sign-in' : 'setup';
      return addLink(db, addresses, { purpose: next, email });
    }),
  );
  printLink(terminal, options, made);
}

async function link(terminal: Terminal, options: Options, purpose: Purpose): Promise<void> {
  const email = readEmail(options);
  const made = await withSession(terminal.env, async ({ db, addresses }) => {
    await requirePerson(db, email);
    return addLink(db, addresses, { purpose, email });
  });
  printLink(terminal, options, made);
}

type Made = { readonly url: string; readonly expiresAt: Date };

function printLink(terminal: Terminal, { json }: Options, made: Made): void {
  print(terminal, json, made, `${made.url}\nIt works once, until ${formatTime(made.expiresAt)}.\n`);
}

async function disable(terminal: Terminal, options: Options): Promise<void> {
  const email = readEmail(options);
  const personId = await withSession(terminal.env, ({ db }) =>
    inTransaction(db, async () => {
      const { id } = await requirePerson(db, email);
      await db.query('update people set disabled_at = now() where id = $1', [id]);
      await db.query('delete from sessions where person_id = $1', [id]);
      await addAuditEntry(db, 'person.disable', null, { personId: id });
      return id;
    }),
  );
  print(terminal, options.json, { personId }, `${email} cannot sign in any more.\n`);
}

async function list(terminal: Terminal, { json }: Options): Promise<void> {
  const rows = await withSession(
    terminal.env,
    async ({ db }) => (await db.query<ListedPerson>(LIST_PEOPLE)).rows,
  );
  const cells = rows.map((row) => [
    row.email,
    row.isOperator ? 'yes' : '',
    row.accounts.map(({ email, role }) => `${email} (${role})`).join(', '),
    formatTime(row.createdAt),
    formatTime(row.disabledAt),
  ]);
  const table = formatTable(terminal, ['EMAIL', 'OPERATOR', 'ACCOUNTS', 'CREATED', 'DISABLED'], cells, [
    'CREATED',
  ]);
  print(terminal, json, rows, rows.length === 0 ? 'There are no people.\n' : table);
}

type ListedPerson = {
  readonly email: string;
  readonly isOperator: boolean;
  readonly accounts: readonly { readonly email: string; readonly role: string }[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
};

const LIST_PEOPLE = `
select people.id as "personId", people.email, people.is_operator as "isOperator",
       coalesce((select json_agg(json_build_object('email', users.email, 'role', memberships.role) order by users.email)
                 from memberships join users on users.id = memberships.user_id
                 where memberships.person_id = people.id), '[]') as accounts,
       people.created_at as "createdAt", people.disabled_at as "disabledAt"
from people order by lower(people.email) limit 1000`;

type PersonRow = { readonly id: string; readonly hasPassword: boolean };

async function findPerson(db: Client, email: string): Promise<PersonRow | null> {
  const { rows } = await db.query<PersonRow>(
    `select id, password_hash is not null as "hasPassword" from people where lower(email) = lower($1)`,
    [email],
  );
  return rows[0] ?? null;
}

async function requirePerson(db: Client, email: string): Promise<PersonRow> {
  const person = await findPerson(db, email);
  if (person === null) throw new Problem(`There is no person ${email}: see npm run admin -- people list.`);
  return person;
}

async function addPerson(db: Client, email: string): Promise<PersonRow> {
  const id = randomUUID();
  await db.query('insert into people (id, email) values ($1, $2)', [id, email]);
  return { id, hasPassword: false };
}

async function addMember(
  db: Client,
  { userId, personId, role }: { userId: string; personId: string; role: string },
): Promise<void> {
  await db.query(
    `insert into memberships (user_id, person_id, role) values ($1, $2, $3) on conflict do nothing`,
    [userId, personId, role],
  );
  await addAuditEntry(db, 'member.create', userId, { personId, role });
}

/** Makes the account's Owner, a person without a password, unless the address is a person already. */
export async function addOwner(db: Client, userId: string, email: string): Promise<void> {
  const person = (await findPerson(db, email)) ?? (await addPerson(db, email));
  await addMember(db, { userId, personId: person.id, role: 'Owner' });
}

/** Removes those among the people that have neither a membership nor an operator's right. */
export async function removeLeftPeople(db: Client, personIds: readonly string[]): Promise<void> {
  await db.query(
    `delete from people where id = any($1::uuid[]) and not is_operator
       and not exists (select from memberships where person_id = people.id)`,
    [personIds],
  );
}

async function addLink(
  db: Client,
  { managementBaseUrl }: Addresses,
  link: { purpose: Purpose; email: string; userId?: string; role?: string },
): Promise<Made> {
  const { purpose, email, userId = null, role = null } = link;
  const token = randomBytes(32).toString('base64url');
  const { rows } = await db.query<{ expiresAt: Date }>(
    `insert into one_time_links (token_sha256, purpose, email, user_id, role, expires_at, person_id)
     values ($1, $2, $3, $4, $5, now() + $6::interval, (select id from people where lower(email) = lower($3)))
     on conflict (user_id, lower(email)) where purpose = 'invite' and used_at is null
     do update set token_sha256 = excluded.token_sha256, role = excluded.role, expires_at = excluded.expires_at
     returning expires_at as "expiresAt"`,
    [createHash('sha256').update(token).digest(), purpose, email, userId, role, VALID[purpose]],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The link was not stored');
  return { url: `${managementBaseUrl}/welcome#${token}`, expiresAt: row.expiresAt };
}

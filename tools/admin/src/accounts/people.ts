import type { Command } from 'commander';
import type { Client } from 'pg';
import { inTransaction } from '@smartlink/process/database';
import {
  addMember,
  addOneTimeLink,
  disablePerson,
  ensurePerson,
  findPerson,
  type LinkPurpose,
  listPeople,
  type OneTimeUrl,
  type PersonRow,
  type Role,
  ROLES,
} from '@smartlink/smartlink/accounts';
import { readChoice } from '../cli/options.js';
import { formatTable } from '../cli/table.js';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTime } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import { addAuditEntry } from './audit.js';
import { findUser, readAddress } from './find-user.js';

const LIST_MAX = 1_000;

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
  const { known, ...made } = await withSession(terminal.env, ({ db, addresses }) =>
    inTransaction(db, async () => {
      const user = options.account === undefined ? null : await findUser(db, options.account);
      const { managementBaseUrl } = addresses;
      if (purpose === 'invite' && user !== null && (await findPerson(db, { email })) === null) {
        await addAuditEntry(db, 'member.invite', user.id, { role });
        const invitation = { purpose, email, userId: user.id, role };
        return { ...(await addOneTimeLink(db, managementBaseUrl, invitation)), known: false };
      }
      const { person, isNew } = await ensurePerson(db, email);
      const { personId, hasPassword, isOperator } = person;
      if (isNew) await addAuditEntry(db, 'person.create', null, { personId });
      if (options.operator && !isOperator) {
        await db.query('update people set is_operator = true where id = $1', [personId]);
        await addAuditEntry(db, 'person.update', null, { personId, changed: ['isOperator'] });
      }
      if (user !== null) await joinAccount(db, { userId: user.id, personId, role });
      const link = { purpose: hasPassword ? 'sign-in' : 'setup', email, personId } as const;
      return { ...(await addPersonLink(db, managementBaseUrl, link)), known: hasPassword };
    }),
  );
  // An Owner of another account may have invited the address, and redeemed the link.
  printLink(terminal, options, made, known ? `${email} is a person already, with a password.\n` : '');
}

async function link(terminal: Terminal, options: Options, purpose: LinkPurpose): Promise<void> {
  const email = readEmail(options);
  const made = await withSession(terminal.env, ({ db, addresses }) =>
    inTransaction(db, async () => {
      const { personId } = await requirePerson(db, email);
      return addPersonLink(db, addresses.managementBaseUrl, { purpose, email, personId });
    }),
  );
  printLink(terminal, options, made);
}

async function addPersonLink(
  db: Client,
  baseUrl: string,
  { personId, ...link }: { purpose: LinkPurpose; email: string; personId: string },
): Promise<OneTimeUrl> {
  await addAuditEntry(db, 'person.link', null, { personId, purpose: link.purpose });
  return addOneTimeLink(db, baseUrl, link);
}

function printLink(terminal: Terminal, { json }: Options, made: OneTimeUrl, note = ''): void {
  const until = `It works once, until ${formatTime(made.expiresAt)}.\n`;
  print(terminal, json, made, `${note}${made.url}\n${until}`);
}

async function disable(terminal: Terminal, options: Options): Promise<void> {
  const email = readEmail(options);
  const personId = await withSession(terminal.env, ({ db }) =>
    inTransaction(db, async () => {
      const { personId: id } = await requirePerson(db, email);
      await disablePerson(db, id);
      await addAuditEntry(db, 'person.disable', null, { personId: id });
      return id;
    }),
  );
  print(terminal, options.json, { personId }, `${email} cannot sign in any more.\n`);
}

async function list(terminal: Terminal, { json }: Options): Promise<void> {
  const rows = await withSession(terminal.env, ({ db }) =>
    listPeople(db, { after: null, search: null, limit: LIST_MAX }),
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

async function requirePerson(db: Client, email: string): Promise<PersonRow> {
  const person = await findPerson(db, { email });
  if (person === null) throw new Problem(`There is no person ${email}: see npm run admin -- people list.`);
  return person;
}

async function joinAccount(
  db: Client,
  membership: { readonly userId: string; readonly personId: string; readonly role: Role },
): Promise<void> {
  const { userId, ...details } = membership;
  if (await addMember(db, membership)) await addAuditEntry(db, 'member.create', userId, details);
}

/** Makes the account's Owner, a person without a password, unless the address is a person already. */
export async function addOwner(db: Client, userId: string, email: string): Promise<PersonRow> {
  const { person } = await ensurePerson(db, email);
  await joinAccount(db, { userId, personId: person.personId, role: 'Owner' });
  return person;
}

/** Removes those among the people that have neither a membership nor an operator's right. */
export async function removeLeftPeople(db: Client, personIds: readonly string[]): Promise<void> {
  await db.query(
    `delete from people where id = any($1::uuid[]) and not is_operator
       and not exists (select from memberships where person_id = people.id)`,
    [personIds],
  );
}

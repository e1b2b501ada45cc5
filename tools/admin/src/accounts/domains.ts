import { isIP } from 'node:net';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { dnsServersVariable } from '@smartlink/process/config';
import { inTransaction } from '@smartlink/process/database';
import { parseDomainHost } from '@smartlink/smartlink/document';
import {
  addDomain,
  createDomainLookup,
  DOMAINS_MAX,
  type LookOutcome,
  recordDomainChange,
  recordLook,
  removeDomain,
  txtName,
  txtValue,
} from '@smartlink/smartlink/domains';
import type { DomainStatus } from '@smartlink/smartlink/model';
import { isUuid, LOCK_USER } from '@smartlink/smartlink/store';
import { addAccountOption, LIMIT_MAX, readLimit, requireAccount } from '../cli/options.js';
import { type Env, print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTime } from '../cli/text.js';
import { type Session, withSession } from '../engines/session.js';
import { findUser } from './find-user.js';
import { printPage } from './page.js';

const ACTOR = 'admin';
const DOMAIN_NAMES = 'host or id of the domain';
const WHOSE = 'its user, where several have the host';

type JsonOption = { json?: true };
type AccountOptions = JsonOption & { account?: string };

export function addDomainCommands(program: Command, terminal: Terminal): void {
  const domains = program.command('domains').description('list, add, verify and remove custom domains');
  addAccountOption(domains.command('list'), 'only domains of this user')
    .description('list domains, newest first')
    .option('--after <id>', 'list the page after this domain')
    .option('-n, --limit <n>', `number of domains to list, up to ${LIMIT_MAX}`, readLimit, 100)
    .option('-j, --json', 'print an array')
    .addHelpText('after', examples('domains list', 'domains list --account ann@example.com --json'))
    .action((options: ListOptions) => list(terminal, options));
  addAccountOption(domains.command('add'), 'e-mail or id of the user (required)')
    .description('add a domain, and print the DNS records that prove it and lead visitors here')
    .argument('<host>', 'host, like go.example.org')
    .option('--verified', 'make it Active without a proof; no look at its records changes that')
    .option('-j, --json', 'print {"domainId","host","status","txtName","txtValue","cnameTarget"}')
    .addHelpText(
      'after',
      examples(
        'domains add go.example.org --account ann@example.com',
        'domains add go.example.org --account ann@example.com --verified',
      ),
    )
    .action((host: string, options: AddOptions) => add(terminal, host, options));
  addAccountOption(domains.command('verify'), WHOSE)
    .description('look up the TXT record of a domain now, at DOMAIN_DNS_SERVERS where set')
    .argument('<domain>', DOMAIN_NAMES)
    .option('-j, --json', 'print {"domainId","host","status","outcome","problem"}')
    .addHelpText('after', examples('domains verify go.example.org'))
    .action((name: string, options: AccountOptions) => verify(terminal, name, options));
  addAccountOption(domains.command('remove'), WHOSE)
    .description('remove a domain without smartlinks; its addresses lead nowhere from then on')
    .argument('<domain>', DOMAIN_NAMES)
    .option('-j, --json', 'print {"domainId","host"}')
    .addHelpText('after', examples('domains remove go.example.org'))
    .action((name: string, options: AccountOptions) => remove(terminal, name, options));
}

type ListOptions = AccountOptions & { after?: string; limit: number };

/** As `domains list --json` prints it. */
type DomainRow = {
  readonly domainId: string;
  readonly userId: string;
  readonly email: string;
  readonly host: string;
  readonly status: DomainStatus;
  readonly isDefault: boolean;
  readonly isTrusted: boolean;
  readonly pointsHere: boolean | null;
  readonly checkedAt: Date | null;
  readonly problem: string | null;
  readonly createdAt: Date;
};

// Ids follow the time of creation.
const FIND_DOMAINS = `
select domains.id as "domainId", users.id as "userId", users.email, host, status, is_default as "isDefault",
       is_trusted as "isTrusted", points_here as "pointsHere", checked_at as "checkedAt", problem,
       domains.created_at as "createdAt"
from domains join users on users.id = domains.user_id
where status <> 'Removed' and ($1::uuid is null or domains.user_id = $1)
  and ($2::uuid is null or domains.id = $2) and ($3::text is null or host = $3) and ($4::uuid is null or domains.id < $4)
order by domains.id desc
limit $5`;

type DomainFilter = {
  readonly userId?: string;
  readonly id?: string;
  readonly host?: string;
  readonly after?: string;
};

async function findDomains(db: Client, filter: DomainFilter, limit: number): Promise<readonly DomainRow[]> {
  const { userId, id, host, after } = filter;
  return (await db.query<DomainRow>(FIND_DOMAINS, [userId, id, host, after, limit])).rows;
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { account, after, limit } = options;
  if (after !== undefined && !isUuid(after)) {
    throw new Problem(`--after ${JSON.stringify(after)}: expected the id of a domain.`);
  }
  const found = await withSession(terminal.env, async ({ db }) => {
    const userId = await findUserId(db, account);
    return findDomains(db, { ...userId, ...(after !== undefined && { after }) }, limit + 1);
  });
  printPage(terminal, options, {
    found,
    columns: {
      HOST: ({ host }) => host,
      STATUS: ({ status, isTrusted }) => (isTrusted ? `${status}, trusted` : status),
      USER: ({ email }) => email,
      DEFAULT: ({ isDefault }) => (isDefault ? 'yes' : '-'),
      'POINTS HERE': ({ pointsHere }) => (pointsHere === null ? '-' : pointsHere ? 'yes' : 'no'),
      CHECKED: ({ checkedAt }) => formatTime(checkedAt),
      PROBLEM: ({ problem }) => problem ?? '-',
      ID: ({ domainId }) => domainId,
    },
    spare: ['ID', 'CHECKED', 'DEFAULT', 'POINTS HERE', 'PROBLEM'],
    none: 'There are no such domains.',
    more: (last) => `There are more: add --after ${last?.domainId}.`,
  });
}

async function findUserId(db: Client, account: string | undefined): Promise<{ userId?: string }> {
  return account === undefined ? {} : { userId: (await findUser(db, account)).id };
}

type AddOptions = AccountOptions & { verified?: true };

async function add(terminal: Terminal, name: string, options: AddOptions): Promise<void> {
  const account = requireAccount(options.account, 'that gets the domain');
  const isTrusted = options.verified === true;
  const { domainId, token, host, cnameTarget } = await withSession(
    terminal.env,
    async ({ db, addresses }) => {
      const publicBaseUrl = requireBase(addresses);
      const host = parseDomainHost(name, publicBaseUrl);
      if (host === null) {
        throw new Problem(`${JSON.stringify(name)} is not a public host name like go.example.org.`);
      }
      const { id: userId } = await findUser(db, account);
      return inTransaction(db, async () => {
        await db.query(LOCK_USER, [userId]);
        if ((await findDomains(db, { userId }, DOMAINS_MAX)).length >= DOMAINS_MAX) {
          throw new Problem(
            `A user has at most ${DOMAINS_MAX} domains: remove one of them, see domains list.`,
          );
        }
        const id = await addDomain(db, { userId, host, isTrusted });
        if (id === null) throw new Problem(`The host ${host} is taken: see domains list.`);
        await recordDomainChange(db, { id, userId, host }, ACTOR, 'domain.create');
        const { rows } = await db.query<{ token: string }>('select token from domains where id = $1', [id]);
        return {
          domainId: id,
          token: rows[0]?.token ?? '',
          host,
          cnameTarget: new URL(publicBaseUrl).hostname,
        };
      });
    },
  );
  const records = { txtName: txtName(host), txtValue: txtValue(token), cnameTarget };
  const status: DomainStatus = isTrusted ? 'Active' : 'Pending';
  const lines = [
    `Added ${host}, ${status}. Its records:`,
    '',
    ...(isTrusted ? [] : [`  ${records.txtName}  TXT    ${records.txtValue}`]),
    `  ${host}  ${isIP(cnameTarget) === 0 ? 'CNAME' : 'A'}  ${cnameTarget}`,
  ];
  print(terminal, options.json, { domainId, host, status, ...records }, `${lines.join('\n')}\n`);
}

function requireBase({ publicBaseUrl }: Session['addresses']): string {
  if (publicBaseUrl !== undefined) return publicBaseUrl;
  throw new Problem('PUBLIC_BASE_URL is not set: domains lead to its host.');
}

/** The domain of that id or host. Throws Problem unless there is exactly one. */
async function findOne(db: Client, name: string, { account }: AccountOptions): Promise<DomainRow> {
  const by = isUuid(name) ? { id: name } : { host: name.toLowerCase().replace(/\.$/, '') };
  const [domain, another] = await findDomains(db, { ...by, ...(await findUserId(db, account)) }, 2);
  if (domain === undefined)
    throw new Problem(`There is no domain ${name}: see npm run admin -- domains list.`);
  if (another !== undefined) throw new Problem(`Several users have ${name}: add --account <email>.`);
  return domain;
}

const OUTCOMES: Readonly<Record<LookOutcome, string>> = {
  proven: 'proven',
  missing: 'not proven',
  unknown: 'not known, nothing is changed',
  taken: 'proven, but another account has it',
};

async function verify(terminal: Terminal, name: string, options: AccountOptions): Promise<void> {
  const servers = readServers(terminal.env);
  const { domain, outcome } = await withSession(terminal.env, async ({ db, addresses }) => {
    const { domainId, host } = await findOne(db, name, options);
    const look = await createDomainLookup({ servers, publicBaseUrl: requireBase(addresses) })(host);
    const outcome = await inTransaction(db, () => recordLook(db, { id: domainId, actor: ACTOR }, look));
    const [domain] = await findDomains(db, { id: domainId }, 1);
    if (domain === undefined || outcome === null) throw new Problem(`The domain ${host} has been removed.`);
    return { domain, outcome };
  });
  const { domainId, host, status, problem } = domain;
  const reason = problem === null ? '' : ` ${problem}.`;
  print(
    terminal,
    options.json,
    { domainId, host, status, outcome, problem },
    `${host} is ${status}: ${OUTCOMES[outcome]}.${reason}\n`,
  );
}

function readServers(env: Env): readonly string[] {
  const checked = dnsServersVariable().safeParse(env['DOMAIN_DNS_SERVERS'] ?? '');
  if (checked.success) return checked.data;
  throw new Problem(`DOMAIN_DNS_SERVERS: ${checked.error.issues[0]?.message}.`);
}

async function remove(terminal: Terminal, name: string, options: AccountOptions): Promise<void> {
  const { domainId, host } = await withSession(terminal.env, async ({ db }) => {
    const domain = await findOne(db, name, options);
    const { domainId: id, userId, host } = domain;
    const outcome = await inTransaction(db, () => removeDomain(db, { id, userId, actor: ACTOR }));
    if (outcome === 'used') throw new Problem(`The domain ${host} still has smartlinks: delete them first.`);
    return domain;
  });
  print(terminal, options.json, { domainId, host }, `Removed ${host}.\n`);
}

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { toPrintable } from '@smartlink/import/text';
import { SMARTLINK_STATUSES, SMARTLINK_TYPES } from '@smartlink/smartlink/model';
import { DOMAIN_COLUMN, SHOWN_COLUMNS, type SmartlinkRow, toDocument } from '@smartlink/smartlink/store';
import { findUser } from '../accounts/find-user.js';
import { printPage } from '../accounts/page.js';
import { addAccountOption, LIMIT_MAX, readChoice, readLimit } from '../cli/options.js';
import { type Env, print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTime } from '../cli/text.js';
import { addressOf, type Session, withSession } from '../engines/session.js';
import { findSmartlink, noSmartlink, readSmartlinkId, SMARTLINK_NAMES } from '../visits/scope.js';
import { addLinkChanges } from './change-links.js';

const STATUSES = [...SMARTLINK_STATUSES, 'all'] as const;

export function addLinkCommands(program: Command, terminal: Terminal): void {
  const links = program.command('links').description('list, create and change smartlinks');
  addAccountOption(links.command('list'), 'only smartlinks of this user')
    .description('list smartlinks, newest first')
    .option('--status <status>', `${STATUSES.join(', ')} (default: Active and Paused)`, readStatus)
    .option('--type <type>', SMARTLINK_TYPES.join(', '), (text) =>
      readChoice('--type', text, SMARTLINK_TYPES),
    )
    .option('--search <text>', 'text in the name, slug or destination; case is ignored')
    .option('--after <id>', 'list the page after this smartlink', readSmartlinkId('--after'))
    .option('-n, --limit <n>', `number of smartlinks to list, up to ${LIMIT_MAX}`, readLimit, 50)
    .option('-j, --json', 'print an array')
    .addHelpText(
      'after',
      examples(
        'links list',
        'links list --account ann@example.com --status Paused',
        'links list --search example.org --json',
      ),
    )
    .action((options: ListOptions) => list(terminal, options));
  links
    .command('show')
    .description('show a smartlink with all of its content')
    .argument('<smartlink>', SMARTLINK_NAMES)
    .option(
      '-j, --json',
      'print {"smartlinkId","email","status",…,"document"}; the document is a create body',
    )
    .addHelpText('after', examples('links show spring', 'links show spring --json'))
    .action((name: string, options: JsonOption) => show(terminal, name, options));
  addLinkChanges(links, terminal);
  links
    .command('open')
    .description('print the address of a smartlink and, in a terminal on a desktop, open it')
    .argument('<smartlink>', SMARTLINK_NAMES)
    .addHelpText('after', examples('links open spring'))
    .action((name: string) => open(terminal, name));
}

type JsonOption = { json?: true };

const readStatus = (text: string): (typeof STATUSES)[number] => readChoice('--status', text, STATUSES);

type ListOptions = JsonOption & {
  account?: string;
  status?: (typeof STATUSES)[number];
  type?: (typeof SMARTLINK_TYPES)[number];
  search?: string;
  after?: string;
  limit: number;
};

/** As `links list --json` prints it, with the address. */
type ListedLink = Readonly<Record<'smartlinkId' | 'email' | 'status' | 'type' | 'name' | 'slug', string>> & {
  /** Host of its custom domain. */
  readonly domain: string | null;
  /** Of a Url link. */
  readonly destination: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

// Ids follow the time of creation, so the primary key has the newest of all users first.
const LIST_LINKS = `
select smartlinks.id as "smartlinkId", users.email, smartlinks.status, smartlinks.type, smartlinks.name, smartlinks.slug,
       ${DOMAIN_COLUMN}, url.destination, smartlinks.created_at as "createdAt", smartlinks.updated_at as "updatedAt"
from smartlinks join users on users.id = smartlinks.user_id
cross join lateral (
  select case when smartlinks.type = 'Url' then smartlinks.content #>> '{Url,shortener,url}' end as destination
) as url
where ($1::uuid is null or smartlinks.user_id = $1)
  and smartlinks.status = any($2::text[])
  and ($3::text is null or smartlinks.type = $3)
  and ($4::text is null or smartlinks.name ilike $4 or smartlinks.slug ilike $4 or url.destination ilike $4
       or exists (select from unnest(smartlinks.imported_addresses) as address where address ilike $4))
  and ($5::uuid is null or smartlinks.id < $5)
order by smartlinks.id desc
limit $6`;

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { account, status, type, search, after, limit } = options;
  const wanted =
    status === undefined ? ['Active', 'Paused'] : status === 'all' ? SMARTLINK_STATUSES : [status];
  const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows, addresses } = await withSession(terminal.env, async (session) => {
    const { db } = session;
    const userId = account === undefined ? null : (await findUser(db, account)).id;
    const found = await db.query<ListedLink>(LIST_LINKS, [userId, wanted, type, pattern, after, limit + 1]);
    return { rows: found.rows, addresses: session.addresses };
  });
  printPage(terminal, options, {
    found: rows,
    columns: {
      SLUG: ({ slug, domain }) => (domain === null ? slug : `${domain}/${slug}`),
      STATUS: (row) => row.status,
      TYPE: (row) => row.type,
      NAME: ({ name }) => name,
      DESTINATION: ({ destination }) => destination ?? '-',
      ACCOUNT: ({ email }) => email,
      CREATED: ({ createdAt }) => formatTime(createdAt),
      ID: ({ smartlinkId }) => smartlinkId,
    },
    spare: ['ID', 'CREATED', ...(account === undefined ? [] : ['ACCOUNT'])],
    toJson: (row) => ({ ...row, address: addressOf(addresses, row) }),
    none: 'There are no such smartlinks.',
    more: (last) => `There are more: add --after ${last?.smartlinkId}.`,
  });
}

async function show(terminal: Terminal, name: string, { json }: JsonOption): Promise<void> {
  const { link, row, addresses } = await withSession(terminal.env, (session) => findLink(session, name));
  const address = addressOf(addresses, row);
  const document = toDocument(row, row.type);
  const value = {
    smartlinkId: row.id,
    email: link.email,
    status: row.status,
    type: row.type,
    address,
    aliases: link.aliases,
    importedAddresses: link.imported_addresses,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.pause_reason !== null && { pauseReason: row.pause_reason }),
    document,
  };
  const others = [...link.aliases, ...link.imported_addresses].map((slug) => `/${slug}`).join(', ');
  const reason = row.pause_reason?.details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const lines = [
    `${row.name} (${row.type}, ${row.status}), of ${link.email}`,
    `${address}${others === '' ? '' : `, also ${others}`}`,
    `Created ${formatTime(row.created_at)}, changed ${formatTime(row.updated_at)}`,
    `Id ${row.id}`,
    ...(reason === undefined ? [] : [`Paused by the service: ${reason}`]),
    '',
    ...JSON.stringify(document, null, 2).split('\n'),
  ];
  print(terminal, json, value, `${lines.map(toPrintable).join('\n')}\n`);
}

/** A smartlink in any status, with the content of its present type. Throws Problem for an unknown one. */
async function findLink({ db, addresses }: Session, name: string) {
  const link = await findSmartlink(db, name);
  if (link === null) throw noSmartlink(name);
  const { rows } = await db.query<SmartlinkRow>(`select ${SHOWN_COLUMNS} from smartlinks where id = $1`, [
    link.id,
  ]);
  if (rows[0] === undefined) throw noSmartlink(name);
  return { link, row: rows[0], addresses };
}

async function open(terminal: Terminal, name: string): Promise<void> {
  const { row, addresses } = await withSession(terminal.env, (session) => findLink(session, name));
  if (addresses.publicBaseUrl === undefined) {
    throw new Problem('PUBLIC_BASE_URL is not set: every address begins with it.');
  }
  if (row.status === 'Deleted') throw new Problem(`The smartlink ${row.slug} is deleted.`);
  const address = addressOf(addresses, row);
  terminal.stdout(`${address}\n`);
  if (terminal.isStdoutTerminal) openAddress(address, terminal.env);
}

/** The desktop's program that opens addresses; null without a desktop, as over ssh or in a container. */
function findOpener(env: Env): string | null {
  if (process.platform === 'darwin') return env['SSH_CONNECTION'] === undefined ? 'open' : null;
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
}

/** Opens an address in the browser and does not wait for it. A missing program is no failure: the address was printed. */
function openAddress(address: string, env: Env): void {
  const opener = findOpener(env);
  if (opener === null) return;
  const child = spawn(opener, [address], { env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

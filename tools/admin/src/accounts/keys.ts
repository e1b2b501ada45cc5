import type { Command } from 'commander';
import type { Client } from 'pg';
import { normalizeNetwork } from '@smartlink/process/client-address';
import {
  API_KEYS_MAX,
  apiKeyDigest,
  insertApiKey,
  isApiKey,
  type NewApiKey,
  type Scope,
  SCOPES,
  type StoredApiKey,
} from '@smartlink/smartlink/credentials';
import { isUuid } from '@smartlink/smartlink/store';
import {
  addAccountOption,
  LIMIT_MAX,
  parseExpiry,
  readChoice,
  readLimit,
  requireAccount,
} from '../cli/options.js';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTime } from '../cli/text.js';
import { withSession, withTransaction } from '../engines/session.js';
import { addAuditEntry } from './audit.js';
import { findUser, hideKey, readName } from './find-user.js';
import { printPage } from './page.js';

const DAY_MS = 86_400_000;
const NETWORKS_MAX = 20;
const KEY_NAMES = 'id, start of the key as keys list prints it, or whole key';

type JsonOption = { json?: true };

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('manage the API keys of users');
  addAccountOption(keys.command('create'), 'e-mail or id of the user (required)')
    .description('create another key for a user; it is shown only once')
    .argument('[account]')
    .usage('[options]')
    .option('--name <text>', 'purpose of the key', 'key')
    .option(
      '--expires <when>',
      'end of the key: a span like 30m (minutes), 12h, 90d or 2w, or the start (UTC) of a date like 2030-01-31; never by default',
    )
    .option(
      '--scopes <list>',
      `what the key may do, comma-separated: ${SCOPES.join(', ')}; everything by default`,
      readScopes,
      ['*'],
    )
    .option(
      '--networks <list>',
      `addresses and CIDR ranges, comma-separated, that the key may be used from, up to ${NETWORKS_MAX}; any by default`,
      readNetworks,
    )
    .option('-j, --json', 'print {"keyId","userId","name","scopes","allowedNetworks","expiresAt","apiKey"}')
    .addHelpText(
      'after',
      examples(
        'keys create --account ann@example.com --name laptop --expires 90d',
        'keys create -a ann@example.com --name ci --expires 2030-01-31 --json',
        'keys create -a ann@example.com --name site --scopes links:create --networks 203.0.113.7,2001:db8::/48',
      ),
    )
    .action((account: string | undefined, options: CreateOptions) =>
      create(terminal, { account, ...options }),
    );
  addAccountOption(keys.command('list'), 'e-mail or id of a user; all users by default')
    .description('list keys by user, oldest first; the keys themselves are not shown')
    .argument('[account]')
    .usage('[options]')
    .option('--after <id>', 'list the page after this key')
    .option('-n, --limit <n>', `number of keys to list, up to ${LIMIT_MAX}`, readLimit, 100)
    .option('-j, --json', 'print an array')
    .addHelpText('after', examples('keys list', 'keys list --account ann@example.com --json'))
    .action((account: string | undefined, options: ListOptions) => list(terminal, { account, ...options }));
  keys
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .argument('<key>', KEY_NAMES)
    .option('-j, --json', 'print {"keyId"}')
    .addHelpText('after', examples('keys revoke slk_live_Ab12Cd34'))
    .action((key: string, { json }: JsonOption) => revoke(terminal, key, json));
  keys
    .command('rotate')
    .description('create a key with the same name, scopes, networks and expiry, and revoke the old one')
    .argument('<key>', KEY_NAMES)
    .option('-j, --json', 'print {"keyId","apiKey","revokedKeyId"}')
    .addHelpText('after', examples('keys rotate slk_live_Ab12Cd34', 'keys rotate slk_live_Ab12Cd34 --json'))
    .action((key: string, { json }: JsonOption) => rotate(terminal, key, json));
}

type AccountOptions = JsonOption & { account?: string | undefined };
type CreateOptions = AccountOptions & {
  name: string;
  expires?: string;
  scopes: readonly Scope[];
  networks?: readonly string[];
};

const readScopes = (text: string): readonly Scope[] => [
  ...new Set(text.split(',').map((scope) => readChoice('--scopes', scope.trim(), SCOPES))),
];

function readNetworks(text: string): readonly string[] {
  const networks = text.split(',').map((range) => {
    const network = normalizeNetwork(range.trim());
    if (network !== null) return network;
    throw new Problem(
      `--networks ${JSON.stringify(range)}: expected an address or a CIDR range like 203.0.113.0/24.`,
    );
  });
  if (networks.length <= NETWORKS_MAX) return networks;
  throw new Problem(`--networks: expected at most ${NETWORKS_MAX}.`);
}

async function create(terminal: Terminal, options: CreateOptions): Promise<void> {
  const idOrEmail = requireAccount(options.account, 'that gets the key');
  const name = readName('--name', options.name);
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, new Date());
  const { scopes, networks = null } = options;
  const { user, key } = await withTransaction(terminal.env, async (db) => {
    const user = await findUser(db, idOrEmail, ', or make one with users create --account <email>');
    await requireRoomForKey(db, user.id);
    const rights = { scopes, allowedNetworks: networks, expiresAt, createdBy: null };
    return { user, key: await createKey(db, { userId: user.id, name, ...rights }) };
  });
  const text = `Created a key for ${user.email}${describeEnd(expiresAt)}.\n${describeKey(key)}`;
  const { keyId, apiKey, allowedNetworks } = key;
  const json = { keyId, userId: user.id, name, scopes, allowedNetworks, expiresAt, apiKey };
  print(terminal, options.json, json, text);
}

/** Throws Problem, and keeps others from adding keys until the transaction ends. */
async function requireRoomForKey(db: Client, userId: string): Promise<void> {
  await db.query('select id from users where id = $1 for no key update', [userId]);
  const { rows } = await db.query<{ keys: number }>(
    'select count(*)::integer as keys from api_keys where user_id = $1 and revoked_at is null',
    [userId],
  );
  if ((rows[0]?.keys ?? 0) >= API_KEYS_MAX) {
    throw new Problem(`A user has at most ${API_KEYS_MAX} keys: revoke one of them, see keys list.`);
  }
}

/** A date alone could be read as the last day of the key. */
function describeEnd(end: Date | null): string {
  if (end === null) return '';
  const isMidnight = end.getTime() % DAY_MS === 0;
  return `, ends ${formatTime(end)}${isMidnight ? ', the start of that day' : ''}`;
}

/** `apiKey` is shown once. */
type NewKey = Pick<StoredApiKey, 'apiKey' | 'allowedNetworks'> & { readonly keyId: string };

export const describeKey = ({ apiKey }: Pick<NewKey, 'apiKey'>): string =>
  `API key, shown only now:\n\n  ${apiKey}\n`;

/** Creates a key, of which only the digest is stored. */
export async function createKey(db: Client, newKey: NewApiKey): Promise<NewKey> {
  const { id: keyId, displayPrefix, ...key } = await insertApiKey(db, newKey);
  await addAuditEntry(db, 'key.create', newKey.userId, { keyId, displayPrefix, name: newKey.name });
  return { keyId, ...key };
}

type ListOptions = AccountOptions & { after?: string; limit: number };

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { account, after, limit } = options;
  const found = await withSession(terminal.env, async ({ db }) => {
    const user = account === undefined ? null : await findUser(db, account);
    return listKeys(db, user?.id ?? null, after === undefined ? null : await findPlace(db, after), limit + 1);
  });
  printPage(terminal, options, {
    found,
    columns: {
      KEY: ({ displayPrefix }) => `${displayPrefix}…`,
      STATE: ({ state }) => state,
      USER: ({ email }) => email,
      NAME: ({ name }) => name,
      SCOPES: ({ scopes }) => scopes.join(' '),
      NETWORKS: ({ allowedNetworks }) => allowedNetworks?.join(' ') ?? 'any',
      CREATED: ({ createdAt }) => formatTime(createdAt),
      ENDS: ({ expiresAt }) => formatTime(expiresAt),
      'LAST USED': ({ lastUsedAt }) => formatTime(lastUsedAt),
      REVOKED: ({ revokedAt }) => formatTime(revokedAt),
      ID: ({ keyId }) => keyId,
    },
    spare: ['ID', 'REVOKED', 'NETWORKS', 'CREATED', 'ENDS', 'SCOPES', 'LAST USED'],
    none: `There are no keys${after === undefined ? '. keys create makes one.' : ' after that one.'}`,
    more: (last) => `There are more: add --after ${last?.keyId}.`,
  });
}

/** As `keys list --json` prints it. */
type KeyRow = NewApiKey & {
  readonly keyId: string;
  readonly email: string;
  readonly displayPrefix: string;
  readonly state: 'active' | 'revoked' | 'expired';
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

type KeyPlace = Pick<KeyRow, 'keyId' | 'email' | 'createdAt'>;

async function findPlace(db: Client, id: string): Promise<KeyPlace> {
  const { rows } = await db.query<KeyPlace>(
    `select ${KEY_COLUMNS} from api_keys join users on users.id = api_keys.user_id where api_keys.id = $1`,
    [isUuid(id) ? id : null],
  );
  if (rows[0] !== undefined) return rows[0];
  throw new Problem(`--after ${JSON.stringify(hideKey(id))}: there is no key with this id.`);
}

const KEY_COLUMNS = `
  api_keys.id as "keyId", api_keys.user_id as "userId", users.email, api_keys.name,
  api_keys.display_prefix as "displayPrefix",
  case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as state,
  api_keys.scopes, to_json(allowed_networks::inet[]) as "allowedNetworks", created_by as "createdBy",
  api_keys.created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt"`;

// By user, then time: users_email and api_keys_user lead to it, so only the keys of the page's users are read. $2 is
// repeated because a row comparison over two tables is no condition of an index.
const LIST_KEYS = `
select ${KEY_COLUMNS}
from api_keys join users on users.id = api_keys.user_id
where ($1::uuid is null or users.id = $1)
  and ($2::text is null or lower(users.email) >= lower($2)
    and (lower(users.email), api_keys.created_at, api_keys.id) > (lower($2), $3::timestamptz, $4::uuid))
order by lower(users.email), api_keys.created_at, api_keys.id
limit $5`;

/** At most `limit` keys of all users by address, or of one, oldest first. */
export async function listKeys(
  db: Client,
  userId: string | null,
  after: KeyPlace | null,
  limit: number,
): Promise<readonly KeyRow[]> {
  const values = [userId, after?.email, after?.createdAt, after?.keyId, limit];
  return (await db.query<KeyRow>(LIST_KEYS, values)).rows;
}

async function revoke(terminal: Terminal, name: string, json: true | undefined): Promise<void> {
  const key = await withTransaction(terminal.env, (db) => revokeKey(db, name));
  print(terminal, json, { keyId: key.keyId }, `Revoked ${key.displayPrefix}… of ${key.email}.\n`);
}

async function rotate(terminal: Terminal, name: string, json: true | undefined): Promise<void> {
  const { old, key } = await withTransaction(terminal.env, async (db) => {
    const old = await revokeKey(db, name);
    if (old.state === 'expired') {
      throw new Problem(`The key ${old.displayPrefix}… has expired: make a new one with keys create.`);
    }
    return { old, key: await createKey(db, old) };
  });
  const revoked = `Revoked ${old.displayPrefix}… of ${old.email}.\n`;
  print(
    terminal,
    json,
    { keyId: key.keyId, apiKey: key.apiKey, revokedKeyId: old.keyId },
    revoked + describeKey(key),
  );
}

/**
 * Revokes the one live key with this id or display prefix (with the … of lists or without), or the key itself: for a
 * leaked key nothing else may be known. Throws Problem, which never repeats a key.
 */
async function revokeKey(db: Client, given: string): Promise<KeyRow> {
  const name = given.replace(/(…|\.{3})$/, '');
  const shown = hideKey(name);
  const isWhole = isApiKey(name);
  const { rows: keys } = await db.query<KeyRow>(
    `select ${KEY_COLUMNS}
     from api_keys join users on users.id = api_keys.user_id
     where api_keys.id = $1 or api_keys.display_prefix = $2 or api_keys.key_sha256 = $3 or api_keys.previous_sha256 = $3
     for update of api_keys`,
    isUuid(name) ? [name, null, null] : [null, isWhole ? null : name, isWhole ? apiKeyDigest(name) : null],
  );
  const live = keys.filter((key) => key.state !== 'revoked');
  const [key] = live;
  if (keys.length === 0) throw new Problem(`There is no key ${shown}: see npm run admin -- keys list.`);
  if (key === undefined) throw new Problem(`The key ${shown} is revoked already.`);
  if (live.length > 1) throw new Problem(`Several keys begin with ${shown}: name the key by its id.`);
  await db.query('update api_keys set revoked_at = now() where id = $1', [key.keyId]);
  const { keyId, userId, displayPrefix } = key;
  await addAuditEntry(db, 'key.revoke', userId, { keyId, displayPrefix });
  return key;
}

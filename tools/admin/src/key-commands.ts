import type { Command } from 'commander';
import type { Client } from 'pg';
import { examples } from './examples.js';
import { hideKey } from './hide-keys.js';
import { findKeyPlace, listKeys } from './key-queries.js';
import type { KeyPlace, KeyRow } from './key-queries.js';
import { createKey, revoke, takeKey } from './keys.js';
import type { ShownKey } from './keys.js';
import { LIMIT_MAX, readLimit } from './list-limit.js';
import { Problem } from './problem.js';
import { inTransaction, withSession } from './session.js';
import { formatTable, formatTime } from './table.js';
import type { Terminal } from './terminal.js';
import { parseExpiry } from './time-options.js';
import { findUser } from './user-commands.js';
import { isUuid } from './uuid.js';

const NAME_LENGTH_MAX = 64;
const DAY_MS = 86_400_000;

/** Adds `keys create|list|revoke|rotate`. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('the API keys of users');
  keys
    .command('create')
    .description('make another key for a user; it is shown this once')
    .argument('<user>', 'id or address')
    .option('--name <text>', 'what the key is for', 'key')
    .option(
      '--expires <when>',
      'a span like 30m (minutes), 12h, 90d or 2w, or a date like 2030-01-31, at the start of which the key ends (UTC); never by default',
    )
    .option('--json', 'print {"keyId","userId","name","expiresAt","apiKey"}')
    .addHelpText(
      'after',
      examples(
        'keys create ann@example.com --name laptop --expires 90d',
        'keys create ann@example.com --name ci --expires 2030-01-31 --json',
      ),
    )
    .action((user: string, options: CreateOptions) => create(terminal, user, options));
  keys
    .command('list')
    .description('list keys by the address of their user, oldest first; a key itself is never shown again')
    .argument('[user]', 'id or address; everybody by default')
    .option('--after <id>', 'only what comes after this key: the next page')
    .option('--limit <n>', `most keys to list, up to ${LIMIT_MAX}`, '100')
    .option('--json', 'print an array')
    .addHelpText('after', examples('keys list', 'keys list ann@example.com --json'))
    .action((user: string | undefined, options: ListOptions) => list(terminal, user, options));
  keys
    .command('revoke')
    .description('make a key useless within a second')
    .argument('<key>', 'id, or its beginning as keys list shows it, or the whole key')
    .option('--json', 'print {"keyId"}')
    .addHelpText('after', examples('keys revoke slk_live_Ab12Cd34'))
    .action((key: string, options: { json?: true }) => revokeOne(terminal, key, options));
  keys
    .command('rotate')
    .description('make a key of the same name and end, and revoke the old one')
    .argument('<key>', 'id, or its beginning as keys list shows it, or the whole key')
    .option('--json', 'print {"keyId","apiKey","revokedKeyId"}')
    .addHelpText('after', examples('keys rotate slk_live_Ab12Cd34', 'keys rotate slk_live_Ab12Cd34 --json'))
    .action((key: string, options: { json?: true }) => rotate(terminal, key, options));
}

type CreateOptions = { name: string; expires?: string; json?: true };

async function create(terminal: Terminal, idOrEmail: string, options: CreateOptions): Promise<void> {
  const name = options.name.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw new Problem(`--name must have 1 to ${NAME_LENGTH_MAX} characters on one line.`);
  }
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, new Date());
  const created = await withSession(terminal.env, async ({ db }) => {
    const user = await findUser(db, idOrEmail, ', or make one with users create --email <address>');
    const key = await inTransaction(db, () => createKey(db, { userId: user.id, name, expiresAt }));
    return { user, key };
  });
  if (options.json) {
    const { keyId, apiKey } = created.key;
    const userId = created.user.id;
    terminal.stdout(
      `${JSON.stringify({ keyId, userId, name, expiresAt: expiresAt?.toISOString() ?? null, apiKey })}\n`,
    );
    return;
  }
  const end = expiresAt === null ? '' : `, ends ${describeEnd(expiresAt)}`;
  terminal.stdout(`Created a key for ${created.user.email}${end}.\n${shown(created.key)}`);
}

type ListOptions = { after?: string; limit: string; json?: true };

async function list(terminal: Terminal, idOrEmail: string | undefined, options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit);
  // One more than is shown tells whether there is another page.
  const found = await withSession(terminal.env, async ({ db }) => {
    const user = idOrEmail === undefined ? null : await findUser(db, idOrEmail);
    const after = options.after === undefined ? null : await findPlace(db, options.after);
    return listKeys(db, user?.id ?? null, after, limit + 1);
  });
  const keys = found.slice(0, limit);
  if (options.json) {
    terminal.stdout(`${JSON.stringify(keys.map(toJson))}\n`);
    return;
  }
  const last = keys.at(-1);
  if (last === undefined) {
    terminal.stdout(
      options.after === undefined
        ? 'There are no keys. keys create makes one.\n'
        : 'There are no keys after that one.\n',
    );
    return;
  }
  terminal.stdout(
    formatTable(
      ['KEY', 'STATE', 'USER', 'NAME', 'CREATED', 'ENDS', 'LAST USED', 'REVOKED', 'ID'],
      keys.map((key) => [
        `${key.display_prefix}…`,
        stateOf(key),
        key.email,
        key.name,
        formatTime(key.created_at),
        formatTime(key.expires_at),
        formatTime(key.last_used_at),
        formatTime(key.revoked_at),
        key.id,
      ]),
    ),
  );
  if (found.length > limit) terminal.stdout(`There are more: add --after ${last.id}.\n`);
}

async function findPlace(db: Client, id: string): Promise<KeyPlace> {
  const place = isUuid(id) ? await findKeyPlace(db, id) : null;
  if (place === null) {
    throw new Problem(`--after ${JSON.stringify(hideKey(id))}: there is no key with this id.`);
  }
  return place;
}

async function revokeOne(terminal: Terminal, idOrPrefix: string, options: { json?: true }): Promise<void> {
  const key = await withSession(terminal.env, ({ db }) =>
    inTransaction(db, async () => {
      const taken = await takeKey(db, idOrPrefix);
      await revoke(db, taken);
      return taken;
    }),
  );
  terminal.stdout(
    options.json
      ? `${JSON.stringify({ keyId: key.id })}\n`
      : `Revoked ${key.display_prefix}… of ${key.email}.\n`,
  );
}

async function rotate(terminal: Terminal, idOrPrefix: string, options: { json?: true }): Promise<void> {
  const rotated = await withSession(terminal.env, ({ db }) =>
    inTransaction(db, async () => {
      const old = await takeKey(db, idOrPrefix);
      if (old.expires_at !== null && old.expires_at <= new Date()) {
        throw new Problem(`The key ${old.display_prefix}… has expired: make a new one with keys create.`);
      }
      await revoke(db, old);
      const key = await createKey(db, { userId: old.user_id, name: old.name, expiresAt: old.expires_at });
      return { old, key };
    }),
  );
  const { old, key } = rotated;
  terminal.stdout(
    options.json
      ? `${JSON.stringify({ ...key, revokedKeyId: old.id })}\n`
      : `Revoked ${old.display_prefix}… of ${old.email}.\n${shown(key)}`,
  );
}

/** A date could as well be taken for the last day of the key. */
function describeEnd(end: Date): string {
  const isMidnight = end.getTime() % DAY_MS === 0;
  return `${formatTime(end)}${isMidnight ? ', the start of that day' : ''}`;
}

const shown = (key: ShownKey) => `API key, shown only now:\n\n  ${key.apiKey}\n`;

function stateOf(key: KeyRow): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= new Date() ? 'expired' : 'active';
}

function toJson(key: KeyRow): object {
  return {
    keyId: key.id,
    userId: key.user_id,
    email: key.email,
    name: key.name,
    displayPrefix: key.display_prefix,
    state: stateOf(key),
    createdAt: key.created_at.toISOString(),
    expiresAt: key.expires_at?.toISOString() ?? null,
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
  };
}

import type { Client } from 'pg';
import { apiKeyDisplayPrefix } from '@smartlink/smartlink/credentials';
import { isUuid } from '@smartlink/smartlink/store';
import { Problem } from '../cli/terminal.js';

export type UserRow = {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
  readonly createdAt: Date;
  /** Smartlinks that are not Deleted. */
  readonly smartlinks: number;
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
};

export const USER_COLUMNS = `
  users.id, users.email, users.plan, users.created_at as "createdAt",
  (select count(*)::integer from smartlinks
   where smartlinks.user_id = users.id and smartlinks.status in ('Active', 'Paused')) as smartlinks,
  (select count(*)::integer from api_keys
   where api_keys.user_id = users.id and api_keys.revoked_at is null
     and (api_keys.expires_at is null or api_keys.expires_at > now())) as keys`;

export async function findUserRow(db: Client, idOrEmail: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users where users.id = $1 or lower(users.email) = lower($2)`,
    isUuid(idOrEmail) ? [idOrEmail, null] : [null, idOrEmail],
  );
  return rows[0] ?? null;
}

/** The user with this id or address. Throws Problem, with the advice `otherwise`, for an unknown one. */
export async function findUser(db: Client, idOrEmail: string, otherwise = ''): Promise<UserRow> {
  const user = await findUserRow(db, idOrEmail);
  if (user === null) throw noUser(idOrEmail, otherwise);
  return user;
}

/** A key given by mistake is not repeated. */
export function noUser(idOrEmail: string, otherwise = ''): Problem {
  const shown = idOrEmail.includes('@') ? idOrEmail : hideKey(idOrEmail);
  return new Problem(`There is no user ${shown}: see npm run admin -- users list${otherwise}.`);
}

const EMAIL_LENGTH_MAX = 254;

/** Throws Problem, which names the option. */
export function readAddress(option: string, text: string): string {
  const isAddress = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text.length <= EMAIL_LENGTH_MAX;
  if (!isAddress) throw new Problem(`${option} ${JSON.stringify(text)} is not an e-mail address.`);
  return text;
}

const NAME_LENGTH_MAX = 64;

/** The name of a key or plan, trimmed. Throws Problem, which begins with `subject`. */
export function readName(subject: string, text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(name)) return name;
  throw new Problem(`${subject} must have 1 to ${NAME_LENGTH_MAX} characters on one line.`);
}

// A key has 38 behind slk_live_, a display prefix 8: half a key is secret too.
const KEY_CHARACTERS_MIN = 20;
const DAMAGED_SHOWN_LENGTH = 8;

/** The name of a key for messages: a key, whole or damaged, is cut to the start that lists show, or shorter. */
export function hideKey(name: string): string {
  if (isUuid(name)) return name;
  if (name.startsWith('slk_live_')) return cut(name, apiKeyDisplayPrefix(name).length);
  const characters = name.replace(/[^0-9A-Za-z]/g, '').length;
  return characters < KEY_CHARACTERS_MIN ? name : cut(name, DAMAGED_SHOWN_LENGTH);
}

/** Text with all keys in it cut: one may be typed in any place. */
export function hideKeys(lines: string): string {
  return lines.replace(/slk_live_[0-9A-Za-z]{9}[^\s'"]*|[0-9A-Za-z]{30,}/g, hideKey);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

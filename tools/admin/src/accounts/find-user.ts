import type { Client } from 'pg';
import { type AccountRow, findAccount, isEmailAddress } from '@smartlink/smartlink/accounts';
import { apiKeyDisplayPrefix } from '@smartlink/smartlink/credentials';
import { isUuid } from '@smartlink/smartlink/store';
import { Problem } from '../cli/terminal.js';

export const findUserRow = (db: Client, idOrEmail: string): Promise<AccountRow | null> =>
  findAccount(db, isUuid(idOrEmail) ? { id: idOrEmail } : { email: idOrEmail });

/** The user with this id or address. Throws Problem, with the advice `otherwise`, for an unknown one. */
export async function findUser(db: Client, idOrEmail: string, otherwise = ''): Promise<AccountRow> {
  const user = await findUserRow(db, idOrEmail);
  if (user === null) throw noUser(idOrEmail, otherwise);
  return user;
}

/** A key given by mistake is not repeated. */
export function noUser(idOrEmail: string, otherwise = ''): Problem {
  const shown = idOrEmail.includes('@') ? idOrEmail : hideKey(idOrEmail);
  return new Problem(`There is no user ${shown}: see npm run admin -- users list${otherwise}.`);
}

/** Throws Problem, which names the option. */
export function readAddress(option: string, text: string): string {
  if (!isEmailAddress(text)) throw new Problem(`${option} ${JSON.stringify(text)} is not an e-mail address.`);
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

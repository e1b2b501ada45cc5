import { apiKeyDisplayPrefix } from '@smartlink/smartlink/api-key';
import { isUuid } from './uuid.js';

// A key has 38 behind slk_live_ (decisions.md, Keys), a display prefix 8: half a key is secret too.
const KEY_CHARACTERS_MIN = 20;
const DAMAGED_SHOWN_LENGTH = 8;

/**
 * Returns what somebody named a key by, as it may be repeated: of what looks like a key, whole or damaged, no more than
 * the beginning that lists show, and less when the beginning is damaged itself.
 */
export function hideKey(name: string): string {
  if (isUuid(name)) return name;
  if (name.startsWith('slk_live_')) return cut(name, apiKeyDisplayPrefix(name).length);
  const characters = name.replace(/[^0-9A-Za-z]/g, '').length;
  return characters < KEY_CHARACTERS_MIN ? name : cut(name, DAMAGED_SHOWN_LENGTH);
}

/** Returns lines for people with the keys in them cut to their display prefixes: one may be given in any place. */
export function hideKeys(lines: string): string {
  return lines.replace(/slk_live_[0-9A-Za-z]{9}[^\s'"]*|[0-9A-Za-z]{30,}/g, hideKey);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

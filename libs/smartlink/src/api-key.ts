import { crc32 } from 'node:zlib';

// decisions.md, Keys: prefix, 32 random characters, 6 characters of CRC32 over what precedes.
const PREFIX = 'slk_live_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of a key that may be shown and logged to tell keys apart; 24 of the 32 random ones stay unknown. */
const DISPLAY_LENGTH = PREFIX.length + 8;

/** Returns a new API key; `randomInt(max)` must give uniform integers below `max` from a CSPRNG. */
export function generateApiKey(randomInt: (max: number) => number): string {
  let key = PREFIX;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) key += BASE62.charAt(randomInt(BASE62.length));
  return key + checksum(key);
}

/** Returns whether `text` has the form of a key: prefix, length, alphabet and checksum. Asks nobody. */
export function isApiKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !/^slk_live_[0-9A-Za-z]+$/.test(text)) return false;
  const body = text.slice(0, KEY_LENGTH - CHECKSUM_LENGTH);
  return text.endsWith(checksum(body));
}

/** Returns whether there is a key in `text`, whole or damaged: what stands beside a mistyped character is secret too. */
export function holdsApiKey(text: string): boolean {
  return text.includes(PREFIX);
}

/** Returns the part of a key that people are shown to recognise it. */
export function apiKeyDisplayPrefix(key: string): string {
  return key.slice(0, DISPLAY_LENGTH);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

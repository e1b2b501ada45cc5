import { z } from 'zod';
import { oneLineText } from '@smartlink/smartlink/document';

// Day, time to the minute, seconds, fraction, zone: none on Earth is further from UTC than 14 hours.
const MOMENT =
  /^((?!00)\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;
// Seconds of nine or ten digits are of 1973 to 2286; milliseconds have three more.
const EPOCH = /^(\d{9,10})(\d{3})?$/;
const ISO = z.iso.datetime({ offset: true });

/**
 * The moment of ISO 8601, `YYYY-MM-DD HH:MM:SS`, or seconds or milliseconds since 1970; without a zone it is UTC, without a
 * time midnight. Null for all else: the order of day and month cannot be known.
 */
export function parseMoment(text: string): Date | null {
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return new Date(Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0));
  const [, day, minute = '00:00', second = ':00', fraction = '', zone = 'Z'] = MOMENT.exec(text) ?? [];
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}` : 'Z';
  const iso = `${day ?? ''}T${minute}${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`;
  // Date alone takes the 31st of February for the 3rd of March.
  return ISO.safeParse(iso).success ? new Date(iso) : null;
}

/** A value's trimmed text; null when it is empty or no text. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

const readOptional =
  <T>(parse: (text: string) => T | 'unreadable') =>
  (value: unknown): T | null | 'unreadable' => {
    if (value === undefined || value === null) return null;
    const text = toText(value);
    if (text !== null) return parse(text);
    return typeof value === 'string' ? null : 'unreadable';
  };

export const toCount = readOptional((text) =>
  /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 'unreadable',
);

export const toMoment = readOptional((text) => parseMoment(text) ?? 'unreadable');

/** True for JSON's true, and for all text but 0, f, false and no: a hash of a password counts as yes. */
export function isYes(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = toText(value);
  return text !== null && !/^(?:0|f|false|no)$/i.test(text);
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);

const NAME_LENGTH_MAX = 64;
const NAME = oneLineText(NAME_LENGTH_MAX, 'required');

/** The first candidate that can be a name, on one line and cut to its length. */
export function nameOf(candidates: readonly (string | null)[]): string {
  const names = candidates.map((candidate) => {
    // A kibibyte is enough to cut 64 characters from; titles may be a mebibyte long.
    const line = (candidate ?? '').slice(0, 1024).replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ');
    return Array.from(line.trim().toWellFormed()).slice(0, NAME_LENGTH_MAX).join('').trim();
  });
  return names.find((name) => NAME.safeParse(name).success) ?? 'Link';
}

/** A column's name in lower case letters and digits. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

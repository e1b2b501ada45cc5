import { z } from 'zod';
import { NOTES_LENGTH_MAX, oneLineText, TAG_LENGTH_MAX, tagName } from '@smartlink/smartlink/document';
import { TAGS_MAX } from '@smartlink/smartlink/model';

export const DATE_ORDERS = ['mdy', 'dmy'] as const;

/** Which of day and month comes first in dates such as 01/02/2026. */
export type DateOrder = (typeof DATE_ORDERS)[number];

// Each with the members of its groups: year, month, day; `_` none.
const DAYS: readonly (readonly [RegExp, string])[] = [
  [/^(\d{4})([-/.])(\d\d?)\2(\d\d?)/, 'y_md'],
  [/^(\d\d?)([-.])(\d\d?)\2(\d{4}|\d\d)/, 'd_my'],
  [/^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})/i, 'mdy'],
  [/^(?:[a-z]{3,9},? )?(\d\d?)(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})/i, 'dmy'],
];
const SLASHES = /^(\d\d?)\/(\d\d?)\/(\d{4}|\d\d)/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
// Hours and minutes, seconds, fraction, half of the day, zone: none on Earth is further from UTC than 14 hours.
const TIME =
  /^(?:(?:T| at |,? )(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;
// Seconds of nine or ten digits are of 1973 to 2286; milliseconds have three more.
const EPOCH = /^(\d{9,10})(\d{3})?$/;
const ISO = z.iso.datetime({ offset: true });

/** Whether the order of day and month is a guess. */
export function isAmbiguousDate(text: string): boolean {
  const [, first = '', second = ''] = SLASHES.exec(text) ?? [];
  return first !== second && Number(first) <= 12 && Number(second) <= 12 && second !== '';
}

/**
 * The moment of a date, with or without a time: ISO 8601, 2026/01/31, 31.01.2026, 31-01-2026, 01/31/2026, 31 Jan 2026 or
 * January 31, 2026; or seconds or milliseconds since 1970. Without a zone it is UTC, without a time midnight. In 01/02/2026
 * `order` decides; without it the month is first where it can be. Null for all else.
 */
export function parseMoment(written: string, order?: DateOrder): Date | null {
  const text = written.replace(/\s+/g, ' ');
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return new Date(Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0));
  const slashes: DateOrder = order ?? (Number(SLASHES.exec(text)?.[1]) > 12 ? 'dmy' : 'mdy');
  for (const [form, members] of [...DAYS, [SLASHES, slashes] as const]) {
    const found = form.exec(text);
    if (found === null) continue;
    const member = (name: string): string => found[members.indexOf(name) + 1] ?? '';
    const day = `${yearOf(member('y'))}-${monthOf(member('m'))}-${member('d').padStart(2, '0')}`;
    const iso = isoOf(day, TIME.exec(text.slice(found[0].length)));
    // Date alone takes the 31st of February for the 3rd of March.
    return iso !== null && ISO.safeParse(iso).success ? new Date(iso) : null;
  }
  return null;
}

const yearOf = (digits: string): string => (digits.length === 2 ? `20${digits}` : digits.replace(/^00/, ''));

const monthOf = (text: string): string =>
  (/\d/.test(text) ? text : `${MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1}`).padStart(2, '0');

function isoOf(day: string, time: RegExpExecArray | null): string | null {
  if (time === null) return null;
  const [, hour = '00', minute = '00', second = '00', fraction = '', half, zone = 'Z'] = time;
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hour24 =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}` : 'Z';
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  return `${day}T${`${hour24}`.padStart(2, '0')}:${minute}:${second}.${milliseconds}${offset}`;
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

// 1,234 and, as spreadsheets of other languages write it, 1.234, 1 234 and 1'234.
const GROUPED = /^\d{1,3}([,.\s'’])\d{3}(?:\1\d{3})*$/;

export const toCount = readOptional((text) => {
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text.replace(/\.0+$/, '');
  return /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : 'unreadable';
});

export const toMoment = (value: unknown, order?: DateOrder): Date | null | 'unreadable' =>
  readOptional((text) => parseMoment(text, order) ?? 'unreadable')(value);

/** True for JSON's true, and for all text but 0, f, false and no: a hash of a password counts as yes. */
export function isYes(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = toText(value);
  return text !== null && !/^(?:0|f|false|no)$/i.test(text);
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);

const NAME_LENGTH_MAX = 64;
const NAME = oneLineText(NAME_LENGTH_MAX, 'required');

/** Text on one line. A kibibyte is enough to cut 64 characters from; titles may be a mebibyte long. */
function toLine(text: string | null): string {
  const line = (text ?? '').slice(0, 1024).replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ');
  return line.trim().toWellFormed();
}

/** The first candidate that can be a name, on one line and cut to its length. */
export function nameOf(candidates: readonly (string | null)[]): string {
  const names = candidates.map((candidate) => {
    return Array.from(toLine(candidate)).slice(0, NAME_LENGTH_MAX).join('').trim();
  });
  return names.find((name) => NAME.safeParse(name).success) ?? 'Link';
}

const TAG = tagName();

/** Names of tags: of an array, or of a cell in which commas, semicolons or bars separate them. `isCut`: there are more. */
export function tagsOf(value: unknown): { readonly tags: readonly string[]; readonly isCut: boolean } {
  const given: readonly unknown[] = Array.isArray(value) ? value : (toText(value) ?? '').split(/[,;|]/);
  const names = given.map((name) =>
    Array.from(toLine(toText(name)).replaceAll(',', ' '))
      .slice(0, TAG_LENGTH_MAX)
      .join('')
      .trim(),
  );
  const tags = [...new Set(names.filter((name) => TAG.safeParse(name).success))];
  return { tags: tags.slice(0, TAGS_MAX), isCut: tags.length > TAGS_MAX };
}

/** Notes without control characters, cut to their length; null without any. */
export function notesOf(value: unknown): string | null {
  const text = (toText(value) ?? '').slice(0, 2 * NOTES_LENGTH_MAX).replace(/(?![\t\n])\p{Cc}/gu, '');
  return toText(Array.from(text.toWellFormed()).slice(0, NOTES_LENGTH_MAX).join(''));
}

/** A column's name in lower case letters and digits. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

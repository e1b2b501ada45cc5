import { UNPRINTABLE } from '@smartlink/import/text';

/** `1 event`, `2 events`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The first `max` names, and whether there are more. */
export const nameSome = (names: readonly string[], separator: string, max: number): string =>
  `${names.slice(0, max).join(separator)}${names.length > max ? ' and more' : ''}`;

/** JSON on one line, with the characters that toPrintable replaces escaped. */
export function toPrintableJson(value: unknown): string {
  const escape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(UNPRINTABLE, escape);
}

/** UTC to the minute; `-` for null. */
export const formatTime = (time: Date | null): string =>
  time === null ? '-' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The examples of a help text; each begins with the first word after `admin --`. */
export function examples(...lines: readonly string[]): string {
  const typed = lines.map((line) => `  npm run --silent admin -- ${line}`);
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${typed.join('\n')}`;
}

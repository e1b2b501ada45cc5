import { type Command, Option } from 'commander';
import { z } from 'zod';
import { Problem } from './terminal.js';

/**
 * The option that names an account, by its e-mail or id, in every command. Scripts may use the earlier --email and --user;
 * they are not listed. Commands that took the account as an argument add `[account]` without a description.
 */
export function addAccountOption(command: Command, description: string): Command {
  command.option('-a, --account <email>', description);
  for (const name of ['email', 'user']) {
    command.addOption(new Option(`--${name} <email>`).hideHelp());
    command.on(`option:${name}`, (account: string) => command.setOptionValue('account', account));
  }
  return command;
}

/** Throws Problem if no account is given. */
export function requireAccount(account: string | undefined, purpose: string): string {
  if (account !== undefined) return account;
  throw new Problem(`Name the account ${purpose}: --account <email>.`);
}

/** Most rows that one list prints. */
export const LIMIT_MAX = 1_000;

/** The text as a whole number from `min` to `max`. Throws Problem, which names the option, on anything else. */
export function readCount(option: string, text: string, min: number, max: number): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (count >= min && count <= max) return count;
  throw new Problem(`${option} ${JSON.stringify(text)}: expected a whole number from ${min} to ${max}.`);
}

/** The text, if it is one of the choices. Throws Problem, which names the option, on anything else. */
export function readChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw new Problem(`${option} ${JSON.stringify(text)}: expected one of ${choices.join(', ')}.`);
}

export const readLimit = (text: string): number => readCount('--limit', text, 1, LIMIT_MAX);

const MS_BY_UNIT = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * The end of a key: `30m`, `12h`, `90d` or `2w` from now, the start of an ISO date (UTC), or an ISO time. Throws Problem on
 * anything else and on a time that has passed.
 */
export function parseExpiry(text: string, now: Date): Date {
  const time = readTime(text, (span) => now.getTime() + span);
  const option = `--expires ${JSON.stringify(text)}`;
  if (Number.isNaN(time))
    throw new Problem(`${option}: expected a span like 90d, or a date like 2030-01-31.`);
  if (time <= now.getTime()) throw new Problem(`${option}: that time has passed.`);
  return new Date(time);
}

/** The start of a list: as parseExpiry, but back from now. */
export function parseSince(text: string, now: Date): Date {
  const time = readTime(text, (span) => now.getTime() - span);
  if (Number.isNaN(time))
    throw new Problem(`--since ${JSON.stringify(text)}: expected a span like 7d, or a date like 2026-01-31.`);
  return new Date(time);
}

const ISO = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Milliseconds since 1970, or NaN. */
function readTime(text: string, fromSpan: (spanMs: number) => number): number {
  const span = /^(\d{1,5})([mhdw])$/.exec(text);
  if (span === null) return ISO.safeParse(text).success ? Date.parse(text) : NaN;
  const [, count, unit] = span;
  return fromSpan(Number(count) * MS_BY_UNIT[unit as keyof typeof MS_BY_UNIT]);
}

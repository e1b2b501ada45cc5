import { countCodePoints, oneLineText } from '@smartlink/smartlink/text';
import { refusal } from './import-row.js';
import type { JsonObject, ReadLink, Refusal } from './import-row.js';
import { parseMoment } from './moment.js';

/** What a reader of another service's export may be told. */
export type ForeignOptions = {
  /** The password for links that had one elsewhere: nobody can bring that along. Without it such a link is refused. */
  readonly newPassword?: string;
  readonly now: Date;
};

/** What another service says of a link; text as it stands there. */
export type ForeignLink = {
  readonly url: unknown;
  readonly slug: string | null;
  readonly title: unknown;
  readonly createdAt: unknown;
  readonly clicks: unknown;
  readonly scans?: unknown;
  readonly hasPassword?: boolean;
  /** The service leads nobody there any more, or not yet. */
  readonly isOff?: boolean;
};

/** How one service's exports look: as records of its API, and as a table whose columns become such records. */
export type Service = {
  /** The member of a record that a column of this name holds; names as columnKey makes them. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether these are the members of a link of this service. */
  readonly isLink: (members: ReadonlySet<string>) => boolean;
  readonly read: (record: JsonObject, now: Date) => ForeignLink;
};

const NAME_LENGTH_MAX = 64;
const NAME = oneLineText(NAME_LENGTH_MAX, 'required');

/**
 * Returns another service's link as a create of ours: a Url with its slug, whatever that looks like, and its name, date
 * and clicks. Returns why not when it has no destination, a date or count that cannot be read, or a password.
 */
export function fromForeign(link: ForeignLink, { newPassword }: ForeignOptions): ReadLink | Refusal {
  const url = toText(link.url);
  const refuse = (reason: string): Refusal => refusal(reason, link.slug);
  if (url === null) return refuse('has no address that it leads to');
  if (link.hasPassword === true && newPassword === undefined)
    return refuse(
      'asks for a password, which the export does not have: --new-password-file gives it a new one',
    );
  const createdAt = toMoment(link.createdAt);
  if (createdAt === 'unreadable')
    return refuse('has a date that cannot be read: write it like 2026-01-31T12:00:00Z');
  const clicks = toCount(link.clicks);
  const scans = toCount(link.scans);
  if (clicks === 'unreadable' || scans === 'unreadable')
    return refuse('has a count that is no whole number of 0 or more');
  const slug = link.slug === '' ? null : link.slug;
  const protection = link.hasPassword === true ? { protected: true, password: newPassword } : {};
  return {
    body: {
      configuration: {
        smartlinkName: nameOf([toText(link.title), slug, hostOf(url)]),
        ...(slug !== null && { smartlinkUrl: slug }),
        smartlinkType: 'Url',
      },
      shortener: { url, ...protection },
    },
    ...(createdAt !== null && { createdAt }),
    ...(link.isOff === true && { status: 'Paused' as const }),
    ...((clicks !== null || scans !== null) && {
      totals: { clicks: clicks ?? 0, scans: scans ?? 0, fallbacks: 0 },
    }),
  };
}

/** Returns the last part of a short link's path, decoded; null when it has none. */
export function slugOf(shortLink: unknown): string | null {
  const path = toText(shortLink)
    ?.replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\//i, '');
  const slug = path
    ?.split('/')
    .slice(1)
    .findLast((part) => part !== '');
  if (slug === undefined) return null;
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** Returns a value's text without the space around it; null when there is none. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

/** Returns null for what database tools write into a table where there is nothing. */
export function withoutNull(value: unknown): unknown {
  return value === 'NULL' || value === '\\N' ? null : value;
}

/** Returns a count, null when there is none. */
export function toCount(value: unknown): number | null | 'unreadable' {
  if (value === undefined || value === null) return null;
  const text = toText(value);
  if (text === null) return typeof value === 'string' ? null : 'unreadable';
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : 'unreadable';
}

/** Returns a moment, null when there is none. */
export function toMoment(value: unknown): Date | null | 'unreadable' {
  if (value === undefined || value === null) return null;
  const text = toText(value);
  if (text === null) return typeof value === 'string' ? null : 'unreadable';
  return parseMoment(text) ?? 'unreadable';
}

/** Returns whether a value says yes, as JSON, as text or as a database's 1; other text, a hash say, does as well. */
export function isYes(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = toText(value);
  return text !== null && !/^(?:0|f|false|no)$/i.test(text);
}

/** Returns the host of an address as far as it can be told. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

/** Returns the first of these that can be a name, on one line and cut to its length. */
export function nameOf(candidates: readonly (string | null)[]): string {
  for (const candidate of candidates) {
    // A kibibyte is enough to cut 64 characters from; titles may be a mebibyte long.
    const line = (candidate ?? '')
      .slice(0, 1024)
      .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
      .trim();
    const name = cutName(line.toWellFormed()).trim();
    if (NAME.safeParse(name).success) return name;
  }
  return 'Link';
}

function cutName(text: string): string {
  return countCodePoints(text) <= NAME_LENGTH_MAX
    ? text
    : Array.from(text).slice(0, NAME_LENGTH_MAX).join('');
}

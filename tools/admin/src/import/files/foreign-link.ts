import { z } from 'zod';
import { oneLineText } from '@smartlink/smartlink/document';
import { countCodePoints } from '@smartlink/smartlink/model';
import { type CellReader, type JsonObject, type ReadLink, refusal, type Refusal } from './import-row.js';

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

export type ForeignOptions = {
  /** Replaces passwords, which no export has. Without it links with a password are refused. */
  readonly newPassword?: string | undefined;
  /** Links may have expired. */
  readonly now: Date;
};

/** A link of another service, with unchecked texts. */
export type ForeignLink = {
  readonly url: unknown;
  readonly slug: string | null;
  readonly title: unknown;
  readonly createdAt: unknown;
  readonly clicks: unknown;
  readonly scans?: unknown;
  readonly hasPassword?: boolean;
  /** The service does not redirect it any more, or not yet. */
  readonly isOff?: boolean;
};

/** A service's exports: records of its API, or a table whose columns become such records. */
export type Service = {
  /** The members of a record, and what else a column of theirs may be called, as columnKey makes it. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** The member with the destination. */
  readonly url: string;
  /** A link has one of these members. */
  readonly shortLinks: readonly string[];
  readonly read: (record: JsonObject, now: Date) => Omit<ForeignLink, 'url'>;
};

export const isLinkOf = ({ url, shortLinks }: Service, members: readonly unknown[]): boolean =>
  members.includes(url) && shortLinks.some((name) => members.includes(name));

/**
 * The smartlink of a service's record; a refusal when it has no destination, an unreadable date or count, or a password and
 * there is no new one.
 */
export const readForeign = (
  service: Service,
  record: JsonObject,
  options: ForeignOptions,
): ReadLink | Refusal =>
  fromForeign({ url: record[service.url], ...service.read(record, options.now) }, options);

const NAME_LENGTH_MAX = 64;
const NAME = oneLineText(NAME_LENGTH_MAX, 'required');

/** A create of type Url, with an unchecked slug. */
export function fromForeign(
  link: ForeignLink,
  { newPassword }: Pick<ForeignOptions, 'newPassword'>,
): ReadLink | Refusal {
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

/** The last part of a short link's path, decoded, or null. */
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

/** A value's trimmed text; null when it is empty or no text. */
export function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text;
}

/** Null for the marks of database tools. */
export function withoutNull(value: unknown): unknown {
  return value === 'NULL' || value === '\\N' ? null : value;
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

/** The first candidate that can be a name, on one line and cut to its length. */
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

/** A column's name in lower case letters and digits. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The service's members in the columns of a heading; undefined for unknown columns. */
export const membersOf = (header: readonly string[], { columns }: Service): (string | undefined)[] =>
  header.map(columnKey).map((key) => {
    const known = Object.entries(columns).find(
      ([member, names]) => columnKey(member) === key || names.includes(key),
    );
    return known?.[0];
  });

/**
 * The reader of rows under a service's heading, or the heading's fault. Unknown columns are ignored; of two columns with the
 * same meaning the first value counts.
 */
export function foreignCsvReader(
  header: readonly string[],
  service: Service,
  options: ForeignOptions,
): CellReader | { readonly problem: string } {
  const members = membersOf(header, service);
  if (!isLinkOf(service, members))
    return { problem: 'has no columns with the short link and the address it leads to' };
  return (cells) => {
    const record: Record<string, string> = {};
    for (const [index, member] of members.entries()) {
      const text = cells[index] ?? '';
      if (member !== undefined && (record[member] ?? '') === '') record[member] = text;
    }
    return readForeign(service, record, options);
  };
}

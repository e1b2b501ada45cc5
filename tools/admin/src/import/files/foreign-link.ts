import { z } from 'zod';
import { oneLineText } from '@smartlink/smartlink/document';
import {
  type CellReader,
  type JsonObject,
  type ReadLink,
  type ReadResult,
  refusal,
  type Refusal,
} from './import-row.js';

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

/** The creation time and click totals in a record, or what is wrong with them. Without any count there are no totals. */
export function readHistory(record: JsonObject): Pick<ReadLink, 'createdAt' | 'totals'> | Refusal {
  const createdAt = toMoment(record['createdAt']);
  if (createdAt === 'unreadable')
    return { reason: 'createdAt cannot be read: write it like 2026-01-31T12:00:00Z' };
  const totals = { clicks: 0, scans: 0, fallbacks: 0 };
  let hasTotals = false;
  for (const name of ['clicks', 'scans', 'fallbacks'] as const) {
    const count = toCount(record[name]);
    if (count === 'unreadable') return { reason: `${name} is not a whole number of 0 or more` };
    hasTotals ||= count !== null;
    totals[name] = count ?? 0;
  }
  return { ...(createdAt !== null && { createdAt }), ...(hasTotals && { totals }) };
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
  /** The members of a record, each followed by other names of its column, as columnKey makes them. */
  readonly columns: readonly string[];
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
export const readForeign = (service: Service, record: JsonObject, options: ForeignOptions): ReadResult =>
  fromForeign({ url: record[service.url], ...service.read(record, options.now) }, options);

/** A create of type Url, with an unchecked slug. */
export function fromForeign(
  link: ForeignLink,
  { newPassword }: Pick<ForeignOptions, 'newPassword'>,
): ReadResult {
  const url = toText(link.url);
  if (url === null) return refusal('has no destination address', link.slug);
  if (link.hasPassword === true && newPassword === undefined) {
    const reason = 'has a password, which is not exported: set a new one with --new-password-file';
    return refusal(reason, link.slug);
  }
  const history = readHistory(link);
  if ('reason' in history) return refusal(history.reason, link.slug);
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
    ...history,
    ...(link.isOff === true && { status: 'Paused' as const }),
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

/** A column's name in lower case letters and digits. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The service's members in the columns of a heading; undefined for unknown columns. */
export function membersOf(header: readonly string[], { columns }: Service): (string | undefined)[] {
  const known = columns.map((names) => names.split(' '));
  return header.map(columnKey).map((key) => {
    const names = known.find(([member = '', ...others]) => columnKey(member) === key || others.includes(key));
    return names?.[0];
  });
}

/**
 * The reader of rows under a service's heading. Unknown columns are ignored; of two columns with the same meaning the first
 * value counts.
 */
export function foreignCsvReader(
  header: readonly string[],
  service: Service,
  options: ForeignOptions,
): CellReader {
  const members = membersOf(header, service);
  if (!isLinkOf(service, members))
    return { problem: 'has no columns for the short link and its destination address' };
  return (cells) => {
    const record: Record<string, string> = {};
    for (const [index, member] of members.entries()) {
      const cell = cells[index] ?? '';
      // Database tools write NULL or \N for nothing.
      const text = cell === 'NULL' || cell === '\\N' ? '' : cell;
      if (member !== undefined && (record[member] ?? '') === '') record[member] = text;
    }
    return readForeign(service, record, options);
  };
}

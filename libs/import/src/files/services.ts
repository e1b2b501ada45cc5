import { isObject } from '@smartlink/smartlink/model';
import type { CellReader, JsonObject, ReadResult } from './import-row.js';
import { type ForeignLimits, readLimits } from './limits.js';
import { readFlatLink } from './own-csv.js';
import { readShlinkRules } from './shlink-rules.js';
import { columnKey, type DateOrder, hostOf, isYes, nameOf, notesOf, tagsOf, toText } from './values.js';

export type ForeignOptions = {
  /** Replaces passwords, which no export has. Without it links with a password are refused. */
  readonly newPassword?: string | undefined;
  readonly dateOrder?: DateOrder | undefined;
};

/** A link of another service, with unchecked texts. */
type ForeignLink = {
  readonly slug: string | null;
  readonly title: unknown;
  readonly createdAt: unknown;
  readonly clicks: unknown;
  readonly scans?: unknown;
  /** Its whole address. */
  readonly shortLink: unknown;
  readonly tags?: unknown;
  readonly notes?: unknown;
  readonly archived?: boolean;
  readonly hasPassword?: boolean;
  /** The service does not redirect it. */
  readonly isOff?: boolean;
  /** Whether the visitor's parameters are added to its destination; as here by default. */
  readonly forwardsQuery?: boolean;
  readonly rules?: ReturnType<typeof readShlinkRules>;
  readonly limits?: ForeignLimits;
  /** What it has and links here do not. */
  readonly lost?: readonly string[];
};

/** A service's exports: records of its API, or a table whose columns become such records. */
type Service = {
  /** The members of a record, each followed by other names of its column, as columnKey makes them. */
  readonly columns: readonly string[];
  /** The member with the destination. */
  readonly url: string;
  /** A link has one of these members. */
  readonly shortLinks: readonly string[];
  /** What has no equivalent here, by its member. */
  readonly lost: Readonly<Record<string, string>>;
  readonly read: (record: JsonObject, options: ForeignOptions) => ForeignLink;
};

/**
 * Bitly. JSON: GET /v4/groups/{group_guid}/bitlinks (dev.bitly.com, API reference; read as Shlink's importer reads it,
 * src/Sources/Bitly/BitlyApiImporter.php in shlinkio/shlink-importer). CSV: the export of Links in its web application.
 * Bitly documents no heading for it; URLR's guide for leaving Bitly (URLR/urlr-docs, migration/bitly.md) names "Link",
 * "Custom Link" and "Destination URL", so every spelling of the API's own words is taken as well. Its times carry an
 * offset, as in 2025-10-13T17:11:28+0000.
 */
const bitly: Service = {
  columns: [
    'link bitlink shortlink shorturl',
    'id',
    'long_url destination destinationurl originalurl',
    'custom_bitlinks customlink customlinks custombitlink custombackhalf',
    'title linktitle',
    'created_at created createddate datecreated',
    'clicks totalclicks linkclicks',
    'engagements totalengagements',
    'scans qrscans qrcodescans totalscans',
    'tags tag',
    'notes note',
    'archived isarchived',
    'deeplinks',
    'expiration_at expiration expires expiresat expirationdate',
  ],
  url: 'long_url',
  shortLinks: ['link', 'id', 'custom_bitlinks'],
  lost: { deeplinks: 'links into apps' },
  read: (record) => {
    // A chosen back-half is the printed one.
    const [custom, ...others] = customLinks(record['custom_bitlinks']);
    return {
      slug: slugOf(custom) ?? slugOf(record['link']) ?? slugOf(record['id']),
      shortLink: custom ?? record['link'] ?? record['id'],
      title: record['title'],
      createdAt: record['created_at'],
      ...countsOf(record),
      tags: record['tags'],
      notes: record['notes'],
      archived: isYes(record['archived']),
      limits: { expiresAt: record['expiration_at'] },
      lost: others.length > 0 ? ['further back-half'] : [],
    };
  },
};

/** An array in JSON; in a table one or several after commas, which may be back-halves without host. */
function customLinks(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  const parts = value.split(/[,;|\s]+/).filter((part) => part !== '');
  return parts.map((part) => (part.includes('/') ? part : `/${part}`));
}

/** Engagements are clicks and scans together, and stand alone in some exports. */
function countsOf(record: Readonly<Record<string, unknown>>): { clicks: unknown; scans: unknown } {
  const { clicks, scans, engagements } = record;
  if (clicks !== undefined && clicks !== '') return { clicks, scans };
  const clicksAndScans = Number(engagements) - Number(scans ?? 0);
  return { clicks: clicksAndScans >= 0 && engagements !== '' ? clicksAndScans : engagements, scans };
}

/**
 * Kutt. JSON: GET /api/v2/links, {data: […]}, whose members are those of `sanitize.link` in server/utils/utils.js of
 * thedevs-network/kutt; `password` is whether there is one. Kutt has no CSV of its own: a table is taken whose columns are
 * called like those members or like its table `links` (server/models/link.model.js), where `password` is a hash.
 */
const kutt: Service = {
  columns: 'address link target description created_at expire_in visit_count password banned'.split(' '),
  url: 'target',
  shortLinks: ['address'],
  lost: {},
  read: (record) => ({
    slug: toText(record['address']) ?? slugOf(record['link']),
    shortLink: record['link'],
    title: record['description'],
    createdAt: record['created_at'],
    clicks: record['visit_count'],
    hasPassword: isYes(record['password']),
    isOff: isYes(record['banned']),
    limits: { expiresAt: record['expire_in'] },
  }),
};

/**
 * Shlink. CSV: the web client's export, whose columns are those of ExportShortUrlsBtn.tsx in shlinkio/shlink-web-component
 * (createdAt, domain, shortCode, shortUrl, longUrl, title, tags, visits), and the "Long URL", "Short code" tables of
 * shlinkio/shlink-importer. JSON: GET /rest/v3/short-urls, read as ShlinkMapper.php there reads it.
 */
const shlink: Service = {
  columns: [
    'dateCreated createdat',
    'shortCode',
    'shortUrl',
    'longUrl',
    'title',
    'visitsCount visits',
    'tags',
  ],
  url: 'longUrl',
  shortLinks: ['shortCode', 'shortUrl'],
  lost: {},
  read: (record) => ({
    // Codes of several segments are passed on whole.
    slug: toText(record['shortCode']) ?? slugOf(record['shortUrl']),
    shortLink: record['shortUrl'],
    title: record['title'],
    createdAt: record['dateCreated'],
    clicks: visitsOf(record),
    tags: record['tags'],
    forwardsQuery: record['forwardQuery'] !== false,
    rules: readShlinkRules(record),
    limits: limitsOf(record),
  }),
};

/** Without bots, where Shlink counts them separately. */
function visitsOf(record: JsonObject): unknown {
  const summary = record['visitsSummary'];
  if (!isObject(summary)) return record['visitsCount'];
  return summary['nonBots'] ?? summary['total'] ?? record['visitsCount'];
}

/** Shlink answers 404 before `validSince`, after `validUntil` and beyond `maxVisits`, for which it counts bots too. */
function limitsOf(record: JsonObject): ForeignLimits {
  const meta = record['meta'];
  if (!isObject(meta)) return {};
  const summary = record['visitsSummary'];
  return {
    startsAt: meta['validSince'],
    expiresAt: meta['validUntil'],
    maxVisits: meta['maxVisits'],
    visits: isObject(summary) ? summary['total'] : record['visitsCount'],
  };
}

/**
 * YOURLS. CSV: its table `yourls_url` (includes/functions-install.php in YOURLS/YOURLS: keyword, url, title, timestamp, ip,
 * clicks), as database tools write it. JSON: the API's `stats` action, {links: {link_1: {shorturl, url, …}}} by
 * yourls_get_stats in includes/functions.php. Neither names a zone; the times are the server's, and taken as UTC.
 */
const yourls: Service = {
  columns: 'keyword shorturl url title timestamp clicks'.split(' '),
  url: 'url',
  shortLinks: ['keyword', 'shorturl'],
  lost: {},
  read: (record) => ({
    slug: toText(record['keyword']) ?? slugOf(record['shorturl']),
    shortLink: record['shorturl'],
    title: record['title'],
    createdAt: record['timestamp'],
    clicks: record['clicks'],
  }),
};

/** By their name in the formats. A table of short and long URLs could be Shlink's or Bitly's: the first that fits counts. */
export const SERVICES = { shlink, kutt, yourls, bitly } as const satisfies Record<string, Service>;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly (keyof typeof SERVICES)[];

export const isLinkOf = ({ url, shortLinks }: Service, members: readonly unknown[]): boolean =>
  members.includes(url) && shortLinks.some((name) => members.includes(name));

/**
 * The smartlink of a service's record, of type Url; refused when it has no destination, or a password and there is no new
 * one.
 */
export function readForeign(service: Service, record: JsonObject, options: ForeignOptions): ReadResult {
  const read = service.read(record, options);
  const {
    slug,
    title,
    shortLink,
    hasPassword = false,
    isOff = false,
    limits = {},
    lost = [],
    forwardsQuery = true,
    rules,
    ...others
  } = read;
  const { tags, notes, archived = false, ...history } = others;
  const named = tagsOf(tags);
  const { availability, visitsUsed, isNever, losses } = readLimits(limits, options.dateOrder);
  const url = toText(record[service.url]);
  const newPassword = toText(options.newPassword);
  const flat = {
    slug,
    url,
    name: nameOf([toText(title), slug, url === null ? null : hostOf(url)]),
    ...history,
    tags: named.tags.length === 0 ? null : named.tags,
    notes: notesOf(notes),
    archived: archived ? 'true' : null,
    status: isOff || isNever ? 'Paused' : null,
    password: hasPassword ? newPassword : null,
    'redirect.forwardQuery': forwardsQuery ? null : 'false',
  };
  const link = readFlatLink(flat, options.dateOrder);
  if ('reason' in link) return link;
  const unknown = Object.keys(service.lost).filter((member) => !isNothing(record[member]));
  return {
    ...link,
    body: {
      ...link.body,
      ...(rules?.routing !== undefined && { routing: rules.routing }),
      ...(availability !== undefined && { availability }),
    },
    ...(visitsUsed !== undefined && { visitsUsed }),
    domain: domainOf(shortLink),
    faults: [
      ...(link.faults ?? []),
      ...(url === null ? [{ path: 'shortener', message: 'Has no destination address' }] : []),
      ...(hasPassword && newPassword === null ? [NO_PASSWORD] : []),
    ],
    losses: [
      ...(link.losses ?? []),
      ...(isOff || isNever ? ['it is off, and is imported as Paused'] : []),
      ...(named.isCut ? ['of its tags only the first 20 are kept'] : []),
      ...losses,
      ...lost.map((name) => `its ${name} is not kept`),
      ...(rules?.losses ?? []),
      ...unknown.map((member) => `its ${service.lost[member]} are not kept`),
    ],
  };
}

/** The fault of a link whose password the other service keeps. */
export const NO_PASSWORD = {
  path: 'shortener.password',
  message: 'Is never exported: the link needs a new one',
};

const isNothing = (value: unknown): boolean =>
  !isYes(value) && (typeof value !== 'object' || Object.values(value ?? {}).every(isNothing));

/** The host of a short link; null without one, and for Bitly's own, which no one can keep. */
function domainOf(shortLink: unknown): string | null {
  const [, host = ''] =
    /^(?:https?:\/\/)?([a-z0-9.-]{1,253})(?::\d+)?\//i.exec(toText(shortLink) ?? '') ?? [];
  return host === '' || host === 'bit.ly' ? null : host.toLowerCase();
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

export {
  BROWSERS,
  DEVICES,
  isCountryCode,
  SYSTEMS,
  UNKNOWN_COUNTRY,
  VISIT_SOURCES,
} from './visitor-names.js';

/** The seven types, in the specification's spelling. */
export const SMARTLINK_TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'] as const;
export type SmartlinkType = (typeof SMARTLINK_TYPES)[number];

export function isSmartlinkType(value: unknown): value is SmartlinkType {
  return (SMARTLINK_TYPES as readonly unknown[]).includes(value);
}

/** The object without which a hosted page has nothing to show. */
export const PAGE_OBJECTS = {
  Landing: 'landing',
  QRTag: 'qrTag',
  DigiCard: 'digiCard',
  TxtBin: 'txtBin',
  QrMenu: 'qrMenu',
} as const satisfies Partial<Record<SmartlinkType, string>>;

/** The types whose pages have an `appearance`. A test holds the set against the schemas. */
export const APPEARANCE_TYPES: ReadonlySet<SmartlinkType> = new Set([
  'Landing',
  'QRTag',
  'DigiCard',
  'QrMenu',
]);

/** The types that redirect visitors, and so have `redirect`. A test holds the set against the schemas. */
export const REDIRECT_TYPES: ReadonlySet<SmartlinkType> = new Set(['Url', 'App']);

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

/** Longest time that a browser may keep a redirect: a year. */
export const CACHE_SECONDS_MAX = 31_536_000;

/** Whether browsers keep a redirect of this status. */
export const isPermanent = (status: unknown): boolean => status === 301 || status === 308;

/** Members that need the newest snapshot format, and whether a smartlink of a type shows them. */
export const NEW_MEMBERS = {
  utm: (type: SmartlinkType) => type === 'Url',
  redirect: (type: SmartlinkType) => REDIRECT_TYPES.has(type),
  routing: (_type: SmartlinkType) => true,
  availability: (_type: SmartlinkType) => true,
} as const;

export type NewMember = keyof typeof NEW_MEMBERS;

export const NEW_MEMBER_NAMES = Object.keys(NEW_MEMBERS) as readonly NewMember[];

/** Whether a smartlink has members that need the newest snapshot format. */
export const hasNewMembers = (smartlink: Partial<Readonly<Record<NewMember, unknown>>>): boolean =>
  NEW_MEMBER_NAMES.some((name) => (smartlink[name] ?? null) !== null);

/** The states of a smartlink. Deleted is final. */
export const SMARTLINK_STATUSES = ['Active', 'Paused', 'Deleted'] as const;
export type SmartlinkStatus = (typeof SMARTLINK_STATUSES)[number];

/** Most tags of a smartlink. */
export const TAGS_MAX = 20;

/** Longest slug, in characters. */
export const SLUG_LENGTH_MAX = 64;

/** Longest password of a link, in code points. */
export const PASSWORD_LENGTH_MAX = 128;

/** Matches a normalised http(s) href: printable ASCII (WHATWG URL), safe in a Location header. */
export const NORMALISED_HREF = /^https?:\/\/[\x21-\x7e]+$/;

/** Words no slug may be, in any case. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['dashboard', 'welcome', 'pp', 'tos']);

// No vowels and none of 0, 1, l, o: no words by accident, nothing to misread.
const ASSIGNED_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz';

/** Whether `text`, from `start` to `end`, has the form of a slug: 1 to 64 latin letters and digits. */
export function isSlug(text: string, start = 0, end = text.length): boolean {
  return isWord(text, start, end, false);
}

/**
 * Whether `text`, from `start` to `end`, can lead to a smartlink: a slug, or an imported address, which may contain `-` and
 * `_`. A single `-` cannot: internal addresses begin with `/-/`.
 */
export function isAddress(text: string, start = 0, end = text.length): boolean {
  return isWord(text, start, end, true) && !(end - start === 1 && text.charCodeAt(start) === HYPHEN);
}

const HYPHEN = 45;
const LOW_LINE = 95;

function isWord(text: string, start: number, end: number, allowsMarks: boolean): boolean {
  const length = end - start;
  if (length <= 0 || length > SLUG_LENGTH_MAX) return false;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    const isDigit = code >= 48 && code <= 57;
    const isUpper = code >= 65 && code <= 90;
    const isLower = code >= 97 && code <= 122;
    if (isDigit || isUpper || isLower) continue;
    if (!allowsMarks || (code !== HYPHEN && code !== LOW_LINE)) return false;
  }
  return true;
}

/** The form under which a slug is unique and looked up. `slug` must satisfy isSlug (ASCII only). */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

/** The key of an imported address, which is looked up exactly as written. No key of a slug begins with `=`. */
export function importedKey(address: string): string {
  return `=${address}`;
}

/** The key under which a visited address is looked up first. `address` must satisfy isAddress. */
export function addressKey(address: string): string {
  return address.includes('-') || address.includes('_') ? importedKey(address) : slugKey(address);
}

/** The key of an address in a domain, by the domain's number; null: the own host of the instance. */
export function inDomain(key: string, domainNumber: number | null): string {
  return domainNumber === null ? key : `${domainNumber}.${key}`;
}

/** States of a custom domain. Active and Failing ones are served. */
export const DOMAIN_STATUSES = ['Pending', 'Active', 'Failing', 'Suspended'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** Most imported addresses of a smartlink, and most that differ from one slug only in case. */
export const IMPORTED_ADDRESSES_MAX = 20;

/** A slug of `length` characters; `randomInt(max)` must give uniform integers below `max` from a CSPRNG. */
export function assignSlug(length: number, randomInt: (max: number) => number): string {
  let slug = '';
  for (let i = 0; i < length; i += 1) slug += ASSIGNED_ALPHABET.charAt(randomInt(ASSIGNED_ALPHABET.length));
  return slug;
}

/** Largest `maxVisits` of `availability`. */
export const VISITS_MAX = 1_000_000_000;

/** Whether the API accepts the time: in the years 2000 to 2199 (UTC). */
export const isAcceptedTime = (time: Date): boolean =>
  time.getUTCFullYear() >= 2000 && time.getUTCFullYear() <= 2199;

/** The links of an App by their names in the API, in its order, with their devices. */
export const STORE_LINKS = {
  appStoreLink: 'iPhone and iPod; also iPad without `ipadAppLink`.',
  googlePlayLink: 'Android; also Huawei and Fire devices without their own link.',
  windowsAppLink: 'Windows.',
  macOsAppLink: 'Mac.',
  ipadAppLink: 'iPad.',
  appGalleryLink: 'Huawei and HarmonyOS devices.',
  amazonStoreLink: 'Fire devices.',
  fallBackLink: 'All other devices. Without it, they get a page that lists the stores.',
} as const;

export type StoreLinkName = keyof typeof STORE_LINKS;

/** The stores' own names. */
export const STORE_NAMES = {
  appStoreLink: 'App Store',
  googlePlayLink: 'Google Play',
  windowsAppLink: 'Microsoft Store',
  macOsAppLink: 'Mac App Store',
  ipadAppLink: 'App Store',
  appGalleryLink: 'AppGallery',
  amazonStoreLink: 'Amazon Appstore',
} as const satisfies Record<Exclude<StoreLinkName, 'fallBackLink'>, string>;

export const STORE_LINK_NAMES = Object.keys(STORE_LINKS) as readonly StoreLinkName[];

/** Members of `utm`, with the parameters of the destination that they set. */
export const UTM_PARAMETERS = {
  source: 'utm_source',
  medium: 'utm_medium',
  campaign: 'utm_campaign',
  term: 'utm_term',
  content: 'utm_content',
  ref: 'ref',
} as const;

export type UtmMember = keyof typeof UTM_PARAMETERS;

/** One URL of a document, and its dotted path. */
export type DocumentUrl = { readonly path: string; readonly url: string };

/** The members of a document that hold a URL, whatever the type. A test holds the list against the schemas. */
export const URL_MEMBERS: ReadonlySet<string> = new Set([
  'amazonStoreLink',
  'appGalleryLink',
  'appStoreLink',
  'bgLink',
  'coverLink',
  'expiredUrl',
  'fallBackLink',
  'googlePlayLink',
  'iconUrl',
  'imageLink',
  'imageUrl',
  'ipadAppLink',
  'link',
  'logoLink',
  'macOsAppLink',
  'url',
  'windowsAppLink',
]);

/** Whether visitors are redirected to the URL at `path` of a document; others are on pages and in previews. */
export function isTargetPath(path: string): boolean {
  return (
    path === 'shortener.url' ||
    path === 'availability.expiredUrl' ||
    path.startsWith('configuration.') ||
    path.startsWith('routing.')
  );
}

/** Every web URL in a validated document or a part of one, in order, for the safety check. */
export function findUrls(part: object): DocumentUrl[] {
  const found: DocumentUrl[] = [];
  collectUrls(part, [], found);
  return found;
}

/** Shares one list and one path: a menu may have two hundred thousand members. */
function collectUrls(part: object, path: string[], found: DocumentUrl[]): void {
  for (const [name, value] of Object.entries(part) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null) {
      path.push(name);
      collectUrls(value, path, found);
      path.pop();
    } else if (typeof value === 'string' && URL_MEMBERS.has(name) && /^https?:/.test(value)) {
      found.push({ path: [...path, name].join('.'), url: value });
    }
  }
}

/** A smartlink's public address: `{publicBaseUrl}/<slug>`, with the host of its custom domain if it has one. */
export function relink(publicBaseUrl: string, slug: string, domain: string | null): string {
  return `${baseUrlOf(publicBaseUrl, domain)}/${slug}`;
}

/** The base of a domain's addresses: scheme and port are those of the instance. */
export function baseUrlOf(publicBaseUrl: string, domain: string | null): string {
  const base = publicBaseUrl.replace(/(?<!\/)\/+$/, '');
  return domain === null
    ? base
    : base.replace(/^(https?:\/\/)(?:\[[^\]]*\]|[^:/]*)/i, (_, scheme: string) => scheme + domain);
}

/** The length of `text` in Unicode code points, the unit of every limit. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const isHighSurrogate = code >= 0xd800 && code < 0xdc00;
    if (isHighSurrogate && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i += 1;
    count += 1;
  }
  return count;
}

/** Whether `value` is an object with named members: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The days of a week, as weekly conditions of rules name them. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A time zone's name in the spelling of the IANA database, or null if it is unknown. */
export function findTimeZone(name: string): string | null {
  // Node 22 also accepts `+01:00` and SystemV/…; ClickHouse accepts neither.
  if (!/^(?!SystemV\/)[A-Za-z][A-Za-z0-9_+/-]{0,63}$/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

import type { LinkSnapshot, StoreLinks, UrlContent } from '@smartlink/smartlink/document';
import { NORMALISED_HREF, UTM_PARAMETERS, type UtmMember } from '@smartlink/smartlink/model';
import { type CompiledAvailability, compileAvailability, type Reader } from './availability.js';
import type { Closed, Decision, Redirect, RedirectRule } from './decision.js';
import { type Platform, PLATFORMS } from './platform.js';
import { type CompiledRouting, compileRouting, type Route } from './rules.js';

/** A snapshot with everything computed that does not depend on the request. */
export type CompiledLink = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly password: { readonly hash: string; readonly version: number } | null;
  /** False once its owner is erased: then nothing is recorded. */
  readonly hasOwner: boolean;
  /** Keys of imported addresses that differ from the slug only in case, by address; null without any. */
  readonly exact: Readonly<Record<string, string>> | null;
  /** Whether the answer depends on the request: most links have no password, store, openGraph, exact, routing and availability. */
  readonly isConditional: boolean;
  /** The decision without a query, for an unlocked link, where no store matches. */
  readonly plain: Decision;
  /** The stores of an App link by platform, null for other types. */
  readonly stores: StoreRedirects | null;
  /** Rules and variants of an active link; null without any. */
  readonly routing: CompiledRouting | null;
  /** Of an active link; null if it is always live. */
  readonly availability: CompiledAvailability | null;
  /** Whether an App link sends iPads elsewhere than Macs. */
  readonly macDiffersFromIpad: boolean;
  /** Whether link previews get Open Graph tags where people get a redirect: it has an openGraph, a password or a limit. */
  readonly sharesOpenGraph: boolean;
  /** Approximate memory use. */
  readonly bytes: number;
};

export type StoreRedirects = Readonly<Partial<Record<Platform, Redirect>>>;

/** `snapshot` made ready for visits. An address or a type that this build cannot serve is `unsupported`. */
export function compileLink(snapshot: LinkSnapshot): CompiledLink {
  const own = answerOf(snapshot);
  const routing = routingOf(snapshot, own.plain);
  const times = availabilityOf(snapshot, own.plain);
  const isUnsupported = routing === 'unsupported' || times === 'unsupported';
  const { plain, stores } = isUnsupported ? { plain: UNSUPPORTED, stores: null } : own;
  const rules = isUnsupported ? null : routing;
  const availability = isUnsupported ? null : times;
  const password = readPassword(snapshot, plain);
  const exact = snapshot.exact ?? null;
  const isLimited = availability?.isLimited === true;
  const sharesOpenGraph = password !== null || isLimited || leadsAwayWithOpenGraph(snapshot, plain);
  return {
    version: snapshot.version,
    smartlinkId: snapshot.smartlinkId,
    ownerId: snapshot.ownerId,
    slug: snapshot.slug,
    password,
    hasOwner: snapshot.smartlinkId !== '',
    exact,
    isConditional:
      sharesOpenGraph || stores !== null || exact !== null || rules !== null || availability !== null,
    plain,
    stores,
    routing: rules,
    availability,
    macDiffersFromIpad:
      stores !== null && locationOf(stores.mac ?? plain) !== locationOf(stores.ipad ?? plain),
    sharesOpenGraph,
    bytes:
      COMPILED_BYTES +
      (plain.kind === 'redirect' ? plain.location.length : 0) +
      // Hashes and stores are counted by their text.
      textLength(password) +
      textLength(exact) +
      textLength(stores) +
      textLength(availability) +
      (rules === null || snapshot.status === 'Deleted'
        ? 0
        : ROUTING_FACTOR * textLength(snapshot.routing ?? null)),
  };
}

export type VisitContext = {
  /** The visitor's query, without `?`. */
  readonly query: string;
  /** The visitor has shown the password of this link. */
  readonly isUnlocked: boolean;
  /** Whether the visitor's parameters are added to the target (an instance switch). */
  readonly forwardsQuery: boolean;
  /** The visitor's platform: the agent's, or the one chosen on the `ipad-or-mac` page. */
  readonly platform: Platform;
  /** The agent's, and false once the visitor has chosen. */
  readonly mayBeIpad: boolean;
  /** The agent's. */
  readonly isPreview: boolean;
  /** Chosen by chooseRoute; null without rules, or if none fits. */
  readonly route: Route | null;
  /** By closedAt; null where the link is live. */
  readonly closed: Closed | null;
  /** `person` at a link without a limit. */
  readonly reader: Reader;
};

/** Decides a visit to `link`: its status, its availability, a preview's tags, the password, rules and variants, stores, its own answer. */
export function decide(link: CompiledLink, visit: VisitContext): Decision {
  if (link.isConditional) {
    if (visit.closed !== null) return visit.closed;
    if (visit.isPreview && link.sharesOpenGraph) return SHARE;
    if (link.password !== null && !visit.isUnlocked) return LOCKED;
    if (visit.reader !== 'person') return visit.reader === 'prefetch' ? PREFETCH : SHARE;
    const target = visit.route?.redirect ?? null;
    if (target !== null) return forwardQuery(target, visit);
    if (visit.mayBeIpad && link.macDiffersFromIpad) return IPAD_OR_MAC;
    // Parameters of a store's address may name the app, so the visitor's are not added.
    const store = link.stores?.[visit.platform];
    if (store !== undefined) return store;
  }
  return link.plain.kind === 'redirect' ? forwardQuery(link.plain, visit) : link.plain;
}

function forwardQuery(target: Redirect, visit: VisitContext): Redirect {
  if (visit.query === '' || !visit.forwardsQuery) return target;
  const visitorQuery = cleanVisitorQuery(visit.query);
  if (visitorQuery === '') return target;
  // Split at each visit: 60 ns for a few visits, while stored parts would add a tenth to a link's memory.
  const location = addVisitorQuery(splitTarget(target.location), visitorQuery);
  return { kind: 'redirect', location, outcome: target.outcome, rule: target.rule };
}

const IPAD_OR_MAC: Decision = { kind: 'ipad-or-mac' };
const SHARE: Decision = { kind: 'share' };
const LOCKED: Decision = { kind: 'locked' };
const PREFETCH: Decision = { kind: 'prefetch' };
const PAUSED: Decision = { kind: 'paused' };
const GONE: Decision = { kind: 'gone' };
const PAGE: Decision = { kind: 'page' };
const CHOOSER: Decision = { kind: 'chooser' };
const UNSUPPORTED: Decision = { kind: 'unsupported' };

// An object, its decision, three ids and the keys under which it is kept, measured roughly with 100,000 of them.
const COMPILED_BYTES = 600;
// Sets, functions and targets of rules, by the text of the rules.
const ROUTING_FACTOR = 6;

/** What a link answers where no rule and no variant leads elsewhere. */
type OwnAnswer = { readonly plain: Decision; readonly stores: StoreRedirects | null };

function answerOf(snapshot: LinkSnapshot): OwnAnswer {
  if (snapshot.status === 'Deleted') return { plain: GONE, stores: null };
  if (snapshot.status === 'Paused') return { plain: PAUSED, stores: null };
  switch (snapshot.type) {
    case 'Url':
      return { plain: redirectTo(targetOf(snapshot), 'url') ?? UNSUPPORTED, stores: null };
    case 'App':
      return answerOfApp(snapshot.storeLinks);
    case 'Landing':
    case 'QRTag':
    case 'DigiCard':
    case 'TxtBin':
    case 'QrMenu':
      return { plain: PAGE, stores: null };
    default:
      return { plain: UNSUPPORTED, stores: null };
  }
}

function answerOfApp(links: StoreLinks): OwnAnswer {
  const redirects = new Map<StoreName, Redirect>();
  const stores: Partial<Record<Platform, Redirect>> = {};
  for (const platform of PLATFORMS) {
    const name = findStore(links, platform);
    const link = name === undefined ? undefined : links[name];
    if (name === undefined || link === undefined) continue;
    // Platforms that share a store share its decision, and with it the answer made of it.
    const store = redirects.get(name) ?? redirectTo(link, name);
    if (store === null) return { plain: UNSUPPORTED, stores: null };
    redirects.set(name, store);
    stores[platform] = store;
  }
  if (links.fallBackLink === undefined) return { plain: CHOOSER, stores };
  const plain = redirectTo(links.fallBackLink, 'fallBackLink');
  return plain === null ? { plain: UNSUPPORTED, stores: null } : { plain, stores };
}

function availabilityOf(
  snapshot: LinkSnapshot,
  plain: Decision,
): CompiledAvailability | 'unsupported' | null {
  if (snapshot.status !== 'Active' || snapshot.availability === undefined || plain.kind === 'unsupported')
    return null;
  return compileAvailability(snapshot.availability);
}

/** Targets of rules get the campaign parameters of a Url link, as its own does. */
function routingOf(snapshot: LinkSnapshot, plain: Decision): CompiledRouting | 'unsupported' | null {
  if (snapshot.status !== 'Active' || snapshot.routing === undefined || plain.kind === 'unsupported')
    return null;
  const utm = snapshot.type === 'Url' ? snapshot.utm : undefined;
  const toRedirect = (url: string) =>
    redirectTo(targetOf({ url, ...(utm === undefined ? {} : { utm }) }), 'routing');
  return compileRouting(snapshot.routing, snapshot.smartlinkId, toRedirect) ?? 'unsupported';
}

function redirectTo(href: string, rule: RedirectRule): Redirect | null {
  if (!NORMALISED_HREF.test(href)) return null;
  return { kind: 'redirect', location: href, outcome: rule === 'fallBackLink' ? 'fallback' : 'target', rule };
}

/** Destination of a Url link with its campaign parameters, which replace those of the same name in its address. */
export function targetOf({ url, utm }: Pick<UrlContent, 'url' | 'utm'>): string {
  if (utm === undefined) return url;
  const names = Object.keys(UTM_PARAMETERS) as UtmMember[];
  const parameters = names.flatMap((name) => {
    const value = utm[name];
    return value === undefined ? [] : [`${UTM_PARAMETERS[name]}=${encodeValue(value)}`];
  });
  return parameters.length === 0 ? url : addVisitorQuery(splitTarget(url), parameters.join('&'));
}

/** Destination of a decision, undefined for a page. */
function locationOf(decision: Decision): string | undefined {
  return decision.kind === 'redirect' ? decision.location : undefined;
}

/** Password hash and version of an active, protected Url link, else null. */
function readPassword(snapshot: LinkSnapshot, plain: Decision): CompiledLink['password'] {
  if (snapshot.status !== 'Active' || snapshot.type !== 'Url' || plain.kind !== 'redirect') return null;
  return snapshot.password ?? null;
}

/** Whether an active link without a hosted page has an openGraph; hosted pages contain their own tags. */
function leadsAwayWithOpenGraph(snapshot: LinkSnapshot, plain: Decision): boolean {
  if (snapshot.status !== 'Active' || (plain.kind !== 'redirect' && plain.kind !== 'chooser')) return false;
  return Object.values(snapshot.openGraph ?? {}).some((text) => text !== '');
}

function textLength(value: object | null): number {
  return value === null ? 0 : JSON.stringify(value).length;
}

/** Parameters for Smartlink itself, not passed to the target: `qr` marks a scan. */
const INTERNAL_PARAMETERS: ReadonlySet<string> = new Set(['qr']);

// Nearly all queries: parts without percent-encoding, of characters that need none. Splitting and rejoining a query takes
// ten times as long.
const NOTHING_TO_CLEAN = /^[\w\-.~!$()*,;=:@/?[\]|^`{}\\]+(?:&[\w\-.~!$()*,;=:@/?[\]|^`{}\\]+)*$/;
const HAS_INTERNAL = new RegExp(`(?:^|&)(?:${[...INTERNAL_PARAMETERS].join('|')})(?:[=&]|$)`);

/**
 * The visitor's query made safe for an address: without internal markers and empty parts, and with every character encoded
 * that could end a query or a header line. '' when nothing is left.
 */
export function cleanVisitorQuery(query: string): string {
  if (query === '' || (NOTHING_TO_CLEAN.test(query) && !HAS_INTERNAL.test(query))) return query;
  return splitQuery(query)
    .filter((part) => !INTERNAL_PARAMETERS.has(parameterName(part)))
    .map(encodePart)
    .join('&');
}

/**
 * `target` with the parameters of `visitorQuery` (as cleanVisitorQuery leaves it, not empty) behind its own.
 * A parameter of the target that the visitor names too is dropped: the visitor's value wins. Nothing before the `?`
 * and nothing from the `#` on can change, because the visitor's part contains neither.
 */
export function addVisitorQuery(target: TargetParts, visitorQuery: string): string {
  if (target.query === '') return `${target.beforeQuery}?${visitorQuery}${target.fragment}`;
  const visitorNames = new Set(splitQuery(visitorQuery).map(parameterName));
  const kept = splitQuery(target.query).filter((part) => !visitorNames.has(parameterName(part)));
  kept.push(visitorQuery);
  return `${target.beforeQuery}?${kept.join('&')}${target.fragment}`;
}

export type TargetParts = {
  readonly beforeQuery: string;
  /** Without `?`. */
  readonly query: string;
  /** With `#`, or ''. */
  readonly fragment: string;
};

/** A normalised href cut in three. */
export function splitTarget(href: string): TargetParts {
  const hash = href.indexOf('#');
  const fragment = hash === -1 ? '' : href.slice(hash);
  const address = hash === -1 ? href : href.slice(0, hash);
  const mark = address.indexOf('?');
  if (mark === -1) return { beforeQuery: address, query: '', fragment };
  return { beforeQuery: address.slice(0, mark), query: address.slice(mark + 1), fragment };
}

function splitQuery(query: string): string[] {
  return query.split('&').filter((part) => part !== '');
}

// Compared as the target's server would read it: `%75tm_source` is utm_source.
function parameterName(part: string): string {
  const equals = part.indexOf('=');
  const name = equals === -1 ? part : part.slice(0, equals);
  if (!name.includes('%') && !name.includes('+')) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

// Characters that a query may contain unencoded (RFC 3986, with the characters browsers leave alone); `#` ends a query, quotes
// and angle brackets end attributes, everything beyond ASCII has no place in a header.
const SAFE_PART = /^[\w\-.~!$&()*+,;=:@/?%[\]|^`{}\\]*$/;
const UNSAFE_CHARACTERS = /[^\w\-.~!$&()*+,;=:@/?%[\]|^`{}\\]+/g;

function encodePart(part: string): string {
  if (SAFE_PART.test(part)) return part;
  return part.toWellFormed().replace(UNSAFE_CHARACTERS, encodeValue);
}

function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** A store of an App link, by the API's name for its address. */
export type StoreName = Exclude<keyof StoreLinks, 'fallBackLink'>;

/**
 * The store of an App link that fits `platform`, undefined if the link has none:
 * then the visit takes the fallback. A Mac never gets the iPhone's link.
 */
export function findStore(links: StoreLinks, platform: Platform): StoreName | undefined {
  return STORES[platform].find((name) => links[name] !== undefined);
}

const STORES: Readonly<Record<Platform, readonly StoreName[]>> = {
  fire: ['amazonStoreLink', 'googlePlayLink'],
  huawei: ['appGalleryLink', 'googlePlayLink'],
  android: ['googlePlayLink'],
  ipad: ['ipadAppLink', 'appStoreLink'],
  iphone: ['appStoreLink'],
  mac: ['macOsAppLink'],
  windows: ['windowsAppLink'],
  other: [],
};

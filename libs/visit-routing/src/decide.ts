import type { LinkSnapshot, StoreLinks } from '@smartlink/smartlink/snapshot';
import { PLATFORMS } from './platform.js';
import type { Platform } from './platform.js';
import { addVisitorQuery, cleanVisitorQuery, splitTarget } from './query.js';
import type { TargetParts } from './query.js';
import { findStoreLink } from './store-link.js';

export { cleanVisitorQuery } from './query.js';

/** What a visit ends in. */
export type Decision =
  | Redirect
  /** The link's own page. */
  | { readonly kind: 'page' }
  /** The fallback of an App link that has no address for it: a page that lists its stores. */
  | { readonly kind: 'chooser' }
  /** The password form, or its check. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'gone' }
  /** The snapshot says something this build cannot serve, a type of a newer one say. */
  | { readonly kind: 'unreadable' };

export type Redirect = {
  readonly kind: 'redirect';
  readonly location: string;
  /** A fallback is where an App link sends those for whom it has no store. */
  readonly outcome: 'target' | 'fallback';
};

/** A snapshot with all that can be known before a visit comes. */
export type CompiledLink = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly password: { readonly hash: string; readonly version: number } | null;
  /** Whether there is a password or a store to ask for: most links have neither. */
  readonly isConditional: boolean;
  /** The decision of a visit without parameters that needs no unlocking and has no store. */
  readonly plain: Decision;
  /** Where `plain` leads, to put the visitor's parameters behind; null when it leads nowhere. */
  readonly target: TargetParts | null;
  /** The stores of an App link by platform, null for other types. */
  readonly stores: StoreRedirects | null;
  /** What it holds in memory, roughly. */
  readonly bytes: number;
};

export type StoreRedirects = Readonly<Partial<Record<Platform, Redirect>>>;

/** Returns `snapshot` made ready for visits. An address or a type that this build cannot serve is `unreadable`. */
export function compileLink(snapshot: LinkSnapshot): CompiledLink {
  const { plain, stores } = routeOf(snapshot);
  const isLive = snapshot.status === 'Active' && plain.kind !== 'unreadable';
  const password = isLive && snapshot.type === 'Url' ? (snapshot.password ?? null) : null;
  return {
    version: snapshot.version,
    smartlinkId: snapshot.smartlinkId,
    ownerId: snapshot.ownerId,
    slug: snapshot.slug,
    password,
    isConditional: password !== null || stores !== null,
    plain,
    target: plain.kind === 'redirect' ? splitTarget(plain.location) : null,
    stores,
    // An address stands there whole and in parts; hashes and stores are counted by their text.
    bytes:
      COMPILED_BYTES +
      (plain.kind === 'redirect' ? 2 * plain.location.length : 0) +
      textLength(password) +
      textLength(stores),
  };
}

export type VisitContext = {
  /** The visitor's query, without `?`. */
  readonly query: string;
  /** The visitor has shown the password of this link. */
  readonly isUnlocked: boolean;
  /** Whether the visitor's parameters are added to the target (an instance switch). */
  readonly forwardsQuery: boolean;
  /** What the visitor's User-Agent names. */
  readonly platform: Platform;
};

/** Returns where a visit to `link` goes. */
export function decide(link: CompiledLink, visit: VisitContext): Decision {
  if (link.isConditional) {
    if (link.password !== null && !visit.isUnlocked) return LOCKED;
    // A store's address says which app, in parameters too, so it gets none of the visitor's.
    const store = link.stores?.[visit.platform];
    if (store !== undefined) return store;
  }
  if (visit.query === '' || !visit.forwardsQuery || link.target === null) return link.plain;
  const visitorQuery = cleanVisitorQuery(visit.query);
  if (visitorQuery === '') return link.plain;
  return {
    kind: 'redirect',
    location: addVisitorQuery(link.target, visitorQuery),
    outcome: link.stores === null ? 'target' : 'fallback',
  };
}

const LOCKED: Decision = { kind: 'locked' };
const PAUSED: Decision = { kind: 'paused' };
const GONE: Decision = { kind: 'gone' };
const PAGE: Decision = { kind: 'page' };
const CHOOSER: Decision = { kind: 'chooser' };
const UNREADABLE: Decision = { kind: 'unreadable' };

// An object, its decision, three ids and the keys under which it is kept, measured roughly with 100,000 of them.
const COMPILED_BYTES = 600;

// A normalised href is printable ASCII (WHATWG URL). Anything else did not come from our own management service.
const HREF = /^https?:\/\/[\x21-\x7e]+$/;

type Route = { readonly plain: Decision; readonly stores: StoreRedirects | null };

function routeOf(snapshot: LinkSnapshot): Route {
  if (snapshot.status === 'Deleted') return { plain: GONE, stores: null };
  if (snapshot.status === 'Paused') return { plain: PAUSED, stores: null };
  switch (snapshot.type) {
    case 'Url':
      return { plain: redirectTo(snapshot.url, 'target') ?? UNREADABLE, stores: null };
    case 'App':
      return routeApp(snapshot.storeLinks);
    case 'Landing':
    case 'QRTag':
    case 'DigiCard':
    case 'TxtBin':
    case 'QrMenu':
      return { plain: PAGE, stores: null };
    default:
      // A newer build may have published what the types of this one do not know.
      return { plain: UNREADABLE, stores: null };
  }
}

function routeApp(links: StoreLinks): Route {
  const stores: Partial<Record<Platform, Redirect>> = {};
  for (const platform of PLATFORMS) {
    const link = findStoreLink(links, platform);
    if (link === undefined) continue;
    const store = redirectTo(link, 'target');
    if (store === null) return { plain: UNREADABLE, stores: null };
    stores[platform] = store;
  }
  if (links.fallBackLink === undefined) return { plain: CHOOSER, stores };
  const plain = redirectTo(links.fallBackLink, 'fallback');
  return plain === null ? { plain: UNREADABLE, stores: null } : { plain, stores };
}

function redirectTo(href: string, outcome: Redirect['outcome']): Redirect | null {
  return HREF.test(href) ? { kind: 'redirect', location: href, outcome } : null;
}

function textLength(value: object | null): number {
  return value === null ? 0 : JSON.stringify(value).length;
}

import type { LinkSnapshot, StoreLinks } from '@smartlink/smartlink/snapshot';
import { PLATFORMS } from './platform.js';
import type { Platform } from './platform.js';
import { addVisitorQuery, cleanVisitorQuery, splitTarget } from './query.js';
import { findStore } from './store-link.js';
import type { StoreName } from './store-link.js';

export { cleanVisitorQuery } from './query.js';

/** What a visit ends in. */
export type Decision =
  | Redirect
  /** The link's own page. */
  | { readonly kind: 'page' }
  /** The fallback of an App link that has no address for it: a page that lists its stores. */
  | { readonly kind: 'chooser' }
  /** The page on which an iPad and a Mac part that look the same from here. */
  | { readonly kind: 'ipad-or-mac' }
  /** What a link preview is made of: the link's own openGraph, and never a target that a password guards. */
  | { readonly kind: 'share' }
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
  readonly rule: RedirectRule;
};

/** Which address of a link was taken: a Url link's own, or one of an App link's by the API's name. */
export type RedirectRule = 'url' | keyof StoreLinks;

/** A snapshot with all that can be known before a visit comes. */
export type CompiledLink = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly password: { readonly hash: string; readonly version: number } | null;
  /** False once its owner is erased: then nothing is recorded. */
  readonly hasOwner: boolean;
  /** Whether it matters who visits: most links have no password, no store and no openGraph. */
  readonly isConditional: boolean;
  /** The decision of a visit without parameters that needs no unlocking and has no store. */
  readonly plain: Decision;
  /** The stores of an App link by platform, null for other types. */
  readonly stores: StoreRedirects | null;
  /** Whether an App link sends iPads elsewhere than Macs. */
  readonly macDiffersFromIpad: boolean;
  /** Whether link previews get Open Graph tags where people get a redirect: it has an openGraph or a password. */
  readonly sharesOpenGraph: boolean;
  /** What it holds in memory, roughly. */
  readonly bytes: number;
};

export type StoreRedirects = Readonly<Partial<Record<Platform, Redirect>>>;

/** Returns `snapshot` made ready for visits. An address or a type that this build cannot serve is `unreadable`. */
export function compileLink(snapshot: LinkSnapshot): CompiledLink {
  const { plain, stores } = routeOf(snapshot);
  const password = readPassword(snapshot, plain);
  const sharesOpenGraph = password !== null || leadsAwayWithOpenGraph(snapshot, plain);
  return {
    version: snapshot.version,
    smartlinkId: snapshot.smartlinkId,
    ownerId: snapshot.ownerId,
    slug: snapshot.slug,
    password,
    hasOwner: snapshot.smartlinkId !== '',
    isConditional: sharesOpenGraph || stores !== null,
    plain,
    stores,
    macDiffersFromIpad:
      stores !== null && locationOf(stores.mac ?? plain) !== locationOf(stores.ipad ?? plain),
    sharesOpenGraph,
    bytes:
      COMPILED_BYTES +
      (plain.kind === 'redirect' ? plain.location.length : 0) +
      // Hashes and stores are counted by their text.
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
  /** Whose store the visitor would use: the agent's, or the one chosen on the page that tells iPads from Macs. */
  readonly platform: Platform;
  /** The agent's, and false once the visitor has chosen. */
  readonly mayBeIpad: boolean;
  /** The agent's. */
  readonly isPreview: boolean;
};

/** Returns where a visit to `link` goes. */
export function decide(link: CompiledLink, visit: VisitContext): Decision {
  if (link.isConditional) {
    if (visit.isPreview && link.sharesOpenGraph) return SHARE;
    if (link.password !== null && !visit.isUnlocked) return LOCKED;
    if (visit.mayBeIpad && link.macDiffersFromIpad) return IPAD_OR_MAC;
    // A store's address says which app, in parameters too, so it gets none of the visitor's.
    const store = link.stores?.[visit.platform];
    if (store !== undefined) return store;
  }
  if (visit.query === '' || !visit.forwardsQuery || link.plain.kind !== 'redirect') return link.plain;
  const visitorQuery = cleanVisitorQuery(visit.query);
  if (visitorQuery === '') return link.plain;
  // Cut anew each time: 60 ns of a visit that few make, where the parts would take a tenth of all that a link holds.
  const location = addVisitorQuery(splitTarget(link.plain.location), visitorQuery);
  return link.stores === null
    ? { kind: 'redirect', location, outcome: 'target', rule: 'url' }
    : { kind: 'redirect', location, outcome: 'fallback', rule: 'fallBackLink' };
}

const IPAD_OR_MAC: Decision = { kind: 'ipad-or-mac' };
const SHARE: Decision = { kind: 'share' };
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
      return { plain: redirectTo(snapshot.url, 'url') ?? UNREADABLE, stores: null };
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
  const redirects = new Map<StoreName, Redirect>();
  const stores: Partial<Record<Platform, Redirect>> = {};
  for (const platform of PLATFORMS) {
    const name = findStore(links, platform);
    const link = name === undefined ? undefined : links[name];
    if (name === undefined || link === undefined) continue;
    // Platforms that share a store share its decision, and with it the answer made of it.
    const store = redirects.get(name) ?? redirectTo(link, name);
    if (store === null) return { plain: UNREADABLE, stores: null };
    redirects.set(name, store);
    stores[platform] = store;
  }
  if (links.fallBackLink === undefined) return { plain: CHOOSER, stores };
  const plain = redirectTo(links.fallBackLink, 'fallBackLink');
  return plain === null ? { plain: UNREADABLE, stores: null } : { plain, stores };
}

function redirectTo(href: string, rule: RedirectRule): Redirect | null {
  if (!HREF.test(href)) return null;
  return { kind: 'redirect', location: href, outcome: rule === 'fallBackLink' ? 'fallback' : 'target', rule };
}

/** Returns where a decision leads, undefined for a page of ours. */
function locationOf(decision: Decision): string | undefined {
  return decision.kind === 'redirect' ? decision.location : undefined;
}

/** Returns what must be known to follow a live Url link, null for every other. */
function readPassword(snapshot: LinkSnapshot, plain: Decision): CompiledLink['password'] {
  if (snapshot.status !== 'Active' || snapshot.type !== 'Url' || plain.kind !== 'redirect') return null;
  return snapshot.password ?? null;
}

/** Returns whether a live link shows nothing by itself and has an openGraph: hosted pages hold their own tags. */
function leadsAwayWithOpenGraph(snapshot: LinkSnapshot, plain: Decision): boolean {
  if (snapshot.status !== 'Active' || (plain.kind !== 'redirect' && plain.kind !== 'chooser')) return false;
  return Object.values(snapshot.openGraph ?? {}).some((text) => text !== '');
}

function textLength(value: object | null): number {
  return value === null ? 0 : JSON.stringify(value).length;
}

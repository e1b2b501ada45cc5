import type { LinkSnapshot, OpenGraph } from '@smartlink/smartlink/snapshot';
import { addVisitorQuery, cleanVisitorQuery, splitTarget } from './query.js';
import type { TargetParts } from './query.js';

export { cleanVisitorQuery } from './query.js';

/** What a visit ends in. */
export type Decision =
  | { readonly kind: 'redirect'; readonly location: string }
  /** The password form, or its check. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'gone' }
  /** The snapshot says something this build cannot serve, a type of a newer one say. */
  | { readonly kind: 'unreadable' };

/** A snapshot with all that can be known before a visit comes. */
export type CompiledLink = {
  readonly version: number;
  readonly smartlinkId: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly password: { readonly hash: string; readonly version: number } | null;
  readonly openGraph: OpenGraph | null;
  /** The decision of a visit without parameters that needs no unlocking. */
  readonly plain: Decision;
  /** null unless the link leads somewhere. */
  readonly target: TargetParts | null;
  /** What it holds in memory, roughly. */
  readonly bytes: number;
};

/** Returns `snapshot` made ready for visits. Never throws: what cannot be served is decided as `unreadable`. */
export function compileLink(snapshot: LinkSnapshot): CompiledLink {
  const plain = plainDecision(snapshot);
  const base = {
    version: snapshot.version,
    smartlinkId: snapshot.smartlinkId,
    ownerId: snapshot.ownerId,
    slug: snapshot.slug,
    openGraph: null,
    password: null,
    target: null,
    plain,
    bytes: COMPILED_BYTES,
  };
  if (snapshot.status === 'Deleted' || plain.kind !== 'redirect') return base;
  const { location } = plain;
  return {
    ...base,
    password: snapshot.password ?? null,
    openGraph: snapshot.openGraph ?? null,
    target: splitTarget(location),
    // The address stands there whole and in parts; hashes and previews are counted by their text.
    bytes:
      COMPILED_BYTES + 2 * location.length + textLength(snapshot.password) + textLength(snapshot.openGraph),
  };
}

export type VisitContext = {
  /** The visitor's query, without `?`. */
  readonly query: string;
  /** The visitor has shown the password of this link. */
  readonly isUnlocked: boolean;
  /** Whether the visitor's parameters are added to the target (an instance switch). */
  readonly forwardsQuery: boolean;
};

/** Returns where a visit to `link` goes; null is a slug that was never used. */
export function decide(link: CompiledLink | null, visit: VisitContext): Decision {
  if (link === null) return NOT_FOUND;
  if (link.password !== null && !visit.isUnlocked) return LOCKED;
  if (visit.query === '' || !visit.forwardsQuery || link.target === null) return link.plain;
  const visitorQuery = cleanVisitorQuery(visit.query);
  if (visitorQuery === '') return link.plain;
  return { kind: 'redirect', location: addVisitorQuery(link.target, visitorQuery) };
}

const NOT_FOUND: Decision = { kind: 'not-found' };
const LOCKED: Decision = { kind: 'locked' };
const PAUSED: Decision = { kind: 'paused' };
const GONE: Decision = { kind: 'gone' };
const UNREADABLE: Decision = { kind: 'unreadable' };

// An object, its decision, three ids and the keys under which it is kept, measured roughly with 100,000 of them.
const COMPILED_BYTES = 600;

// A normalised href is printable ASCII (WHATWG URL). Anything else did not come from our own management service.
const HREF = /^https?:\/\/[\x21-\x7e]+$/;

function plainDecision(snapshot: LinkSnapshot): Decision {
  if (snapshot.status === 'Deleted') return GONE;
  if (snapshot.status === 'Paused') return PAUSED;
  // A newer build may have published what the types of this one do not know.
  if (!isServed(snapshot.type) || !HREF.test(snapshot.url)) return UNREADABLE;
  return { kind: 'redirect', location: snapshot.url };
}

function isServed(type: string): boolean {
  return type === 'Url';
}

function textLength(value: object | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

import type { PageSource } from '@smartlink/pages/page-source';
import type { LinkSnapshot, LiveLink } from '@smartlink/smartlink/snapshot';
import { compileLink } from '@smartlink/visit-routing/decide';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import { encodeLinkPart } from './events/encode-row.js';
import { redirectReply } from './reply.js';
import type { Reply } from './reply.js';

/** A compiled link with the redirects that are the same for every visitor, made once and kept in L1. */
export type ServedLink = CompiledLink & {
  /** The answer to a `plain` decision that redirects; null when it does not. */
  readonly plainReply: Reply | null;
  /** What the rows of its visits say of it. */
  readonly linkPart: string;
  /** An App link's answers by the decision for a store of its; null for other types. */
  readonly storeReplies: ReadonlyMap<Decision, Reply> | null;
  /** What its pages are made of, where it is kept: see sourceOf. */
  readonly keptSource: string | null;
  /** Whether it has a text to be had as it is (`?raw=1`). */
  readonly hasRawText: boolean;
};

// A reply, its list of headers and their pairs; the location is the link's own text, other headers are constants.
const REPLY_BYTES = 300;
// Of text beyond Latin-1 a string holds two bytes a letter.
const BYTES_PER_LETTER = 2;

/**
 * Returns `snapshot` ready to be served with `redirectStatus`. Throws when a snapshot has not the content of its type,
 * which nothing of ours can have published.
 */
export function prepareLink(snapshot: LinkSnapshot, redirectStatus: number): ServedLink {
  const link = compileLink(snapshot);
  const plainReply =
    link.plain.kind === 'redirect' ? redirectReply(redirectStatus, link.plain.location) : null;
  const storeReplies = makeStoreReplies(link, redirectStatus);
  const keptSource =
    isShown(link, snapshot) && !isPlainUrl(link, snapshot) ? JSON.stringify(pageSource(snapshot)) : null;
  const replies = (storeReplies?.size ?? 0) + (plainReply === null ? 0 : 1);
  const bytes = link.bytes + replies * REPLY_BYTES + (keptSource?.length ?? 0) * BYTES_PER_LETTER;
  const hasRawText = keptSource !== null && snapshot.status === 'Active' && snapshot.type === 'TxtBin';
  // Named one by one: an object that is spread out of another takes 500 bytes more, and each look at it is a search.
  return {
    version: link.version,
    smartlinkId: link.smartlinkId,
    ownerId: link.ownerId,
    slug: link.slug,
    password: link.password,
    hasOwner: link.hasOwner,
    isConditional: link.isConditional,
    plain: link.plain,
    stores: link.stores,
    macDiffersFromIpad: link.macDiffersFromIpad,
    sharesOpenGraph: link.sharesOpenGraph,
    linkPart: encodeLinkPart(link),
    plainReply,
    storeReplies,
    keptSource,
    hasRawText,
    bytes,
  };
}

function isShown(link: CompiledLink, snapshot: LinkSnapshot): snapshot is LiveLink {
  return snapshot.status === 'Active' && link.plain.kind !== 'unreadable';
}

/**
 * Returns what the pages of a link are made of, a PageSource as JSON; null where none of them may be shown. Nearly all
 * links are Url links without a password and openGraph, whose pages hardly anybody sees: theirs is made when it is asked
 * for, a seventh less for L1 to hold.
 */
export function sourceOf(link: ServedLink): string | null {
  const { slug, plain, stores, password } = link;
  // Of the others none is kept only where none may be shown.
  if (link.keptSource !== null || plain.kind !== 'redirect' || stores !== null || password !== null) {
    return link.keptSource;
  }
  return JSON.stringify({ slug, type: 'Url', isProtected: false, url: plain.location } satisfies PageSource);
}

// Its page says nothing but where it leads.
function isPlainUrl(link: CompiledLink, snapshot: LiveLink): boolean {
  return snapshot.type === 'Url' && link.password === null && snapshot.openGraph === undefined;
}

/** Returns what pages may know of a link: no ids, no password, and of a protected link no target. */
function pageSource(snapshot: LiveLink): PageSource {
  const { slug } = snapshot;
  const base = snapshot.openGraph === undefined ? { slug } : { slug, openGraph: snapshot.openGraph };
  switch (snapshot.type) {
    case 'Url':
      return snapshot.password === undefined
        ? { ...base, type: 'Url', isProtected: false, url: snapshot.url }
        : { ...base, type: 'Url', isProtected: true };
    case 'App':
      return { ...base, type: 'App', storeLinks: snapshot.storeLinks };
    default:
      // JSON leaves out what is undefined.
      return { ...base, type: snapshot.type, page: snapshot.page } as PageSource;
  }
}

function makeStoreReplies(link: CompiledLink, redirectStatus: number): ReadonlyMap<Decision, Reply> | null {
  if (link.stores === null) return null;
  const stores = Object.values(link.stores);
  return new Map(stores.map((store) => [store, redirectReply(redirectStatus, store.location)]));
}

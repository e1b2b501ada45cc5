import type { PageSource } from '@smartlink/pages/page-source';
import type { LinkSnapshot, LiveLink } from '@smartlink/smartlink/snapshot';
import { compileLink } from '@smartlink/visit-routing/decide';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import { redirectReply } from './reply.js';
import type { Reply } from './reply.js';

/** A compiled link with the redirects that are the same for every visitor, made once and kept in L1. */
export type ServedLink = CompiledLink & {
  /** The answer to a `plain` decision that redirects; null when it does not. */
  readonly plainReply: Reply | null;
  /** An App link's answers by the decision for a store of its; null for other types. */
  readonly storeReplies: ReadonlyMap<Decision, Reply> | null;
  /** What its pages are made of, a PageSource as JSON; null where none of them may be shown. */
  readonly source: string | null;
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
  const source = isShown(link, snapshot) ? JSON.stringify(pageSource(snapshot)) : null;
  const replies = (storeReplies?.size ?? 0) + (plainReply === null ? 0 : 1);
  const bytes = link.bytes + replies * REPLY_BYTES + (source?.length ?? 0) * BYTES_PER_LETTER;
  const hasRawText = source !== null && snapshot.status === 'Active' && snapshot.type === 'TxtBin';
  return { ...link, plainReply, storeReplies, source, hasRawText, bytes };
}

function isShown(link: CompiledLink, snapshot: LinkSnapshot): snapshot is LiveLink {
  return snapshot.status === 'Active' && link.plain.kind !== 'unreadable';
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

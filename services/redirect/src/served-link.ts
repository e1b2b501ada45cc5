import { compileLink } from '@smartlink/visit-routing/decide';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { hostedPage } from './pages/hosted-page.js';
import { passwordPage } from './pages/password-page.js';
import { hostedPageReply, hostedTextReply, pageReply, redirectReply } from './reply.js';
import type { Reply } from './reply.js';

/** A compiled link with the answers that are the same for every visitor, made once and kept in L1. */
export type ServedLink = CompiledLink & {
  /** The answer to a `plain` decision that redirects or shows a page of the link's own; null when it does neither. */
  readonly plainReply: Reply | null;
  /** An App link's answers by the decision for a store of its; null for other types. */
  readonly storeReplies: ReadonlyMap<Decision, Reply> | null;
  /** A TxtBin's text as it is (`?raw=1`); null for other types. */
  readonly rawReply: Reply | null;
  /** The password form; null when the link has no password. */
  readonly lockedReply: Reply | null;
};

// A reply, its list of headers and their pairs; the location is the link's own text, other headers are constants.
const REPLY_BYTES = 300;
// A page's policy, tag and list of headers are its own, and so is the 304 beside it.
const PAGE_REPLY_BYTES = 1_500;

/**
 * Returns `snapshot` ready to be served with `redirectStatus`. Nothing of a page's content is kept but its bytes. Throws
 * when a snapshot has not the content of its type, which nothing of ours can have published.
 */
export function prepareLink(snapshot: LinkSnapshot, redirectStatus: number): ServedLink {
  const link = compileLink(snapshot);
  const plainReply = makePlainReply(link, snapshot, redirectStatus);
  const rawReply = link.plain.kind === 'page' ? makeRawReply(snapshot) : null;
  const lockedReply = link.password === null ? null : pageReply(200, passwordPage(link.slug));
  const storeReplies = makeStoreReplies(link, redirectStatus);
  const bytes =
    (storeReplies?.size ?? 0) * REPLY_BYTES +
    replyBytes(plainReply) +
    replyBytes(rawReply) +
    replyBytes(lockedReply);
  return { ...link, plainReply, storeReplies, rawReply, lockedReply, bytes: link.bytes + bytes };
}

function makePlainReply(link: CompiledLink, snapshot: LinkSnapshot, redirectStatus: number): Reply | null {
  const { plain } = link;
  if (plain.kind === 'redirect') return redirectReply(redirectStatus, plain.location);
  if ((plain.kind !== 'page' && plain.kind !== 'chooser') || snapshot.status === 'Deleted') return null;
  const page = hostedPage(snapshot);
  return page === null ? null : hostedPageReply(page);
}

function makeStoreReplies(link: CompiledLink, redirectStatus: number): ReadonlyMap<Decision, Reply> | null {
  if (link.stores === null) return null;
  const stores = Object.values(link.stores);
  return new Map(stores.map((store) => [store, redirectReply(redirectStatus, store.location)]));
}

function makeRawReply(snapshot: LinkSnapshot): Reply | null {
  if (snapshot.status === 'Deleted' || snapshot.type !== 'TxtBin') return null;
  return hostedTextReply(Buffer.from(snapshot.page.txtBin.text));
}

function replyBytes(reply: Reply | null): number {
  if (reply === null) return 0;
  return (reply.validator === undefined ? REPLY_BYTES : PAGE_REPLY_BYTES) + reply.body.length;
}

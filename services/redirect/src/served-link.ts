import { compileLink } from '@smartlink/visit-routing/decide';
import type { CompiledLink } from '@smartlink/visit-routing/decide';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { passwordPage } from './pages/password-page.js';
import { pageReply, redirectReply } from './reply.js';
import type { Reply } from './reply.js';

/** A compiled link with the answers that are the same for every visitor, made once and kept in L1. */
export type ServedLink = CompiledLink & {
  /** The answer to a `plain` decision that redirects; null when it does not. */
  readonly plainReply: Reply | null;
  /** The password form; null when the link has no password. */
  readonly lockedReply: Reply | null;
};

// A reply, its list of headers and their pairs; the location is the link's own text, other headers are constants.
const REPLY_BYTES = 300;

/** Returns `snapshot` ready to be served with `redirectStatus`. */
export function prepareLink(snapshot: LinkSnapshot, redirectStatus: number): ServedLink {
  const link = compileLink(snapshot);
  const plainReply =
    link.plain.kind === 'redirect' ? redirectReply(redirectStatus, link.plain.location) : null;
  const lockedReply = link.password === null ? null : pageReply(200, passwordPage(link.slug));
  const bytes =
    (plainReply === null ? 0 : REPLY_BYTES) +
    (lockedReply === null ? 0 : REPLY_BYTES + lockedReply.body.length);
  return { ...link, plainReply, lockedReply, bytes: link.bytes + bytes };
}

import { buttonsOf } from '@smartlink/pages/presses';
import { type PageSource, pageSourceOf } from '@smartlink/pages/site';
import type { LinkSnapshot, LiveLink, RedirectOptions } from '@smartlink/smartlink/document';
import { isPermanent } from '@smartlink/smartlink/model';
import { type Closed, compileLink, type CompiledLink, type Decision } from '@smartlink/visits/routing';
import { encodeLinkPart } from '../events/encode-row.js';
import { type Head, redirectHead, redirectReply, type Reply } from '../http/reply.js';

/** A compiled link with the redirects common to all visitors, made once and kept in L1. */
export type ServedLink = CompiledLink & {
  /** Status and common headers of its redirects. */
  readonly redirectHead: Head;
  /** Whether parameters of visitors are added to its destination. */
  readonly forwardsQuery: boolean;
  /** Answer to a `plain` decision, null unless it redirects. */
  readonly plainReply: Reply | null;
  /** Redirect to `expiredUrl` after the link has expired or is used up; null without one. */
  readonly closedReply: Reply | null;
  /** The link's part of event rows. */
  readonly linkPart: string;
  /** Answers of stores, rules and variants by decision; null without any. */
  readonly replies: ReadonlyMap<Decision, Reply> | null;
  /** Source of its pages, if kept: see sourceOf. */
  readonly keptSource: string | null;
  /** Whether `?raw=1` shows its plain text. */
  readonly hasRawText: boolean;
  /** Buttons of its page whose presses count. */
  readonly buttons: readonly string[];
};

// A reply, its list of headers and their pairs; the location is the link's own text, other headers are shared.
const REPLY_BYTES = 300;
// Strings beyond Latin-1 take two bytes a letter.
const BYTES_PER_LETTER = 2;
// A short string and its place in the list.
const BUTTON_BYTES = 40;
const NO_BUTTONS: readonly string[] = [];

/** Redirects of links without `redirect`. */
export type RedirectDefaults = { readonly status: number; readonly forwardsQuery: boolean };

/**
 * `domain`: the host of its custom domain, '' for the instance's own. Throws when a snapshot lacks the content of its type, which
 * our publishers never do.
 */
export function prepareLink(snapshot: LinkSnapshot, defaults: RedirectDefaults, domain: string): ServedLink {
  const link = compileLink(snapshot);
  const options = optionsOf(snapshot);
  const head = redirectHead(options?.status ?? statusFor(link, defaults.status), options?.cacheSeconds);
  const plainReply = link.plain.kind === 'redirect' ? redirectReply(head, link.plain.location) : null;
  const made = makeReplies(link, head);
  const closedReply = link.availability === null ? null : replyTo(link.availability.expired);
  const source = isShown(link, snapshot) && !isPlainUrl(link, snapshot) ? pageSourceOf(snapshot) : null;
  const keptSource = source === null ? null : JSON.stringify(source);
  const buttons = source === null ? NO_BUTTONS : buttonsOf(source);
  const replies = (made?.size ?? 0) + (plainReply === null ? 0 : 1) + (closedReply === null ? 0 : 1);
  const bytes =
    link.bytes +
    replies * REPLY_BYTES +
    (keptSource?.length ?? 0) * BYTES_PER_LETTER +
    buttons.length * BUTTON_BYTES;
  const hasRawText = keptSource !== null && snapshot.status === 'Active' && snapshot.type === 'TxtBin';
  // Listed one by one: a spread object takes 500 bytes more, and each property access is a search.
  return {
    version: link.version,
    smartlinkId: link.smartlinkId,
    ownerId: link.ownerId,
    slug: link.slug,
    password: link.password,
    hasOwner: link.hasOwner,
    exact: link.exact,
    isConditional: link.isConditional,
    plain: link.plain,
    stores: link.stores,
    routing: link.routing,
    availability: link.availability,
    macDiffersFromIpad: link.macDiffersFromIpad,
    sharesOpenGraph: link.sharesOpenGraph,
    linkPart: encodeLinkPart({
      ownerId: link.ownerId,
      smartlinkId: link.smartlinkId,
      slug: link.slug,
      domain,
    }),
    redirectHead: head,
    forwardsQuery: options?.forwardQuery ?? defaults.forwardsQuery,
    plainReply,
    closedReply,
    replies: made,
    keptSource,
    hasRawText,
    buttons,
    bytes,
  };
}

function optionsOf(snapshot: LinkSnapshot): RedirectOptions | undefined {
  if (snapshot.status === 'Deleted') return undefined;
  return snapshot.type === 'Url' || snapshot.type === 'App' ? snapshot.redirect : undefined;
}

/** The instance's status; a browser must not keep a redirect that depends on the visit. */
function statusFor(link: CompiledLink, status: number): number {
  const { stores, password, routing, availability } = link;
  const isLasting = stores === null && password === null && routing === null && availability === null;
  if (isLasting || !isPermanent(status)) return status;
  return status === 301 ? 302 : 307;
}

function isShown(link: CompiledLink, snapshot: LinkSnapshot): snapshot is LiveLink {
  return snapshot.status === 'Active' && link.plain.kind !== 'unsupported';
}

/**
 * The PageSource of a link's pages as JSON; null where no page may be shown. Most links are Url links without password
 * and openGraph, whose pages are hardly ever seen: their source is made on demand, which saves L1 a seventh.
 */
export function sourceOf(link: ServedLink): string | null {
  const { slug, plain, stores, password } = link;
  // Null for the others means that no page may be shown.
  if (link.keptSource !== null || plain.kind !== 'redirect' || stores !== null || password !== null) {
    return link.keptSource;
  }
  return JSON.stringify({ slug, type: 'Url', isProtected: false, url: plain.location } satisfies PageSource);
}

// Its page shows only the target.
function isPlainUrl(link: CompiledLink, snapshot: LiveLink): boolean {
  return (
    snapshot.type === 'Url' &&
    link.password === null &&
    link.routing === null &&
    link.availability?.isLimited !== true &&
    snapshot.openGraph === undefined
  );
}

const replyTo = ({ location }: Closed): Reply | null =>
  location === null ? null : redirectReply(302, location);

function makeReplies(link: CompiledLink, head: Head): ReadonlyMap<Decision, Reply> | null {
  if (link.stores === null && link.routing === null) return null;
  const targets = [...Object.values(link.stores ?? {}), ...(link.routing?.targets ?? [])];
  return new Map(targets.map((target) => [target, redirectReply(head, target.location)]));
}

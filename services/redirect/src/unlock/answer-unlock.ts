import { passwordErrorPage } from '@smartlink/pages/password-page';
import type { PasswordError } from '@smartlink/pages/password-page';
import type { Site } from '@smartlink/pages/site';
import type { Language } from '@smartlink/pages/words';
import { countCodePoints } from '@smartlink/smartlink/text';
import { slugKey } from '@smartlink/smartlink/slug';
import type { CompiledLink } from '@smartlink/visit-routing/decide';
import { countVisit } from '../counters.js';
import type { Tally, VisitCounters, VisitResult } from '../counters.js';
import type { LinkCache } from '../link-cache.js';
import { visitAddress } from '../link-address.js';
import type { VisitAddress } from '../link-address.js';
import { pageReply } from '../page-reply.js';
import { methodNotAllowed, redirectReply, textReply } from '../reply.js';
import type { Answer, Header, Reply } from '../reply.js';
import { retryAfter } from '../system-replies.js';
import type { SystemReplies } from '../system-replies.js';
import type { PasswordGate } from './password-gate.js';
import type { TryLimiter } from './try-limiter.js';
import type { UnlockCookies } from './unlock-cookie.js';

/** What is copied of a POST. */
export type UnlockRequest = VisitAddress & {
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly contentType: string;
  /** '' when the browser sent none. */
  readonly origin: string;
  readonly host: string;
  /** The visitor's address, for the limit alone. */
  readonly address: string;
  readonly body: string;
  readonly language: Language;
  readonly tally: Tally;
};

export type AnswerUnlockDeps = {
  readonly findLink: LinkCache['find'];
  readonly gate: PasswordGate;
  readonly limiter: TryLimiter;
  readonly cookies: UnlockCookies;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  readonly site: Site;
  /** A fault of ours; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

// management-api.md, Limits: what is longer is no password and is not worth a hash.
const PASSWORD_LENGTH_MAX = 128;
const BUSY_RETRY_SECONDS = 2;
const NOT_ALLOWED = methodNotAllowed();

/** Returns the function that answers the POST of a password form. Its promise never rejects. */
export function createAnswerUnlock(deps: AnswerUnlockDeps): (request: UnlockRequest) => Promise<Answer> {
  const { counters, replies, site } = deps;

  return async (request) => {
    const refusal = refuse(request, site.publicBaseUrl);
    if (refusal !== null) {
      countVisit(counters, request.tally, 'refused_unlock');
      return refusal;
    }
    let link: CompiledLink | null;
    try {
      link = await deps.findLink(slugKey(request.slug));
    } catch {
      return system(request, 'unavailable', 'unavailable');
    }
    try {
      return await answer(request, link);
    } catch (err) {
      deps.onFault(err);
      return system(request, 'unavailable', 'error');
    }
  };

  function system(
    { tally, language }: UnlockRequest,
    name: 'notFound' | 'gone' | 'paused' | 'unavailable',
    result: VisitResult,
  ): Answer {
    countVisit(counters, tally, result);
    return replies[name][language];
  }

  async function answer(request: UnlockRequest, link: CompiledLink | null): Promise<Answer> {
    if (link === null) return system(request, 'notFound', 'not_found');
    const { kind } = link.plain;
    if (kind === 'gone' || kind === 'paused') return system(request, kind, kind);
    if (kind === 'unreadable') return system(request, 'unavailable', 'unavailable');
    const password = new URLSearchParams(request.body).get('password');
    if (link.password === null) {
      // Either the protection was taken off while the form was open, or somebody posts to a plain link.
      countVisit(counters, request.tally, password === null ? 'method_not_allowed' : 'redirect');
      return password === null ? NOT_ALLOWED : backToLink(request);
    }
    if (password === null || password === '' || countCodePoints(password) > PASSWORD_LENGTH_MAX) {
      return form(401, link, request, 'wrong');
    }
    return check(request, link, link.password.hash, password);
  }

  async function check(request: UnlockRequest, link: CompiledLink, hash: string, password: string) {
    const wait = await deps.limiter.take(link.smartlinkId, request.address);
    const waitSeconds = Math.ceil(wait.ms / 1000);
    if (wait.reason === 'network') {
      countVisit(counters, request.tally, 'refused_unlock');
      return replies.tooManyRequests(request.language, waitSeconds);
    }
    if (wait.reason === 'link') return form(429, link, request, 'too-many', waitSeconds);
    const verdict = await deps.gate.check(hash, password);
    if (verdict === 'busy') return form(503, link, request, 'busy', BUSY_RETRY_SECONDS);
    if (!verdict) return form(401, link, request, 'wrong');
    countVisit(counters, request.tally, 'unlocked');
    return backToLink(request, [deps.cookies.issue(link)]);
  }

  function form(
    code: number,
    { slug }: CompiledLink,
    { language, tally }: UnlockRequest,
    error: PasswordError,
    waitSeconds = 0,
  ): Reply {
    countVisit(counters, tally, error === 'wrong' ? 'wrong_password' : 'refused_unlock');
    const page = passwordErrorPage({ slug, error, waitSeconds }, language, site);
    return pageReply(code, page, waitSeconds === 0 ? [] : [retryAfter(waitSeconds)]);
  }
}

/** Returns the answer to what is no form of ours, null for what may be. */
function refuse(request: UnlockRequest, publicOrigin: string): Reply | null {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.contentType)) {
    return textReply(415, 'Only application/x-www-form-urlencoded is understood here.\n');
  }
  if (isForeignOrigin(request, publicOrigin)) {
    return textReply(403, 'This form was sent from another site.\n');
  }
  return null;
}

function backToLink(request: UnlockRequest, extra: readonly Header[] = []): Reply {
  return redirectReply(303, visitAddress(request), extra);
}

function isForeignOrigin(request: UnlockRequest, publicOrigin: string): boolean {
  if (request.origin === '' || request.origin === publicOrigin) return false;
  // A browser writes both headers itself: the page that holds the form was served under this very name.
  const host = /^https?:\/\/([^/]+)$/.exec(request.origin)?.[1];
  return host?.toLowerCase() !== request.host.toLowerCase();
}

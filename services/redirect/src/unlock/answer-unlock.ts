import { type Language, type Site, siteAt } from '@smartlink/pages/site';
import { passwordErrorPage, type PasswordError } from '@smartlink/pages/system-page';
import { PASSWORD_LENGTH_MAX, countCodePoints } from '@smartlink/smartlink/model';
import type { Closed, CompiledLink } from '@smartlink/visits/routing';
import { createRecentMap } from '../bounded-maps.js';
import {
  type Answer,
  closing,
  type Header,
  methodNotAllowed,
  pageReply,
  redirectReply,
  type Reply,
  textReply,
} from '../http/reply.js';
import type { ServedHost } from '../http/served-host.js';
import { type LinkReplyName, retryAfter, type SystemReplies } from '../http/system-replies.js';
import type { Allowances } from '../links/allowances.js';
import { findByAddress, type LinkCache } from '../links/link-cache.js';
import type { VisitResult } from '../metrics/metric-definitions.js';
import { recordResult, type Tally, type VisitCounters } from '../metrics/worker-metrics.js';
import { visitAddress, type VisitAddress } from '../visit/visit-request.js';
import type { PasswordGate } from './password-checker.js';
import type { TryLimiter } from './try-limiter.js';
import type { UnlockCookies } from './unlock-cookie.js';

/** The copied parts of a POST. */
export type UnlockRequest = VisitAddress & {
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly contentType: string;
  /** '' when the browser sent none, as is secFetchSite. */
  readonly origin: string;
  readonly secFetchSite: string;
  /** The header. */
  readonly hostLine: string;
  readonly host: ServedHost;
  /** The visitor's address, used for limits only. */
  readonly address: string;
  readonly body: string;
  readonly language: Language;
  readonly tally: Tally;
};

type AnswerUnlockDeps = {
  readonly links: Pick<LinkCache, 'find'>;
  readonly allowances: Pick<Allowances, 'findClosed'>;
  readonly gate: PasswordGate;
  readonly limiter: TryLimiter;
  readonly cookies: UnlockCookies;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  readonly site: Site;
  /** Internal faults; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

const BUSY_RETRY_SECONDS = 2;
// A form takes 0.2 ms to make and 10 kB to keep.
const FORMS_MAX = 64;
const STATUSES = { wrong: 401, 'too-many': 429, busy: 503 } as const satisfies Record<PasswordError, number>;
const NOT_ALLOWED = closing(methodNotAllowed());

/** Answers the POST of a password form. Never rejects. */
export function createAnswerUnlock(deps: AnswerUnlockDeps): (request: UnlockRequest) => Promise<Answer> {
  const { counters, replies, site } = deps;
  const errorForm = createErrorForms(site);

  return async (request) => {
    const refusal = refuse(request);
    if (refusal !== null) {
      recordResult(counters, request.tally, 'refused_unlock');
      return refusal;
    }
    let link: CompiledLink | null;
    try {
      link = await findByAddress(deps.links, request.slug, request.isScan, request.host.number);
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

  function system({ tally, language }: UnlockRequest, name: LinkReplyName, result: VisitResult): Answer {
    recordResult(counters, tally, result);
    return replies[name][language];
  }

  async function answer(request: UnlockRequest, link: CompiledLink | null): Promise<Answer> {
    if (link === null) return system(request, 'notFound', 'not_found');
    const { kind } = link.plain;
    if (kind === 'gone' || kind === 'paused') return system(request, kind, kind);
    if (kind === 'unsupported') return system(request, 'unavailable', 'unavailable');
    const closed = deps.allowances.findClosed(link);
    if (closed !== null) return answerClosed(deps, request, closed);
    const password = new URLSearchParams(request.body).get('password');
    if (link.password === null) {
      // Either the password was removed while the form was open, or the form is not ours.
      recordResult(counters, request.tally, password === null ? 'method_not_allowed' : 'redirect');
      return password === null ? NOT_ALLOWED : backToLink(request);
    }
    if (password === null || password === '' || countCodePoints(password) > PASSWORD_LENGTH_MAX) {
      return form(link, request, 'wrong');
    }
    return check(request, link, link.password.hash, password);
  }

  async function check(request: UnlockRequest, link: CompiledLink, hash: string, password: string) {
    const tried = await deps.limiter.take(link.smartlinkId, request.address);
    const waitSeconds = Math.ceil(tried.ms / 1000);
    if (tried.reason === 'network') {
      recordResult(counters, request.tally, 'refused_unlock');
      return replies.tooManyRequests(request.language, waitSeconds);
    }
    if (tried.reason === 'link') return form(link, request, 'too-many', waitSeconds);
    const { ownerId, smartlinkId } = link;
    const verdict = await deps.gate.check({ ownerId, smartlinkId, hash, password });
    if (verdict === 'busy') {
      await tried.giveBack();
      return form(link, request, 'busy', BUSY_RETRY_SECONDS);
    }
    if (!verdict) return form(link, request, 'wrong');
    recordResult(counters, request.tally, 'unlocked');
    return backToLink(request, [deps.cookies.issue(link)]);
  }

  function form(
    { slug }: CompiledLink,
    request: UnlockRequest,
    error: PasswordError,
    waitSeconds = 0,
  ): Reply {
    recordResult(counters, request.tally, error === 'wrong' ? 'wrong_password' : 'refused_unlock');
    return errorForm({ slug, error, waitSeconds }, request);
  }
}

/** A link that is not live takes no password. */
function answerClosed(
  { counters, replies }: Pick<AnswerUnlockDeps, 'counters' | 'replies'>,
  { tally, language, host }: UnlockRequest,
  { kind, location }: Closed,
): Answer {
  recordResult(counters, tally, kind);
  const target = location ?? (kind === 'scheduled' ? null : (host.expired?.location ?? null));
  return target === null ? replies[kind][language] : redirectReply(303, target);
}

/** Makes the forms of failed attempts, and keeps the last ones for a flood of guesses. */
function createErrorForms(site: Site) {
  const made = createRecentMap<Reply>(FORMS_MAX);
  return (
    about: Parameters<typeof passwordErrorPage>[0],
    { language, host }: Pick<UnlockRequest, 'language' | 'host'>,
  ): Reply => {
    const key = `${host.name}/${about.slug} ${about.error} ${about.waitSeconds} ${language}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const extra = about.waitSeconds === 0 ? [] : [retryAfter(about.waitSeconds)];
    const reply = pageReply(
      STATUSES[about.error],
      passwordErrorPage(about, language, siteAt(site, host.baseUrl)),
      extra,
    );
    made.set(key, reply);
    return reply;
  };
}

/** The refusal of a request that is not a valid form, else null. */
function refuse(request: UnlockRequest): Reply | null {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.contentType)) {
    return closing(textReply(415, 'Only application/x-www-form-urlencoded is understood here.\n'));
  }
  if (request.secFetchSite === 'cross-site' || isForeignOrigin(request)) {
    return closing(textReply(403, 'This form was sent from another site.\n'));
  }
  return null;
}

function backToLink(request: UnlockRequest, extra: readonly Header[] = []): Reply {
  return redirectReply(303, visitAddress(request), extra);
}

function isForeignOrigin({ origin, host, hostLine }: UnlockRequest): boolean {
  if (origin === '' || origin === host.baseUrl) return false;
  // The browser writes both headers: the page with the form was served under this name.
  const sender = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  return sender?.toLowerCase() !== hostLine.toLowerCase();
}

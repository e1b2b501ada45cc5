import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { applyPlatformHint } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { decide } from '@smartlink/visit-routing/decide';
import type { Decision } from '@smartlink/visit-routing/decide';
import { slugKey } from '@smartlink/smartlink/slug';
import type { VisitCounters } from './counters.js';
import type { LinkCache } from './link-cache.js';
import type { SystemReplies } from './pages/system-pages.js';
import { redirectReply } from './reply.js';
import type { Reply } from './reply.js';
import type { ServedLink } from './served-link.js';
import { describeVisit } from './visit-event.js';
import type { VisitRequest } from './visit-request.js';

export type AnswerVisitDeps = {
  readonly findLink: LinkCache['find'];
  readonly classifyAgent: (userAgent: string) => Agent;
  /** Whether the Cookie header proves that this link was unlocked. */
  readonly isUnlocked: (cookie: string, link: ServedLink) => boolean;
  /** In strict mode the promise is awaited before the visitor is answered. */
  readonly recordEvent: (event: VisitEvent) => Promise<boolean> | undefined;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly redirectStatus: number;
  readonly forwardsQuery: boolean;
  readonly ownHost: string;
  /** A fault of ours; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

/**
 * Returns the function that answers GET and HEAD of a slug's address: at once when the link is known here, so that a
 * hot visit makes no promise, else as a promise. It never throws and its promise never rejects.
 */
export function createAnswerVisit(deps: AnswerVisitDeps): (request: VisitRequest) => Reply | Promise<Reply> {
  const { counters, replies } = deps;

  return (request) => {
    const found = deps.findLink(slugKey(request.slug));
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => {
        counters.unavailable += 1;
        return replies.unavailable;
      },
    );
  };

  function answer(request: VisitRequest, link: ServedLink | null): Reply | Promise<Reply> {
    try {
      if (link === null) {
        counters.not_found += 1;
        return replies.notFound;
      }
      const { headers } = request;
      const agent = applyPlatformHint(deps.classifyAgent(headers.userAgent), headers.secChUaPlatform);
      const decision = decide(link, {
        query: request.query,
        isUnlocked: link.password === null ? false : deps.isUnlocked(request.cookie, link),
        forwardsQuery: deps.forwardsQuery,
        platform: agent.platform,
        mayBeIpad: agent.mayBeIpad,
        isPreview: agent.isPreview,
      });
      const reply = toReply(decision, link, request);
      const { now, ownHost } = deps;
      const event = describeVisit(link, decision, { request, agent, timeMs: now(), ownHost });
      const written = event === null ? undefined : deps.recordEvent(event);
      return written === undefined ? reply : written.then(() => reply);
    } catch (err) {
      counters.error += 1;
      deps.onFault(err);
      return replies.unavailable;
    }
  }

  function toReply(decision: Decision, link: ServedLink, request: VisitRequest): Reply {
    switch (decision.kind) {
      case 'redirect':
        counters.redirect += 1;
        // Made when the link was looked up; the visitor's own parameters make another address, checked anew.
        if (decision === link.plain && link.plainReply !== null) return link.plainReply;
        return link.storeReplies?.get(decision) ?? redirectReply(deps.redirectStatus, decision.location);
      case 'page':
        counters.page += 1;
        return ownPage(link, request.query) ?? replies.unavailable;
      case 'chooser':
        counters.store_chooser += 1;
        return link.plainReply ?? replies.unavailable;
      case 'ipad-or-mac':
      case 'share':
        return link.lockedReply ?? link.plainReply ?? replies.unavailable;
      case 'locked':
        counters.unlock_form += 1;
        return link.lockedReply ?? replies.unavailable;
      case 'paused':
        counters.paused += 1;
        return replies.paused;
      case 'gone':
        counters.gone += 1;
        return replies.gone;
      case 'unreadable':
        counters.unavailable += 1;
        return replies.unavailable;
    }
  }
}

/** Returns a link's page, or its text alone for `?raw=1` where it has one. */
function ownPage(link: ServedLink, query: string): Reply | null {
  return link.rawReply !== null && RAW_MARK.test(query) ? link.rawReply : link.plainReply;
}

const RAW_MARK = /(?:^|&)raw=1(?:&|$)/;

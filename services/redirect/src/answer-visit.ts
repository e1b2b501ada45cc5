import { slugKey } from '@smartlink/smartlink/slug';
import type { Agent } from '@smartlink/visit-routing/classify';
import { applyChosenPlatform, applyPlatformHint } from '@smartlink/visit-routing/corrected-agent';
import { decide } from '@smartlink/visit-routing/decide';
import type { Decision } from '@smartlink/visit-routing/decide';
import { createAnswerDecision } from './answer-decision.js';
import type { AnswerDecisionDeps, Visit } from './answer-decision.js';
import { countVisit } from './counters.js';
import type { VisitCounters, VisitResult } from './counters.js';
import { visitAddress } from './link-address.js';
import type { EventRecorder } from './events/event-recorder.js';
import type { LinkCache } from './link-cache.js';
import type { FoundFile } from './rendering/link-files.js';
import { redirectReply } from './reply.js';
import type { Answer } from './reply.js';
import type { ServedLink } from './served-link.js';
import { inLanguageOf } from './system-replies.js';
import { describeVisit } from './visit-event.js';
import type { VisitorDeps } from './visit-event.js';
import type { VisitRequest } from './visit-request.js';

export type AnswerVisitDeps = AnswerDecisionDeps & {
  readonly findLink: LinkCache['find'];
  readonly classifyAgent: (userAgent: string) => Agent;
  /** Whether the Cookie header proves that this link was unlocked. */
  readonly isUnlocked: (cookie: string, link: ServedLink) => boolean;
  /** In strict mode the promise is awaited before the visitor is answered. */
  readonly recordEvent: EventRecorder['record'];
  readonly counters: VisitCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly forwardsQuery: boolean;
  readonly ownHost: string;
  readonly visitors: VisitorDeps;
  /** A fault of ours; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

/**
 * Returns the function that answers GET and HEAD of a slug's address: at once when the link is known here, and its page
 * made, so that a hot visit makes no promise; else as a promise. It never throws and its promise never rejects.
 */
export function createAnswerVisit(
  deps: AnswerVisitDeps,
): (request: VisitRequest) => Answer | Promise<Answer> {
  const { counters, replies } = deps;
  const answerDecision = createAnswerDecision(deps);

  return (request) => {
    const found = deps.findLink(slugKey(request.slug));
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => unavailable(request),
    );
  };

  function answer(request: VisitRequest, link: ServedLink | null): Answer | Promise<Answer> {
    try {
      if (link === null) {
        countVisit(counters, request.tally, 'not_found');
        return inLanguageOf(replies.notFound, request.headers, deps.defaultLanguage);
      }
      // Only App links ask which device it is; at any other one the choice means nothing.
      if (request.chosenPlatform !== null && link.stores === null) {
        countVisit(counters, request.tally, 'redirect');
        return redirectReply(302, visitAddress(request));
      }
      const visit = decideVisit(request, link);
      const found = answerDecision(visit);
      if (!(found instanceof Promise)) return settle(visit, found);
      return found.then((file) => settle(visit, file)).catch((err: unknown) => fail(request, err));
    } catch (err) {
      return fail(request, err);
    }
  }

  function decideVisit(request: VisitRequest, link: ServedLink): Visit {
    const { headers, chosenPlatform } = request;
    const hinted = applyPlatformHint(deps.classifyAgent(headers.userAgent), headers.secChUaPlatform);
    const agent = applyChosenPlatform(hinted, chosenPlatform);
    const decision = decide(link, {
      query: request.query,
      isUnlocked: link.password === null ? false : deps.isUnlocked(request.cookie, link),
      forwardsQuery: deps.forwardsQuery,
      platform: chosenPlatform ?? agent.platform,
      mayBeIpad: agent.mayBeIpad,
      isPreview: agent.isPreview,
    });
    return { request, link, agent, decision };
  }

  /** Counts and records a visit and returns its answer: what could not be answered is no visit. */
  function settle({ request, link, agent, decision }: Visit, found: FoundFile): Answer | Promise<Answer> {
    if (found === null) throw new Error('A link has no page to show');
    if (found === 'busy') return unavailable(request);
    countVisit(counters, request.tally, RESULTS[decision.kind]);
    const { now, ownHost, visitors } = deps;
    const event = describeVisit(link, decision, { request, agent, timeMs: now(), ownHost, visitors });
    const written = event === null ? undefined : deps.recordEvent(event, link.linkPart);
    return written === undefined ? found : written.then(() => found);
  }

  function fail(request: VisitRequest, err: unknown): Answer {
    countVisit(counters, request.tally, 'error');
    deps.onFault(err);
    return inLanguageOf(replies.unavailable, request.headers, deps.defaultLanguage);
  }

  function unavailable(request: VisitRequest): Answer {
    countVisit(counters, request.tally, 'unavailable');
    return inLanguageOf(replies.unavailable, request.headers, deps.defaultLanguage);
  }
}

const RESULTS: Readonly<Record<Decision['kind'], VisitResult>> = {
  redirect: 'redirect',
  page: 'page',
  chooser: 'store_chooser',
  'ipad-or-mac': 'ipad_or_mac',
  share: 'link_preview',
  locked: 'unlock_form',
  paused: 'paused',
  gone: 'gone',
  unreadable: 'unavailable',
};

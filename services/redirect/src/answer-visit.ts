import { chooseLanguage } from '@smartlink/pages/languages';
import { slugKey } from '@smartlink/smartlink/slug';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { applyPlatformHint } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { decide } from '@smartlink/visit-routing/decide';
import { createAnswerDecision } from './answer-decision.js';
import type { AnswerDecisionDeps, Visit } from './answer-decision.js';
import type { LinkCache } from './link-cache.js';
import type { Answer } from './reply.js';
import type { ServedLink } from './served-link.js';
import type { ByLanguage } from './system-replies.js';
import { describeVisit } from './visit-event.js';
import type { VisitRequest } from './visit-request.js';

export type AnswerVisitDeps = AnswerDecisionDeps & {
  readonly findLink: LinkCache['find'];
  readonly classifyAgent: (userAgent: string) => Agent;
  /** Whether the Cookie header proves that this link was unlocked. */
  readonly isUnlocked: (cookie: string, link: ServedLink) => boolean;
  /** In strict mode the promise is awaited before the visitor is answered. */
  readonly recordEvent: (event: VisitEvent) => Promise<boolean> | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly forwardsQuery: boolean;
  readonly ownHost: string;
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
  const inTheirLanguage = (answers: ByLanguage, { headers }: VisitRequest): Answer =>
    answers[chooseLanguage(headers.acceptLanguage, deps.defaultLanguage)];

  return (request) => {
    const found = deps.findLink(slugKey(request.slug));
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => {
        counters.unavailable += 1;
        return inTheirLanguage(replies.unavailable, request);
      },
    );
  };

  function answer(request: VisitRequest, link: ServedLink | null): Answer | Promise<Answer> {
    try {
      if (link === null) {
        counters.not_found += 1;
        return inTheirLanguage(replies.notFound, request);
      }
      const visit = decideVisit(request, link);
      const found = answerDecision(visit);
      if (!(found instanceof Promise)) return record(visit, found);
      return found.then((made) => record(visit, made)).catch((err: unknown) => fail(request, err));
    } catch (err) {
      return fail(request, err);
    }
  }

  function decideVisit(request: VisitRequest, link: ServedLink): Visit {
    const { headers, chosenPlatform } = request;
    const agent = applyPlatformHint(deps.classifyAgent(headers.userAgent), headers.secChUaPlatform);
    const decision = decide(link, {
      query: request.query,
      isUnlocked: link.password === null ? false : deps.isUnlocked(request.cookie, link),
      forwardsQuery: deps.forwardsQuery,
      platform: chosenPlatform ?? agent.platform,
      mayBeIpad: agent.mayBeIpad && chosenPlatform === null,
      isPreview: agent.isPreview,
    });
    return { request, link, agent, decision };
  }

  /** Returns `made`, after the visit is recorded: what could not be answered is no visit. */
  function record({ request, link, agent, decision }: Visit, made: Answer): Answer | Promise<Answer> {
    const { now, ownHost } = deps;
    const event = describeVisit(link, decision, { request, agent, timeMs: now(), ownHost });
    const written = event === null ? undefined : deps.recordEvent(event);
    return written === undefined ? made : written.then(() => made);
  }

  function fail(request: VisitRequest, err: unknown): Answer {
    counters.error += 1;
    deps.onFault(err);
    return inTheirLanguage(replies.unavailable, request);
  }
}

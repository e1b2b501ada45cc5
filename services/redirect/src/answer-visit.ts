import type { Language } from '@smartlink/pages/words';
import { chooseLanguage } from '@smartlink/pages/languages';
import { slugKey } from '@smartlink/smartlink/slug';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { applyPlatformHint } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { decide } from '@smartlink/visit-routing/decide';
import type { Decision } from '@smartlink/visit-routing/decide';
import type { VisitCounters } from './counters.js';
import type { LinkCache } from './link-cache.js';
import type { LinkFile } from './rendering/link-file.js';
import type { LinkFiles } from './rendering/link-files.js';
import { redirectReply } from './reply.js';
import type { Answer } from './reply.js';
import type { ServedLink } from './served-link.js';
import type { ByLanguage, SystemReplies } from './system-replies.js';
import { describeVisit } from './visit-event.js';
import type { VisitRequest } from './visit-request.js';

export type AnswerVisitDeps = {
  readonly findLink: LinkCache['find'];
  readonly findFile: LinkFiles['find'];
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
  readonly defaultLanguage: Language;
  readonly ownHost: string;
  /** A fault of ours; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

/** One visit on its way to its answer. */
type Visit = {
  readonly request: VisitRequest;
  readonly link: ServedLink;
  readonly agent: Agent;
  readonly decision: Decision;
};

/**
 * Returns the function that answers GET and HEAD of a slug's address: at once when the link is known here, and its page
 * made, so that a hot visit makes no promise; else as a promise. It never throws and its promise never rejects.
 */
export function createAnswerVisit(
  deps: AnswerVisitDeps,
): (request: VisitRequest) => Answer | Promise<Answer> {
  const { counters, replies } = deps;

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
      const found = toAnswer(visit);
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

  function toAnswer({ decision, link, request }: Visit): Answer | Promise<Answer> {
    switch (decision.kind) {
      case 'redirect':
        counters.redirect += 1;
        // Made when the link was looked up; the visitor's own parameters make another address, checked anew.
        if (decision === link.plain && link.plainReply !== null) return link.plainReply;
        return link.storeReplies?.get(decision) ?? redirectReply(deps.redirectStatus, decision.location);
      case 'page':
        counters.page += 1;
        return fileOf(link, link.hasRawText && RAW_MARK.test(request.query) ? 'raw' : 'own', request);
      case 'chooser':
        counters.store_chooser += 1;
        return fileOf(link, 'own', request);
      case 'ipad-or-mac':
        counters.ipad_or_mac += 1;
        return fileOf(link, request.isScan ? 'ipad-or-mac-scan' : 'ipad-or-mac', request);
      case 'share':
        counters.link_preview += 1;
        return fileOf(link, 'share', request);
      case 'locked':
        counters.unlock_form += 1;
        return fileOf(link, 'password', request);
      case 'paused':
        counters.paused += 1;
        return inTheirLanguage(replies.paused, request);
      case 'gone':
        counters.gone += 1;
        return inTheirLanguage(replies.gone, request);
      case 'unreadable':
        counters.unavailable += 1;
        return inTheirLanguage(replies.unavailable, request);
    }
  }

  function fileOf(link: ServedLink, file: LinkFile, request: VisitRequest): Answer | Promise<Answer> {
    const found = deps.findFile(link, file, languageOf(request));
    return found instanceof Promise ? found.then(present) : present(found);
  }

  function inTheirLanguage(answers: ByLanguage, request: VisitRequest): Answer {
    return answers[languageOf(request)];
  }

  function languageOf({ headers }: VisitRequest): Language {
    return chooseLanguage(headers.acceptLanguage, deps.defaultLanguage);
  }
}

/** Returns the file, which every link has that was decided to show it. */
function present(answer: Answer | null): Answer {
  if (answer === null) throw new Error('A link has no page to show');
  return answer;
}

const RAW_MARK = /(?:^|&)raw=1(?:&|$)/;

import { chooseLanguage } from '@smartlink/pages/languages';
import type { Language } from '@smartlink/pages/words';
import type { Agent } from '@smartlink/visit-routing/classify';
import type { Decision } from '@smartlink/visit-routing/decide';
import type { VisitCounters } from './counters.js';
import type { LinkFile } from './rendering/link-file.js';
import type { LinkFiles } from './rendering/link-files.js';
import { redirectReply } from './reply.js';
import type { Answer } from './reply.js';
import type { ServedLink } from './served-link.js';
import type { ByLanguage, SystemReplies } from './system-replies.js';
import type { VisitRequest } from './visit-request.js';

/** One visit on its way to its answer. */
export type Visit = {
  readonly request: VisitRequest;
  readonly link: ServedLink;
  readonly agent: Agent;
  readonly decision: Decision;
};

export type AnswerDecisionDeps = {
  readonly findFile: LinkFiles['find'];
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  readonly redirectStatus: number;
  readonly defaultLanguage: Language;
};

/**
 * Returns the function that turns a decision into its answer and counts it: at once, or as a promise where a page must be
 * made first, which rejects when it cannot be.
 */
export function createAnswerDecision(deps: AnswerDecisionDeps): (visit: Visit) => Answer | Promise<Answer> {
  const { counters, replies } = deps;

  return ({ decision, link, request }) => {
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
  };

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

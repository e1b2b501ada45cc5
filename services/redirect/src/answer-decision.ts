import type { Decision } from '@smartlink/visit-routing/decide';
import { chooseLanguage } from '@smartlink/pages/languages';
import type { Language } from '@smartlink/pages/words';
import type { Agent } from '@smartlink/visit-routing/classify';
import {
  IPAD_OR_MAC_PAGE,
  IPAD_OR_MAC_PAGE_OF_SCAN,
  OWN_PAGE,
  PASSWORD_PAGE,
  RAW_TEXT,
  SHARE_PAGE,
} from './rendering/link-file.js';
import type { LinkFile } from './rendering/link-file.js';
import type { FoundFile, LinkFiles } from './rendering/link-files.js';
import { redirectReply } from './reply.js';
import type { ServedLink } from './served-link.js';
import { inLanguageOf } from './system-replies.js';
import type { SystemReplies } from './system-replies.js';
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
  readonly redirectStatus: number;
  readonly defaultLanguage: Language;
};

/**
 * Returns the function that turns a decision into its answer: at once, or as a promise where a page must be made first.
 * Throws or rejects when a page cannot be made.
 */
export function createAnswerDecision(
  deps: AnswerDecisionDeps,
): (visit: Visit) => FoundFile | Promise<FoundFile> {
  const { replies, defaultLanguage } = deps;

  return ({ decision, link, request }) => {
    switch (decision.kind) {
      case 'redirect':
        // Made when the link was looked up; the visitor's own parameters make another address, checked anew.
        if (decision === link.plain && link.plainReply !== null) return link.plainReply;
        return link.storeReplies?.get(decision) ?? redirectReply(deps.redirectStatus, decision.location);
      case 'page':
        return fileOf(link, link.hasRawText && RAW_MARK.test(request.query) ? RAW_TEXT : OWN_PAGE, request);
      case 'chooser':
        return fileOf(link, OWN_PAGE, request);
      case 'ipad-or-mac':
        return fileOf(link, request.isScan ? IPAD_OR_MAC_PAGE_OF_SCAN : IPAD_OR_MAC_PAGE, request);
      case 'share':
        return fileOf(link, SHARE_PAGE, request);
      case 'locked':
        return fileOf(link, PASSWORD_PAGE, request);
      case 'paused':
        return inLanguageOf(replies.paused, request.headers, defaultLanguage);
      case 'gone':
        return inLanguageOf(replies.gone, request.headers, defaultLanguage);
      case 'unreadable':
        return inLanguageOf(replies.unavailable, request.headers, defaultLanguage);
    }
  };

  function fileOf(
    link: ServedLink,
    file: LinkFile,
    { headers }: VisitRequest,
  ): FoundFile | Promise<FoundFile> {
    return deps.findFile(link, file, chooseLanguage(headers.acceptLanguage, defaultLanguage));
  }
}

const RAW_MARK = /(?:^|&)raw=1(?:&|$)/;

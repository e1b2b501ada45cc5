import type { Language } from '@smartlink/pages/words';
import { slugKey } from '@smartlink/smartlink/slug';
import type { VisitCounters } from './counters.js';
import type { LinkCache } from './link-cache.js';
import { isQrFile } from './rendering/link-file.js';
import type { LinkFile } from './rendering/link-file.js';
import type { LinkFiles } from './rendering/link-files.js';
import type { Answer } from './reply.js';
import type { ServedLink } from './served-link.js';
import type { SystemReplies } from './system-replies.js';

export type AnswerFileDeps = {
  readonly findLink: LinkCache['find'];
  readonly findFile: LinkFiles['find'];
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  /** A fault of ours; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

export type FileRequest = { readonly slug: string; readonly file: LinkFile; readonly language: Language };

/**
 * Returns the function that answers for what belongs to a link and is no visit to it: its preview, its QR code, its
 * card for address books. None of it is counted as one. Its promise never rejects.
 */
export function createAnswerFile(deps: AnswerFileDeps): (request: FileRequest) => Promise<Answer> {
  const { counters, replies } = deps;

  return async (request) => {
    const { language } = request;
    let link: ServedLink | null;
    try {
      link = await deps.findLink(slugKey(request.slug));
    } catch {
      counters.unavailable += 1;
      return replies.unavailable[language];
    }
    try {
      return await answer(request, link);
    } catch (err) {
      counters.error += 1;
      deps.onFault(err);
      return replies.unavailable[language];
    }
  };

  async function answer({ file, language }: FileRequest, link: ServedLink | null): Promise<Answer> {
    if (link === null) return notFound(language);
    const { kind } = link.plain;
    if (kind === 'gone') {
      counters.gone += 1;
      return replies.gone[language];
    }
    if (kind === 'paused' && !isQrFile(file)) {
      counters.paused += 1;
      return replies.paused[language];
    }
    if (kind === 'unreadable') {
      counters.unavailable += 1;
      return replies.unavailable[language];
    }
    const found = await deps.findFile(link, file, language);
    if (found === null) return notFound(language);
    counters.link_file += 1;
    return found;
  }

  function notFound(language: Language): Answer {
    counters.not_found += 1;
    return replies.notFound[language];
  }
}

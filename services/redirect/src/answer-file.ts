import type { Language } from '@smartlink/pages/words';
import { slugKey } from '@smartlink/smartlink/slug';
import { countVisit } from './counters.js';
import type { Tally, VisitCounters, VisitResult } from './counters.js';
import type { LinkCache } from './link-cache.js';
import type { LinkFile } from './rendering/link-file.js';
import type { FoundFile, LinkFiles } from './rendering/link-files.js';
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

export type FileRequest = {
  readonly slug: string;
  readonly file: LinkFile;
  readonly language: Language;
  readonly tally: Tally;
};

/**
 * Returns the function that answers for what belongs to a link and is no visit to it: its preview, its QR code, its
 * card for address books. None of it is counted as one. At once when link and file are known here, else as a promise. It
 * never throws and its promise never rejects.
 */
export function createAnswerFile(deps: AnswerFileDeps): (request: FileRequest) => Answer | Promise<Answer> {
  const { replies } = deps;

  return (request) => {
    const found = deps.findLink(slugKey(request.slug));
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => system('unavailable', request),
    );
  };

  function answer(request: FileRequest, link: ServedLink | null): Answer | Promise<Answer> {
    try {
      if (link === null) return system('notFound', request);
      const { kind } = link.plain;
      if (kind === 'gone') return system('gone', request);
      if (kind === 'paused' && request.file.kind !== 'qr') return system('paused', request);
      if (kind === 'unreadable') return system('unavailable', request);
      const found = deps.findFile(link, request.file, request.language);
      if (!(found instanceof Promise)) return settle(request, found);
      return found.then((file) => settle(request, file)).catch((err: unknown) => fail(request, err));
    } catch (err) {
      return fail(request, err);
    }
  }

  function settle(request: FileRequest, found: FoundFile): Answer {
    if (found === null) return system('notFound', request);
    if (found === 'busy') return system('unavailable', request);
    countVisit(deps.counters, request.tally, 'link_file');
    return found;
  }

  function system(name: keyof typeof RESULTS, { language, tally }: FileRequest): Answer {
    countVisit(deps.counters, tally, RESULTS[name]);
    return replies[name][language];
  }

  function fail({ language, tally }: FileRequest, err: unknown): Answer {
    countVisit(deps.counters, tally, 'error');
    deps.onFault(err);
    return replies.unavailable[language];
  }
}

const RESULTS = {
  notFound: 'not_found',
  gone: 'gone',
  paused: 'paused',
  unavailable: 'unavailable',
} as const satisfies Partial<Record<keyof SystemReplies, VisitResult>>;

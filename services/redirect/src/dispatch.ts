import type { VisitCounters } from './counters.js';
import { drawFavicon } from './pages/favicon.js';
import type { SystemReplies } from './pages/system-pages.js';
import { assetReply, headerValue, redirectReply, textReply } from './reply.js';
import type { Reply } from './reply.js';
import type { UnlockRequest } from './unlock/answer-unlock.js';
import { parseVisitPath } from './visit-path.js';
import type { VisitRequest } from './visit-request.js';

export type DispatchDeps = {
  readonly answerVisit: (request: VisitRequest) => Reply | Promise<Reply>;
  readonly answerUnlock: (request: UnlockRequest) => Promise<Reply>;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  /** Whether a balancer should send visitors here. */
  readonly isReady: () => boolean;
  readonly rootRedirectUrl: string | undefined;
};

/** A GET or HEAD as copied by the server. */
export type PageRequest = Omit<VisitRequest, 'slug' | 'isScan'> & { readonly path: string };

/** A POST as copied by the server. */
export type FormRequest = Omit<UnlockRequest, 'slug' | 'isScan'> & { readonly path: string };

export type Dispatch = {
  readonly page: (request: PageRequest) => Reply | Promise<Reply>;
  /** Whether a POST to this path has a body that is worth reading. */
  readonly takesForm: (path: string) => boolean;
  readonly form: (request: FormRequest) => Promise<Reply>;
  readonly methodNotAllowed: () => Reply;
};

const FAVICON_SECONDS = 86_400;

/** Returns which part of the service answers which path. Slugs come first: they are nearly all there is. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const { replies, counters } = deps;
  const live = textReply(200, 'live\n');
  const ready = textReply(200, 'ready\n');
  // No reasons in public: what is broken in here is nobody's business out there.
  const notReady = textReply(503, 'not ready\n');
  const notAllowed = textReply(405, 'Method not allowed\n', [['Allow', headerValue('GET, HEAD')]]);
  const fixed = new Map<string, () => Reply>([
    ['/-/live', () => live],
    ['/-/ready', () => (deps.isReady() ? ready : notReady)],
    [
      '/',
      constant(deps.rootRedirectUrl === undefined ? replies.root : redirectReply(302, deps.rootRedirectUrl)),
    ],
    ['/robots.txt', constant(textReply(200, ROBOTS))],
    ['/favicon.ico', constant(assetReply('image/x-icon', drawFavicon(), FAVICON_SECONDS))],
  ]);

  return {
    page(request) {
      const visit = parseVisitPath(request.path);
      if (visit !== null) {
        const { isHead, query, headers, cookie } = request;
        return deps.answerVisit({ slug: visit.slug, isScan: visit.isScan, isHead, query, headers, cookie });
      }
      const reply = fixed.get(request.path)?.();
      if (reply !== undefined) return reply;
      counters.not_found += 1;
      return replies.notFound;
    },
    takesForm: (path) => parseVisitPath(path) !== null,
    async form(request) {
      const visit = parseVisitPath(request.path);
      return visit === null ? notAllowed : deps.answerUnlock({ ...request, ...visit });
    },
    methodNotAllowed() {
      counters.method_not_allowed += 1;
      return notAllowed;
    },
  };
}

const constant = (reply: Reply) => () => reply;

// Search engines may follow short links (each says noindex itself); our own addresses hold nothing for them but the
// pictures that pages point to.
const ROBOTS = `User-agent: *
Allow: /-/assets/
Allow: /-/qr/
Disallow: /-/
`;

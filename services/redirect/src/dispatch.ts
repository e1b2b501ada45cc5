import { chooseLanguage } from '@smartlink/pages/languages';
import type { Language } from '@smartlink/pages/words';
import type { FileRequest } from './answer-file.js';
import { countVisit } from './counters.js';
import type { Tally, VisitCounters } from './counters.js';
import { copyVisitRequest, readQuery } from './copy-request.js';
import type { Arrival, FormRequest, ProxyRules } from './copy-request.js';
import { drawFavicon } from './favicon.js';
import { parseInternalPath, parseVisitPath } from './link-address.js';
import type { InternalAddress } from './link-address.js';
import { fileAnswer } from './encoded-reply.js';
import { PREVIEW_PAGE, QR_SIZES_PX, VCARD, qrFile } from './rendering/link-file.js';
import type { LinkFile } from './rendering/link-file.js';
import { methodNotAllowed, redirectReply, textReply } from './reply.js';
import type { Answer, Reply } from './reply.js';
import type { SystemReplies } from './system-replies.js';
import type { UnlockRequest } from './unlock/answer-unlock.js';
import type { VisitRequest } from './visit-request.js';

export type DispatchDeps = {
  readonly answerVisit: (request: VisitRequest) => Answer | Promise<Answer>;
  readonly answerFile: (request: FileRequest) => Answer | Promise<Answer>;
  readonly answerUnlock: (request: UnlockRequest) => Promise<Answer>;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  /** Answers that are files of ours or of the operator, by their whole path. */
  readonly files: ReadonlyMap<string, Answer>;
  /** Whether a balancer should send visitors here. */
  readonly isReady: () => boolean;
  readonly rootRedirectUrl: string | undefined;
  readonly defaultLanguage: Language;
  readonly proxyRules: ProxyRules;
};

export type Dispatch = {
  /** Answers a GET or HEAD, of which it copies what it needs before it returns. */
  readonly page: (arrival: Arrival) => Answer | Promise<Answer>;
  /** Whether a POST to this path has a body that is worth reading. */
  readonly takesForm: (path: string) => boolean;
  readonly form: (request: FormRequest) => Promise<Answer>;
  readonly methodNotAllowed: (tally: Tally) => Reply;
};

const FAVICON_SECONDS = 86_400;

/** Returns which part of the service answers which path. Slugs come first: they are nearly all there is. */
export function createDispatch(deps: DispatchDeps): Dispatch {
  const { replies, counters, proxyRules } = deps;
  const notAllowed = methodNotAllowed();
  const badQrOption = textReply(400, `ecc is L, M, Q or H; size is ${QR_SIZES_PX.join(', ')}\n`);
  const fixed = fixedAnswers(deps);
  const languageOf = (acceptLanguage: string) => chooseLanguage(acceptLanguage, deps.defaultLanguage);

  return {
    page(arrival) {
      const path = arrival.req.getUrl();
      const visit = parseVisitPath(path);
      if (visit !== null) return deps.answerVisit(copyVisitRequest(arrival, visit, proxyRules));
      const address = parseInternalPath(path);
      if (address?.kind === 'chosen') {
        return deps.answerVisit(copyVisitRequest(arrival, address, proxyRules));
      }
      const language = languageOf(arrival.req.getHeader('accept-language'));
      if (address !== null) {
        const file = chooseFile(address, readQuery(arrival.req));
        return file === null
          ? badQrOption
          : deps.answerFile({ slug: address.slug, file, language, tally: arrival });
      }
      const answer = fixed.get(path)?.(language);
      if (answer !== undefined && !(HEALTH.has(path) && cameThroughProxy(arrival.req))) return answer;
      countVisit(counters, arrival, 'not_found');
      return replies.notFound[language];
    },
    takesForm: (path) => parseVisitPath(path) !== null,
    async form({ path, acceptLanguage, ...request }) {
      const visit = parseVisitPath(path);
      if (visit === null) return notAllowed;
      return deps.answerUnlock({ ...request, ...visit, language: languageOf(acceptLanguage) });
    },
    methodNotAllowed(tally) {
      countVisit(counters, tally, 'method_not_allowed');
      return notAllowed;
    },
  };
}

// Balancers and probes ask on the internal network. Who comes through a proxy comes from outside, by an edge that passes on
// more than it should, as every Ingress does that has no field for it.
const HEALTH: ReadonlySet<string> = new Set(['/-/live', '/-/ready']);
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

function cameThroughProxy(req: Arrival['req']): boolean {
  return PROXY_HEADERS.some((name) => req.getHeader(name) !== '');
}

/** Returns which file of a link is asked for; null for a QR code at a level or a size that there is not. */
function chooseFile(address: Exclude<InternalAddress, { kind: 'chosen' }>, query: string): LinkFile | null {
  if (address.kind === 'preview') return PREVIEW_PAGE;
  if (address.kind === 'vcard') return VCARD;
  return qrFile(address.format, query);
}

function fixedAnswers(deps: DispatchDeps): ReadonlyMap<string, (language: Language) => Answer> {
  const { replies, rootRedirectUrl } = deps;
  const live = textReply(200, 'live\n');
  const ready = textReply(200, 'ready\n');
  // No reasons in public: what is broken in here is nobody's business out there.
  const notReady = textReply(503, 'not ready\n');
  const robots = textReply(200, ROBOTS);
  const favicon = fileAnswer('image/x-icon', drawFavicon(), { maxAgeSeconds: FAVICON_SECONDS });
  const root = rootRedirectUrl === undefined ? null : redirectReply(302, rootRedirectUrl);
  return new Map<string, (language: Language) => Answer>([
    ['/-/live', () => live],
    ['/-/ready', () => (deps.isReady() ? ready : notReady)],
    ['/', (language) => root ?? replies.root[language]],
    ['/robots.txt', () => robots],
    ['/favicon.ico', () => favicon],
    ...[...deps.files].map(([path, answer]) => [path, () => answer] as const),
  ]);
}

// Search engines may follow short links, each of which says itself whether it is to be listed; our own addresses hold
// nothing for them but the pictures that pages point to.
const ROBOTS = `User-agent: *
Allow: /-/assets/
Allow: /-/qr/
Disallow: /-/
`;

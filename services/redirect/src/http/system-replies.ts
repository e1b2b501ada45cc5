import { LANGUAGES, compressPage, type Language, type Site } from '@smartlink/pages/site';
import { systemPage, type SystemPage } from '@smartlink/pages/system-page';
import {
  type Answer,
  encodedReply,
  type Header,
  headerValue,
  htmlHead,
  htmlHeaders,
  pageReply,
} from './reply.js';

export type SystemReplies = ReturnType<typeof createSystemReplies>;

/** The replies to requests for a link. */
export type LinkReplyName = Exclude<keyof SystemReplies, 'root' | 'tooManyRequests'>;

type ByLanguage = Readonly<Record<Language, Answer>>;

/** After this Redis or Postgres may well be back. */
export const RETRY_AFTER_SECONDS = 5;

/** Rendered at start, so that they need no store and no thread. */
export function createSystemReplies(site: Site) {
  return {
    notFound: inAllLanguages(404, 'notFound', site),
    paused: inAllLanguages(404, 'paused', site),
    gone: inAllLanguages(410, 'gone', site),
    scheduled: inAllLanguages(404, 'scheduled', site),
    expired: inAllLanguages(410, 'over', site),
    exhausted: inAllLanguages(410, 'over', site),
    unavailable: inAllLanguages(503, 'unavailable', site, [retryAfter(RETRY_AFTER_SECONDS)]),
    root: inAllLanguages(200, 'root', site),
    /** `waitSeconds`: whole seconds. */
    tooManyRequests(language: Language, waitSeconds: number) {
      const page = systemPage('tooManyRequests', language, site, waitSeconds);
      return pageReply(429, page, [retryAfter(waitSeconds)]);
    },
  };
}

export function retryAfter(seconds: number): Header {
  return ['Retry-After', headerValue(String(seconds))];
}

function inAllLanguages(
  code: number,
  name: SystemPage,
  site: Site,
  extra: readonly Header[] = [],
): ByLanguage {
  const answers = LANGUAGES.map((language): [Language, Answer] => {
    const { html, ...about } = systemPage(name, language, site);
    const headers = [...htmlHeaders(about), ...extra];
    const plain = Buffer.from(html);
    // Scanners accept no encoding and see these pages most.
    const body = { ...compressPage(plain), plain };
    return [language, encodedReply({ code, headOf: htmlHead, headers }, body, { kind: 'no-store' })];
  });
  return Object.fromEntries(answers) as Record<Language, Answer>;
}

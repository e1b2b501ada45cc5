import { compressPage } from '@smartlink/pages/compression';
import { chooseLanguage } from '@smartlink/pages/languages';
import { systemPage } from '@smartlink/pages/system-page';
import type { SystemPage } from '@smartlink/pages/system-page';
import type { Site } from '@smartlink/pages/site';
import { LANGUAGES } from '@smartlink/pages/words';
import type { Language } from '@smartlink/pages/words';
import { encodedReply } from './encoded-reply.js';
import { htmlHead, htmlHeaders, pageReply } from './page-reply.js';
import { headerValue } from './reply.js';
import type { Answer, Header, Reply } from './reply.js';

/** The answers that lead nowhere, each a small page in the visitor's language, made once at start. */
export type SystemReplies = {
  readonly notFound: ByLanguage;
  readonly paused: ByLanguage;
  readonly gone: ByLanguage;
  readonly unavailable: ByLanguage;
  readonly root: ByLanguage;
  /** Of somebody who has to wait, in whole seconds. */
  readonly tooManyRequests: (language: Language, waitSeconds: number) => Reply;
};

export type ByLanguage = Readonly<Record<Language, Answer>>;

/** Returns the answer in the language that a visitor likes best. */
export function inLanguageOf(
  answers: ByLanguage,
  { acceptLanguage }: { readonly acceptLanguage: string },
  defaultLanguage: Language,
): Answer {
  return answers[chooseLanguage(acceptLanguage, defaultLanguage)];
}

/** Seconds after which a visitor may well find Redis or Postgres back. */
const RETRY_AFTER_SECONDS = 5;

/** Returns the system pages' answers: with no store in reach they are still there, and cost no rendering. */
export function createSystemReplies(site: Site): SystemReplies {
  return {
    notFound: inAllLanguages(404, 'notFound', site),
    paused: inAllLanguages(404, 'paused', site),
    gone: inAllLanguages(410, 'gone', site),
    unavailable: inAllLanguages(503, 'unavailable', site, [retryAfter(RETRY_AFTER_SECONDS)]),
    root: inAllLanguages(200, 'root', site),
    tooManyRequests(language, waitSeconds) {
      const page = systemPage('tooManyRequests', language, site, waitSeconds);
      return pageReply(429, page, [retryAfter(waitSeconds)]);
    },
  };
}

/** Returns the header that says when to come again. */
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
    // Scanners take no encoding, and are those who see these pages most.
    const body = { ...compressPage(plain), plain };
    return [language, encodedReply({ code, headOf: htmlHead, headers }, body, { kind: 'no-store' })];
  });
  return Object.fromEntries(answers) as Record<Language, Answer>;
}

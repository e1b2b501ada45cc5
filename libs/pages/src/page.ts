import type { Language } from './words/words.js';

/** A whole page and what its headers must say of it. */
export type Page = {
  readonly html: string;
  /** Content-Security-Policy that lets through just what the page holds. Printable ASCII. */
  readonly policy: string;
  /** Of the fixed words; the owner's texts say theirs themselves. */
  readonly language: Language;
  /** Whether search engines may list it. */
  readonly isIndexed: boolean;
};

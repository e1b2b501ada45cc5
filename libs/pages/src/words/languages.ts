import { az } from './az.js';
import { en } from './en.js';
import { ru } from './ru.js';
import { tr } from './tr.js';
import { LANGUAGES } from './words.js';
import type { Language, Words } from './words.js';

/** The words by language. */
export const WORDS: Readonly<Record<Language, Words>> = { en, az, ru, tr };

// Real headers end below 100 characters; what stands further back is not looked at.
const HEADER_LENGTH_MAX = 256;

/**
 * Returns the language of ours that a visitor likes best by Accept-Language (RFC 9110, 12.5.4), `fallback` when they name
 * none of them. Regions and scripts are passed over: `az-Cyrl-AZ` is Azerbaijani.
 */
export function chooseLanguage(acceptLanguage: string, fallback: Language): Language {
  let best: Language | null = null;
  let bestWeight = 0;
  for (const range of acceptLanguage.slice(0, HEADER_LENGTH_MAX).split(',')) {
    const [, tag = '', weight = '1'] = RANGE.exec(range) ?? [];
    const language = tag === '*' ? fallback : LANGUAGES.find((name) => name === tag.toLowerCase());
    // Of two liked alike the first one named is meant.
    if (language === undefined || Number(weight) <= bestWeight) continue;
    best = language;
    bestWeight = Number(weight);
  }
  return best ?? fallback;
}

const RANGE = /^\s*(\*|[a-z]{2,3})(?:-[a-z\d-]{0,40})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

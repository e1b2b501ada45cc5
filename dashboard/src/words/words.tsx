import { createContext, useContext } from 'react';
import type { Dictionary } from './by-room.js';

/** The languages of the dashboard, by their own names. */
export const LANGUAGES = { en: 'English', az: 'Azərbaycanca', ru: 'Русский', tr: 'Türkçe' } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text);

// One file a language holds the words of all screens: a screen then needs no request for its own.
const DICTIONARIES: Readonly<Record<Language, () => Promise<{ readonly dictionary: Dictionary }>>> = {
  en: () => import('./en.js'),
  az: () => import('./az.js'),
  ru: () => import('./ru.js'),
  tr: () => import('./tr.js'),
};

export async function loadWords(language: Language): Promise<Dictionary> {
  return (await DICTIONARIES[language]()).dictionary;
}

export const WordsContext = createContext<Dictionary>({});

/** A hook that gives the words of a room in the language in use. `Words` is the type of its English words. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the words are loaded, so nothing infers it
export function wordsOf<Words extends object>(room: string): () => Words {
  return function useWords() {
    const words = useContext(WordsContext)[room];
    if (words === undefined) throw new Error(`${room} has no words`);
    return words as Words;
  };
}

import { createContext, use, useContext } from 'react';
import type { ByRoom } from './by-room.js';

/** The languages of the dashboard, by their own names. */
export const LANGUAGES = { en: 'English', az: 'Azərbaycanca', ru: 'Русский', tr: 'Türkçe' } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text);

type LanguageFile = { readonly first: ByRoom<object>; readonly later: ByRoom<() => Promise<object>> };

const FILES: Readonly<Record<Language, () => Promise<LanguageFile>>> = {
  en: () => import('./en.js'),
  az: () => import('./az.js'),
  ru: () => import('./ru.js'),
  tr: () => import('./tr.js'),
};

const loaded: Readonly<Record<Language, Map<string, object>>> = {
  en: new Map(),
  az: new Map(),
  ru: new Map(),
  tr: new Map(),
};
const loading = new Map<string, Promise<object>>();

/** Rooms whose words are loaded in a language. */
export const loadedRooms = (language: Language): readonly string[] => [...loaded[language].keys()];

/** Loads the words of rooms, as in `screens/api-keys`. */
export async function loadWords(language: Language, rooms: readonly string[]): Promise<void> {
  await Promise.all(rooms.map((room) => loadRoom(language, room)));
}

function loadRoom(language: Language, room: string): Promise<object> {
  const key = `${language}/${room}`;
  const known = loading.get(key);
  if (known !== undefined) return known;
  const words = readRoom(language, room).catch((error: unknown) => {
    loading.delete(key);
    throw error;
  });
  loading.set(key, words);
  return words;
}

async function readRoom(language: Language, room: string): Promise<object> {
  const { first, later } = await FILES[language]();
  const words = first[room] ?? (await later[room]?.());
  if (words === undefined) throw new Error(`${room} has no words`);
  loaded[language].set(room, words);
  return words;
}

export const LanguageContext = createContext<Language>('en');

/**
 * A hook that gives the words of a room in the language in use; it suspends until they are loaded. `Words` is the type
 * of its English words.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the words are loaded, so nothing infers it
export function wordsOf<Words extends object>(room: string): () => Words {
  return function useWords() {
    const language = useContext(LanguageContext);
    return (loaded[language].get(room) ?? use(loadRoom(language, room))) as Words;
  };
}

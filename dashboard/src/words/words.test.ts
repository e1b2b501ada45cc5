import { expect, test } from 'vitest';
import { LANGUAGES, loadedRooms, loadWords, type Language } from './words.js';

const languages = Object.keys(LANGUAGES) as Language[];
const files = import.meta.glob<object>('../**/words/{en,az,ru,tr}.ts', { eager: true, import: 'words' });

/** The words of a language by room. */
const roomsOf = (language: Language) =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([file]) => file.endsWith(`/words/${language}.ts`) && !file.startsWith('./'))
      .map(([file, words]) => [file.slice('../'.length, -`/words/${language}.ts`.length), words]),
  );

/** Every text by its path; functions are called with several arguments. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const make = value as (...args: unknown[]) => string;
    const arguments_ = [0, 1, 2, 5, 21, 'x'].map((each) => Array.from({ length: make.length }, () => each));
    return arguments_.map((args) => [`${path}(${args.join()})`, make(...args)]);
  }
  return Object.entries(value as object).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));
}

test('every room has its words in four languages, and none is empty', () => {
  const all = languages.map((language) => textsOf(roomsOf(language)));
  const [english = [], ...others] = all.map((texts) => texts.map(([path]) => path).sort());
  for (const paths of others) expect(paths).toEqual(english);
  expect(all.flat().filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('the words of every room load in every language', async () => {
  for (const language of languages) {
    const rooms = Object.keys(roomsOf(language)).sort();
    await loadWords(language, rooms);
    expect([...loadedRooms(language)].sort()).toEqual(rooms);
  }
});

test('Russian is written in Cyrillic, but for names', () => {
  const latin = textsOf(roomsOf('ru')).filter(([, text]) => !/[а-яё]/i.test(text));
  expect(latin.map(([, text]) => text)).toEqual(['Smartlink']);
});

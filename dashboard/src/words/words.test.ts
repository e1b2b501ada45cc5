import { expect, test } from 'vitest';
import { LANGUAGES, type Language, loadWords } from './words.js';

const languages = Object.keys(LANGUAGES) as Language[];

/** Every text by its path; those made of numbers or names with several of them. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const make = value as (...args: unknown[]) => string;
    const arguments_ = [0, 1, 2, 5, 21, 'x'].map((each) => Array.from({ length: make.length }, () => each));
    return arguments_.map((args) => [`${path}(${args.join()})`, make(...args)]);
  }
  return Object.entries(value as object).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));
}

test('every room has its words in four languages, and none is empty', async () => {
  const all = await Promise.all(languages.map(async (language) => textsOf(await loadWords(language))));
  const [english = [], ...others] = all.map((texts) => texts.map(([path]) => path).sort());
  for (const paths of others) expect(paths).toEqual(english);
  for (const [path, text] of all.flat()) expect([path, text.trim() !== '']).toEqual([path, true]);
});

test('Russian is written in Cyrillic, but for names', async () => {
  const latin = textsOf(await loadWords('ru')).filter(([, text]) => !/[а-яё]/i.test(text));
  expect(latin.map(([, text]) => text)).toEqual(['Smartlink']);
});

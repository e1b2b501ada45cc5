import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  choiceParam,
  dateParam,
  nextParam,
  numberParam,
  parseSearch,
  stringifySearch,
} from './search-params.js';

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://app.example.com/dashboard/sign-in'));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the address and the state of a screen say the same', () => {
  const search = { q: '123 ä&=', type: 'Url', limit: 5, empty: '', none: undefined };
  expect(stringifySearch(search)).toBe('?q=123+%C3%A4%26%3D&type=Url&limit=5');
  expect(parseSearch(stringifySearch(search))).toEqual({ q: '123 ä&=', type: 'Url', limit: '5' });
  expect(stringifySearch({})).toBe('');
});

test('parameters that do not fit are dropped', () => {
  expect([choiceParam('a', ['a', 'b']), choiceParam('c', ['a', 'b'])]).toEqual(['a', undefined]);
  expect(['7', '0', '1e3', '-1', 7].map((each) => numberParam(each, 1, 9))).toEqual([
    7,
    undefined,
    undefined,
    undefined,
    7,
  ]);
  expect(['2026-11-27', '2026-13-01', 'x'].map(dateParam)).toEqual(['2026-11-27', undefined, undefined]);
});

test('statement 8: sign-in leads to paths of the dashboard alone', () => {
  expect(nextParam('/dashboard/links?q=a#b')).toBe('/dashboard/links?q=a#b');
  for (const hostile of [
    ...[
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/dashboard/..//evil.example',
      '/dashboard/../api',
    ],
    ...[
      'javascript:alert(1)',
      '/dashboard',
      '\t//evil.example',
      '/dashboard/\t/../../..//evil.example',
      undefined,
      1,
    ],
  ]) {
    expect([hostile, nextParam(hostile)]).toEqual([hostile, undefined]);
  }
});

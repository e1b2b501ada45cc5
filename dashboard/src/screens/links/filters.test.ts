import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/search-params.js';
import { countMore, isFiltered, type LinksSearch, readSearch, toFilter } from './filters.js';

const ALL: LinksSearch = {
  q: 'a&b=ä',
  type: 'QrMenu',
  status: 'all',
  tag: 'Spring 2026',
  folder: 'none',
  domain: 'go.example.org',
  sort: 'lastVisitAt',
  createdFrom: '2026-01-01',
  createdTo: '2026-11-27',
  unsafe: 'true',
  archived: 'all',
};

test('the address and the filters say the same, both ways', () => {
  for (const search of [ALL, {}, { q: '1' }, { sort: 'name' as const }]) {
    expect(readSearch(parseSearch(stringifySearch(search)))).toEqual(search);
  }
});

test('what is no filter of the list is dropped from the address', () => {
  const hostile = {
    type: 'Nothing',
    status: 'active',
    sort: 'id',
    createdFrom: 'x',
    archived: '1',
    more: '1',
  };
  expect(readSearch(hostile)).toEqual({});
});

test('every filter reaches the API, and unsafe links are looked for among the paused', () => {
  const { folder: folderId, ...same } = ALL;
  expect(toFilter(ALL)).toEqual({ ...same, folderId });
  expect(toFilter({ unsafe: 'true' }).status).toBe('Paused');
  expect(toFilter({}).status).toBeUndefined();
});

test('the order is no filter, and rare filters are counted', () => {
  expect([isFiltered({ sort: 'name' }), isFiltered({ q: 'a' })]).toEqual([false, true]);
  expect([countMore({ q: 'a' }), countMore(ALL)]).toEqual([0, 4]);
});

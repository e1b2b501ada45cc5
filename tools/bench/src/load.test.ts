import { expect, test } from 'vitest';
import { mixRequests } from './load.js';

const countDifferent = (requests: readonly string[], pattern: RegExp) =>
  new Set(requests.map((request) => pattern.exec(request)?.[0])).size;

test('a mix has every slug, 1,000 browsers and 20,000 visitors, and a query in a third', () => {
  const requests = mixRequests(['a', 'b', 'c', 'd']);
  const patterns = [/GET \/\w+/, /User-Agent: .*/, /X-Forwarded-For: .*/];
  expect(patterns.map((pattern) => countDifferent(requests, pattern))).toEqual([4, 1_000, 20_000]);
  expect(requests.filter((request) => request.includes('?')).length).toBe(6_667);
});

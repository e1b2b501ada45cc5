import { expect, test } from 'vitest';
import { mixRequests } from './load.js';

const countDifferent = (requests: readonly string[], pattern: RegExp) =>
  new Set(requests.map((request) => pattern.exec(request)?.[0])).size;

test('a mix has as many slugs, browsers and visitors as it says, and a query in a third', () => {
  const requests = mixRequests({ slugs: ['a', 'b', 'c', 'd'], agents: 10_000, addresses: 20_000 });
  const patterns = [/GET \/\w+/, /User-Agent: .*/, /X-Forwarded-For: .*/];
  expect(patterns.map((pattern) => countDifferent(requests, pattern))).toEqual([4, 10_000, 20_000]);
  expect(requests.filter((request) => request.includes('?')).length).toBe(6_667);
});

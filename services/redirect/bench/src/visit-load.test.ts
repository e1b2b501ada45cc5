import { expect, test } from 'vitest';
import { mixRequests } from './visit-load.js';

const MIX = {
  slugs: ['a', 'b', 'c'],
  agents: 1,
  addresses: 0,
  queryEvery: 0,
  isScan: false,
  isPhone: false,
};
const different = (requests: readonly string[], pattern: RegExp) =>
  new Set(requests.map((request) => pattern.exec(request)?.[0])).size;

test.each([false, true])(
  'a mix has as many slugs, browsers and visitors as it says (phones: %s)',
  (isPhone) => {
    const requests = mixRequests({ ...MIX, isPhone, agents: 10_000, addresses: 20_000 });
    const patterns = [/GET \S+ /, /User-Agent: .*/, /X-Forwarded-For: .*/];
    expect(patterns.map((pattern) => different(requests, pattern))).toEqual([3, 10_000, 20_000]);
    expect(different(mixRequests(MIX), /User-Agent: .*/)).toBe(1);
  },
);

import { expect, test } from 'vitest';
import { readOptions } from './options.js';

test('takes a number of events as people write it, and the whole run when nothing is said', () => {
  expect(readOptions([])).toMatchObject({ events: 50_000_000, only: null });
  expect(readOptions(['--events', '1_000_000', '--only', 'api'])).toMatchObject({
    events: 1_000_000,
    only: ['api'],
  });
});

test.each([
  ['--events', '1e9'],
  ['--events', 'many'],
  ['--events', '0'],
  ['--only', 'everything'],
  ['--size', '1'],
])('%s %s is refused with a reason', (...args) => {
  expect(readOptions(args)).toEqual({ problem: expect.any(String) as string });
});

import { expect, test } from 'vitest';
import { readOptions } from './program.js';

const nothing = () => Promise.resolve({ tables: [], figures: null });
const BENCH = {
  name: 'bench',
  question: '',
  help: '',
  whole: { links: 1_000 },
  smoke: { links: 10 },
  secondsDefault: 2,
  parts: { a: nothing, b: nothing },
  options: {
    links: { argument: 'N', help: '', range: [5, 20_000] as const },
    against: { argument: 'FOLDER', help: '' },
  },
};
const read = (...args: string[]) => readOptions(BENCH, args);

test('options choose the sizes, the parts and the values of a run', () => {
  expect(read('--rounds', '7', '--against', 'x')).toMatchObject({
    sizes: { links: 1_000, rounds: 7, seconds: 2 },
    values: { against: 'x' },
  });
  expect(read('--smoke')).toMatchObject({ sizes: { links: 10, rounds: 1, seconds: 1 } });
  expect(read('--links', '17')).toMatchObject({ sizes: { links: 17 } });
  expect(read()).toMatchObject({ parts: ['a', 'b'] });
  expect(read('--only', 'a')).toMatchObject({ parts: ['a'] });
});

test.each([
  ['--rounds', '0'],
  ['--rounds', '2.5'],
  ['--rounds', 'x'],
  ['--seconds', '61'],
  ['--links', '4'],
  ['--only', 'everything'],
  ['--size', '1'],
])('%s %s is refused with a reason', (...args) => {
  expect(read(...args)).toEqual({ problem: expect.any(String) as string });
});

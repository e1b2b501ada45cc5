import { expect, test } from 'vitest';
import { remember } from './bounded-maps.js';

function createTrial() {
  const asked: string[] = [];
  const read = remember(
    (text) => {
      asked.push(text);
      return { text };
    },
    { entriesMax: 2, lengthMax: 10 },
  );
  return { asked, read };
}

test('forgets what was not asked for lately, and never what is in use', () => {
  const { asked, read } = createTrial();
  const first = read('first');
  for (let i = 0; i < 10; i += 1) {
    read(`number ${i}`);
    expect(read('first')).toBe(first);
  }
  read('number 0');
  expect(asked.filter((text) => text === 'number 0')).toHaveLength(2);
});

test('keeps no long text', () => {
  const { asked, read } = createTrial();
  expect(read('x'.repeat(11))).toEqual({ text: 'x'.repeat(11) });
  read('x'.repeat(11));
  read('x'.repeat(10));
  read('x'.repeat(10));
  expect(asked.map((text) => text.length)).toEqual([11, 11, 10]);
});

import { expect, test } from 'vitest';
import { createRememberedIds } from './change-publisher.js';

test('an id is remembered for as long as every round meets it', () => {
  const ids = createRememberedIds(10);
  ids.add('1');
  expect(ids.has('1')).toBe(true);
  for (let round = 0; round < 3; round += 1) {
    ids.endRound();
    expect(ids.has('1')).toBe(true);
  }
});

test('an id that a round did not meet is forgotten', () => {
  const ids = createRememberedIds(10);
  ids.add('1');
  ids.endRound();
  ids.endRound();
  expect(ids.has('1')).toBe(false);
});

test('a full memory keeps its ids and adds none', () => {
  const ids = createRememberedIds(2);
  for (const id of ['1', '2', '3']) ids.add(id);
  ids.endRound();
  expect(['1', '2', '3'].map(ids.has)).toEqual([true, true, false]);
  ids.add('3');
  ids.endRound();
  expect(['3', '2', '1'].map(ids.has)).toEqual([false, true, true]);
});

import { expect, test } from 'vitest';
import { createRecentChanges } from './replicas.js';

function create(changesMax = 10) {
  const clock = { time: 0 };
  return { clock, changes: createRecentChanges({ windowMs: 1_000, changesMax, now: () => clock.time }) };
}

test('a version is remembered for the window at least, and forgotten after two', () => {
  const { clock, changes } = create();
  clock.time = 999;
  changes.onChange('a', 5);
  changes.onChange('a', 4);
  expect(changes.versionOf('a')).toBe(5);
  expect(changes.versionOf('b')).toBe(0);
  clock.time = 1_998;
  expect(changes.versionOf('a')).toBe(5);
  clock.time = 3_000;
  expect(changes.versionOf('a')).toBe(0);
});

test('a pause longer than two windows forgets earlier changes', () => {
  const { clock, changes } = create();
  changes.onChange('a', 5);
  clock.time = 10_000;
  expect(changes.versionOf('a')).toBe(0);
});

test('it is complete once no message can have been missed for a window', () => {
  const { clock, changes } = create();
  expect(changes.isComplete()).toBe(false);
  clock.time = 1_000;
  expect(changes.isComplete()).toBe(true);
  changes.onGap();
  expect(changes.isComplete()).toBe(false);
  clock.time = 2_000;
  expect(changes.isComplete()).toBe(true);
});

test('more changes than it has room for are a gap', () => {
  const { clock, changes } = create(2);
  clock.time = 1_000;
  for (const [index, slugKey] of ['a', 'b', 'a', 'c'].entries()) changes.onChange(slugKey, index + 1);
  expect(changes.versionOf('a')).toBe(3);
  expect(changes.versionOf('c')).toBe(0);
  expect(changes.isComplete()).toBe(false);
});

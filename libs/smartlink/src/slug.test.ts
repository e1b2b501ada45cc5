import { expect, test } from 'vitest';
import { assignSlug, isSlug, slugKey } from './model.js';

test('accepts only latin letters and digits', () => {
  for (const slug of ['a', 'Z9', '0', 'a'.repeat(64)]) expect(isSlug(slug)).toBe(true);
  for (const slug of ['', 'a'.repeat(65), 'a-b', 'ä', 'a b', '\u212a', '\0', '@', '[', '`', '{', '/']) {
    expect(isSlug(slug)).toBe(false);
  }
});

test('looks slugs up without regard to case', () => {
  expect(slugKey('AbC9')).toBe('abc9');
});

test('assigns every character of its alphabet and nothing that can be misread', () => {
  let next = 0;
  const slug = assignSlug(28, (max) => {
    next = (next + 1) % max;
    return next;
  });
  expect(new Set(slug).size).toBe(28);
  expect(isSlug(slug)).toBe(true);
  expect(slug).not.toMatch(/[01aeioulA-Z]/);
});

import { expect, test } from 'vitest';
import { addressKey, assignSlug, isAddress, isSlug, slugKey } from './model.js';

test('accepts only latin letters and digits', () => {
  for (const slug of ['a', 'Z9', '0', 'a'.repeat(64)]) expect(isSlug(slug)).toBe(true);
  for (const slug of ['', 'a'.repeat(65), 'a-b', 'ä', 'a b', '\u212a', '\0', '@', '[', '`', '{', '/']) {
    expect(isSlug(slug)).toBe(false);
  }
});

test('looks slugs up without regard to case', () => {
  expect(slugKey('AbC9')).toBe('abc9');
});

test('an address may contain - and _ too, but is no single -', () => {
  for (const address of ['Z9', '_', '--', 'spring-sale', '2dt1pnm_', '-'.repeat(64)]) {
    expect(isAddress(address)).toBe(true);
  }
  for (const text of ['', '-', '_'.repeat(65), 'a.b', 'a b', '\u212a', 'a=b', '/'])
    expect(isAddress(text)).toBe(false);
});

test('looks addresses with - or _ up exactly as written, under keys that no slug has', () => {
  expect(addressKey('AbC9')).toBe('abc9');
  expect(addressKey('Spring-Sale')).toBe('=Spring-Sale');
  expect(addressKey('aB_')).toBe('=aB_');
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

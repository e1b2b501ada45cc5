import { describe, expect, test } from 'vitest';
import { parseExpiry, parseSince } from './options.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');

describe('a time', () => {
  test.each([
    ['30m', '2026-03-01T12:30:00.000Z'],
    ['12h', '2026-03-02T00:00:00.000Z'],
    ['90d', '2026-05-30T12:00:00.000Z'],
    ['2w', '2026-03-15T12:00:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T10:00:00+02:00', '2030-01-31T08:00:00.000Z'],
  ])('--expires %s is %s', (text, time) => {
    expect(parseExpiry(text, NOW).toISOString()).toBe(time);
  });

  test.each([
    ['30m', '2026-03-01T11:30:00.000Z'],
    ['12h', '2026-03-01T00:00:00.000Z'],
    ['7d', '2026-02-22T12:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('--since %s is %s', (text, time) => {
    expect(parseSince(text, NOW).toISOString()).toBe(time);
  });

  test.each([
    '',
    'd',
    '7',
    '-7d',
    '1.5d',
    '7 d',
    '7M',
    '7s',
    'yesterday',
    '2026-02-31',
    '2026-1-1',
    '123456d',
  ])('%j is refused by both', (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow(/^--expires .*expected/);
    expect(() => parseSince(text, NOW)).toThrow(/^--since .*expected/);
  });

  test.each(['0h', '2026-03-01', '2026-03-01T12:00:00Z'])('a key cannot end at %s, which is over', (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow('has passed');
  });
});

import { expect, test } from 'vitest';
import { expiryTime, PRESETS, presetOf } from './access.js';

test('the scopes of each choice are recognised as it, in any order', () => {
  for (const [preset, scopes] of Object.entries(PRESETS)) {
    expect(presetOf(scopes.toReversed())).toBe(preset);
  }
  expect(presetOf(['links:read'])).toBe('custom');
});

test('expiry is a time of the future, the end of the chosen day, or none', () => {
  const now = Date.parse('2026-11-27T10:00:00Z');
  expect(expiryTime('never', '', now)).toBeUndefined();
  expect(expiryTime('days30', '', now)).toBe('2026-12-27T10:00:00.000Z');
  expect(expiryTime('date', '2027-01-31', now)).toBe(new Date('2027-01-31T23:59:59').toISOString());
  expect(expiryTime('date', '', now)).toBe('');
});

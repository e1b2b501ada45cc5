import { expect, test } from 'vitest';
import { newId } from './store.js';

test('makes UUIDs of version 7 that differ and sort by time', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => newId(1_700_000_000_000 + i));
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => newId(0))).size).toBe(1000);
});

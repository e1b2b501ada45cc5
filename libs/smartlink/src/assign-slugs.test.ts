import { expect, test } from 'vitest';
import { assignSlugs } from './slug-claims.js';

/** A database in which the first `taken` rounds of claims meet taken slugs only. */
function databaseWith(taken: number) {
  const asked: string[][] = [];
  const query = (_text: string, values: unknown[]) => {
    const keys = values[1] as string[];
    asked.push(keys);
    return Promise.resolve({ rows: asked.length > taken ? keys.map((key) => ({ key })) : [] });
  };
  return { db: { query }, asked };
}

const own = (id: string) => ({ id, domainNumber: null });

test.each([
  [0, 6],
  [3, 6],
  [4, 7],
  [6, 7],
])('after %i taken slugs the assigned one has %i characters', async (taken, length) => {
  const { db, asked } = databaseWith(taken);
  const slugs = await assignSlugs(db, 'u', [own('s')]);
  expect(slugs.get('s')).toHaveLength(length);
  expect(asked).toHaveLength(taken + 1);
});

test('gives up after seven taken slugs rather than try for ever', async () => {
  const { db, asked } = databaseWith(1_000);
  await expect(assignSlugs(db, 'u', [own('s')])).rejects.toThrow('No free slug');
  expect(asked).toHaveLength(7);
});

test('two smartlinks that draw the same slug get one each', async () => {
  const { db, asked } = databaseWith(0);
  let drawn = 0;
  // The first two slugs are the same.
  const slugs = await assignSlugs(db, 'u', [own('a'), own('b')], () => (drawn++ < 12 ? 0 : 1));
  expect(new Set(slugs.values()).size).toBe(2);
  expect(asked.map((keys) => keys.length)).toEqual([1, 1]);
});

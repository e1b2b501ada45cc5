import { expect, test } from 'vitest';
import { claimAssignedSlug } from './claim.js';

const claimant = { userId: 'u', smartlinkId: 's' };

/** A database in which the first `taken` claims meet a taken slug. */
function databaseWith(taken: number) {
  const asked: string[] = [];
  const query = (_text: string, values: unknown[]) => {
    asked.push(String(values[0]));
    return Promise.resolve({ rows: asked.length > taken ? [{ key: values[0] }] : [] });
  };
  return { db: { query }, asked };
}

test.each([
  [0, 6],
  [3, 6],
  [4, 7],
  [6, 7],
])('after %i taken slugs the assigned one has %i characters', async (taken, length) => {
  const { db, asked } = databaseWith(taken);
  expect(await claimAssignedSlug(db, claimant)).toHaveLength(length);
  expect(asked).toHaveLength(taken + 1);
});

test('gives up after seven taken slugs rather than try for ever', async () => {
  const { db, asked } = databaseWith(1_000);
  await expect(claimAssignedSlug(db, claimant)).rejects.toThrow('No free slug');
  expect(asked).toHaveLength(7);
});

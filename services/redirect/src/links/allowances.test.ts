import { expect, test } from 'vitest';
import { createAllowances } from './allowances.js';

/** Allowances of a counter with `left` visits, with the sizes of the statements. */
function createTrial(left: number) {
  const counter = { left, isAway: false };
  const statements: number[] = [];
  const allowances = createAllowances({
    db: {
      async query(_text, values) {
        const wanted = Number(values?.[1]);
        statements.push(wanted);
        await Promise.resolve();
        if (counter.isAway) throw new Error('Connection terminated unexpectedly');
        const granted = Math.min(wanted, counter.left);
        counter.left -= granted;
        return { rows: [{ granted }] };
      },
    },
    now: () => 1_000,
  });
  const take = (version = 1, smartlinkId = 'a') => allowances.take({ smartlinkId, version });
  return { allowances, counter, statements, take };
}

const limited = (version: number, times: object = {}) => ({
  smartlinkId: 'a',
  version,
  availability: {
    ...{ startsAt: -Infinity, expiresAt: Infinity, isLimited: true, ...times },
    expired: { kind: 'expired', location: null },
    exhausted: { kind: 'exhausted', location: null },
  } as const,
});

test('of 1,000 visits at once the first ones are granted, by two statements', async () => {
  const { take, statements } = createTrial(300);
  const granted = await Promise.all(Array.from({ length: 1_000 }, () => take()));
  expect(granted).toEqual([...Array(300).fill(true), ...Array(700).fill(false)]);
  expect(statements).toEqual([1, 999]);
});

test('a link that was refused is not asked about again until its version changes', async () => {
  const { allowances, counter, statements, take } = createTrial(1);
  expect([await take(), await take(), await take(), await take()]).toEqual([true, false, false, false]);
  expect(statements).toHaveLength(2);
  expect(allowances.findClosed(limited(1))?.kind).toBe('exhausted');
  // An older snapshot comes back after a failover.
  expect(allowances.findClosed(limited(0))?.kind).toBe('exhausted');
  expect(allowances.findClosed(limited(2))).toBeNull();
  counter.left = 1;
  expect([await take(2), await take(2)]).toEqual([true, false]);
  expect(statements).toHaveLength(4);
  expect(allowances.findClosed(limited(2))?.kind).toBe('exhausted');
});

test('visits wait for a statement of their own link alone', async () => {
  const { statements, take } = createTrial(9);
  await Promise.all([take(1, 'a'), take(1, 'b'), take(1, 'a'), take(1, 'a')]);
  expect(statements).toEqual([1, 1, 2]);
});

test('nothing is granted while the counter is away, and nothing is remembered of that', async () => {
  const { counter, take, statements } = createTrial(2);
  counter.isAway = true;
  const refused = await Promise.allSettled([take(), take(), take()]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toEqual([1, 2]);
  counter.isAway = false;
  expect([await take(), await take(), await take()]).toEqual([true, true, false]);
});

test('no more than 10,000 visits wait', async () => {
  const { take } = createTrial(20_000);
  const results = await Promise.allSettled(Array.from({ length: 10_001 }, () => take()));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await take()).toBe(true);
});

test('times are compared to the millisecond', () => {
  const { allowances } = createTrial(1);
  const kindOf = (times: object) => allowances.findClosed(limited(1, times))?.kind;
  expect([kindOf({ startsAt: 1_000 }), kindOf({ startsAt: 1_001 })]).toEqual([undefined, 'scheduled']);
  expect([kindOf({ expiresAt: 1_001 }), kindOf({ expiresAt: 1_000 })]).toEqual([undefined, 'expired']);
});

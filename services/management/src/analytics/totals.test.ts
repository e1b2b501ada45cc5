import { expect, test } from 'vitest';
import type { Totals } from '@smartlink/visits/analytics';
import { keepTotals } from './totals.js';

const totals = (clicks: number): Totals => ({ clicks, scans: 0, fallbacks: 0 });
const links = (...ids: string[]) => ids.map((id) => ({ id, known_totals: null }));

function setUp(ageMaxMs: number) {
  const state = { time: 0, clicks: 1, asked: [] as string[][] };
  const reader = keepTotals(
    {
      read: (_ownerId, smartlinks) => {
        state.asked.push(smartlinks.map(({ id }) => id));
        return Promise.resolve(new Map(smartlinks.map(({ id }) => [id, totals(state.clicks)])));
      },
    },
    { ageMaxMs, now: () => state.time },
  );
  const read = async (...ids: string[]) => Object.fromEntries(await reader.read('owner', links(...ids)));
  return { state, read };
}

test('asks once within the age, only for what it does not have, and again afterwards', async () => {
  const { state, read } = setUp(1_000);
  expect(await read('a', 'b')).toEqual({ a: totals(1), b: totals(1) });
  state.clicks = 2;
  state.time = 999;
  expect(await read('b', 'c')).toEqual({ b: totals(1), c: totals(2) });
  state.time = 1_000;
  expect(await read('a', 'c')).toEqual({ a: totals(2), c: totals(2) });
  expect(state.asked).toEqual([['a', 'b'], ['c'], ['a']]);
});

test('with an age of 0 every read is asked', async () => {
  const { state, read } = setUp(0);
  await read('a');
  await read('a');
  expect(state.asked).toEqual([['a'], ['a']]);
});

test('never holds more than 50,000', async () => {
  const { state, read } = setUp(1_000);
  await read(...Array.from({ length: 50_000 }, (_, i) => `${i}`));
  await read('one more');
  await read('0');
  await read('49999');
  expect(state.asked.map(({ length }) => length)).toEqual([50_000, 1, 1]);
});

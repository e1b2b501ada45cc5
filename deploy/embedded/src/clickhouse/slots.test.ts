import { expect, it } from 'vitest';
import { createSlots } from './slots.js';

it('lets as many run as there are slots, then in order of arrival', async () => {
  const slots = createSlots(1, 10);
  const order: string[] = [];
  const first = await slots.take();
  const second = slots.take().then((release) => {
    order.push('second');
    release();
  });
  const third = slots.take().then((release) => {
    order.push('third');
    release();
  });
  expect(order).toEqual([]);
  first();
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

it('refuses more waiters than it may hold, and counts a slot given back twice once', async () => {
  const slots = createSlots(1, 1);
  const release = await slots.take();
  const waiting = slots.take();
  await expect(slots.take()).rejects.toThrow('TOO_MANY_SIMULTANEOUS_QUERIES');
  release();
  release();
  const releaseSecond = await waiting;
  const third = slots.take();
  await expect(slots.take()).rejects.toThrow('TOO_MANY_SIMULTANEOUS_QUERIES');
  releaseSecond();
  (await third)();
});

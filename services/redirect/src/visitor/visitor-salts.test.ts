import { expect, test } from 'vitest';
import { toClientAddress } from '../client-address.js';
import { createVisitorIds } from './visitor-id.js';
import { createVisitorSalts } from './visitor-salts.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);
const MIDNIGHT = Date.UTC(2026, 5, 2);

/** What all processes share: keeps the first salt of a day, as Redis' set-if-absent does. */
function createStore() {
  const kept = new Map<string, { salt: Buffer; ttlMs: number }>();
  const state = { isDown: false };
  return {
    kept,
    state,
    agree: (day: string, offered: Buffer, ttlMs: number): Promise<Buffer> => {
      if (state.isDown) return Promise.reject(new Error('down'));
      const held = kept.get(day) ?? { salt: offered, ttlMs };
      kept.set(day, held);
      return Promise.resolve(Buffer.from(held.salt));
    },
  };
}

function createProcess(store: ReturnType<typeof createStore>, clock: { time: number }) {
  const salts = createVisitorSalts({ agree: store.agree, now: () => clock.time });
  return { ...salts, idOf: createVisitorIds(salts.saltOf) };
}

const ADDRESS = toClientAddress('203.0.113.9');

test('processes that agreed on a salt know the same visitor, those that did not do not', async () => {
  const store = createStore();
  const clock = { time: NOON };
  const one = createProcess(store, clock);
  const other = createProcess(store, clock);
  expect(one.idOf(ADDRESS, 'Firefox', NOON)).not.toBe(other.idOf(ADDRESS, 'Firefox', NOON));
  expect([one.isShared(), other.isShared()]).toEqual([false, false]);
  await one.refresh();
  await other.refresh();
  expect(one.idOf(ADDRESS, 'Firefox', NOON)).toBe(other.idOf(ADDRESS, 'Firefox', NOON));
  expect([one.isShared(), other.isShared()]).toEqual([true, true]);
});

test('a salt is 256 random bits and kept for 48 hours at most', async () => {
  const store = createStore();
  const clock = { time: NOON };
  await createProcess(store, clock).refresh();
  clock.time = MIDNIGHT - 1;
  await createProcess(store, clock).refresh();
  const kept = [...store.kept.values()];
  expect([...store.kept.keys()]).toEqual(['2026-06-01', '2026-06-02']);
  expect(kept.map(({ salt }) => salt.length)).toEqual([32, 32]);
  expect(kept.map(({ ttlMs }) => Math.round(ttlMs / HOUR))).toEqual([13, 25]);
  expect(Math.max(...kept.map(({ ttlMs }) => ttlMs))).toBeLessThanOrEqual(48 * HOUR);
});

test('at midnight a visitor becomes another, the same one for every process, and nobody asks for anything', async () => {
  const store = createStore();
  const clock = { time: MIDNIGHT - 5 * 60_000 };
  const processes = [createProcess(store, clock), createProcess(store, clock)];
  for (const { refresh } of processes) await refresh();
  store.state.isDown = true;
  const idsAt = (time: number) => new Set(processes.map(({ idOf }) => idOf(ADDRESS, 'Firefox', time)));
  const before = idsAt(MIDNIGHT - 1);
  const after = idsAt(MIDNIGHT);
  expect([before.size, after.size]).toEqual([1, 1]);
  expect(after).not.toEqual(before);
  // An event of the day before, answered late, is still that day's.
  expect(idsAt(MIDNIGHT - 1)).toEqual(before);
  clock.time = MIDNIGHT;
  expect(processes.every(({ isShared }) => isShared())).toBe(true);
});

test('while nothing can be agreed on a process keeps its own salt, which is offered first when it can', async () => {
  const store = createStore();
  const clock = { time: NOON };
  const alone = createProcess(store, clock);
  store.state.isDown = true;
  const id = alone.idOf(ADDRESS, 'Firefox', NOON);
  await expect(alone.refresh()).rejects.toThrow('down');
  expect(alone.idOf(ADDRESS, 'Firefox', NOON)).toBe(id);
  store.state.isDown = false;
  await alone.refresh();
  expect(alone.idOf(ADDRESS, 'Firefox', NOON)).toBe(id);
});

test('a store that lost the salt gets the same one back', async () => {
  const store = createStore();
  const clock = { time: NOON };
  const one = createProcess(store, clock);
  await one.refresh();
  const id = one.idOf(ADDRESS, 'Firefox', NOON);
  store.kept.clear();
  await one.refresh();
  const late = createProcess(store, clock);
  await late.refresh();
  expect(late.idOf(ADDRESS, 'Firefox', NOON)).toBe(id);
});

test('a salt of its own is wiped when another is agreed on, and the agreed one is kept, however often it comes', async () => {
  const store = createStore();
  const clock = { time: NOON };
  await createProcess(store, clock).refresh();
  const late = createProcess(store, clock);
  const own = late.saltOf(NOON);
  const idOfOwn = late.idOf(ADDRESS, 'Firefox', NOON);
  await Promise.all([late.refresh(), late.refresh()]);
  expect(own.equals(Buffer.alloc(32))).toBe(true);
  const agreed = late.saltOf(NOON);
  expect(agreed.equals(store.kept.get('2026-06-01')?.salt ?? own)).toBe(true);
  const id = late.idOf(ADDRESS, 'Firefox', NOON);
  expect(id).not.toBe(idOfOwn);
  await Promise.all([late.refresh(), late.refresh()]);
  expect(late.saltOf(NOON)).toBe(agreed);
  expect(late.idOf(ADDRESS, 'Firefox', NOON)).toBe(id);
});

test('a salt is forgotten and wiped when its day is over, also while nothing can be agreed on', async () => {
  const store = createStore();
  const clock = { time: NOON };
  const one = createProcess(store, clock);
  await one.refresh();
  const held = one.saltOf(NOON);
  const salt = Buffer.from(held);
  clock.time = MIDNIGHT + 1;
  store.state.isDown = true;
  await expect(one.refresh()).rejects.toThrow('down');
  expect(held.equals(Buffer.alloc(32))).toBe(true);
  expect(one.saltOf(MIDNIGHT + 1).equals(salt)).toBe(false);
  expect(one.saltOf(NOON).equals(salt)).toBe(false);
});

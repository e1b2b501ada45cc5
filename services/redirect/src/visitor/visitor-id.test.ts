import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toClientAddress } from './client-address.js';
import { createVisitorIds, createVisitorSalts } from './visitor-id.js';

const SALT = Buffer.alloc(32, 7);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const createReader = (saltOf: () => Buffer) => {
  const read = createVisitorIds(saltOf);
  return (address: string, userAgent: string, timeMs: number) =>
    read(toClientAddress(address), userAgent, timeMs);
};
const idOf = createReader(() => SALT);

test.each([
  ['of a browser', FIREFOX],
  ['of 8,192 letters beyond ASCII', 'ə'.repeat(8_192)],
])(
  'an id is the first 64 bits of SHA-256 over salt, shortened address and a User-Agent %s',
  (_, userAgent) => {
    const digest = createHash('sha256').update(SALT).update(`203.0.113\n${userAgent}`).digest();
    expect(idOf('203.0.113.9', userAgent, 0)).toBe(digest.readBigUInt64BE(0));
  },
);

test('the same visitor has the same id, remembered or not; another network or User-Agent has another', () => {
  const id = idOf('203.0.113.9', FIREFOX, 0);
  expect(idOf('203.0.113.9', FIREFOX, 0)).toBe(id);
  expect(createReader(() => SALT)('203.0.113.9', FIREFOX, 0)).toBe(id);
  expect(idOf('203.0.113.200', FIREFOX, 0)).toBe(id);
  expect(idOf('203.0.114.9', FIREFOX, 0)).not.toBe(id);
  expect(idOf('203.0.113.9', `${FIREFOX}.1`, 0)).not.toBe(id);
  expect(createReader(() => Buffer.alloc(32, 8))('203.0.113.9', FIREFOX, 0)).not.toBe(id);
});

test('networks and User-Agents are never taken for each other', () => {
  expect(idOf('2001:db8:1::1', FIREFOX, 0)).toBe(idOf('2001:db8:1:ffff::2', FIREFOX, 0));
  expect(idOf('2001:db8:1::1', FIREFOX, 0)).not.toBe(idOf('2001:db8:2::1', FIREFOX, 0));
});

test('ids stay the same with more visitors than the cache holds, or with a User-Agent of 8 KiB', () => {
  const id = idOf('203.0.113.9', FIREFOX, 0);
  for (let i = 0; i < 40_000; i += 1) idOf(`10.${i >> 8}.${i & 255}.1`, FIREFOX, 0);
  expect(idOf('203.0.113.9', FIREFOX, 0)).toBe(id);
  const long = 'ə'.repeat(8_192);
  expect(idOf('203.0.113.9', long, 0)).toBe(idOf('203.0.113.9', long, 0));
});

test('a new salt makes new ids of visitors that were remembered', () => {
  let salt = SALT;
  const read = createReader(() => salt);
  const id = read('203.0.113.9', FIREFOX, 0);
  salt = Buffer.alloc(32, 9);
  expect(read('203.0.113.9', FIREFOX, 0)).not.toBe(id);
});

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

test('a salt is 256 random bits and kept for 25 hours and 10 minutes at most', async () => {
  const store = createStore();
  const clock = { time: NOON };
  await createProcess(store, clock).refresh();
  clock.time = MIDNIGHT - 1;
  await createProcess(store, clock).refresh();
  const kept = [...store.kept.values()];
  expect([...store.kept.keys()]).toEqual(['2026-06-01', '2026-06-02']);
  expect(kept.map(({ salt }) => salt.length)).toEqual([32, 32]);
  expect(kept.map(({ ttlMs }) => Math.round(ttlMs / HOUR))).toEqual([13, 25]);
  expect(Math.max(...kept.map(({ ttlMs }) => ttlMs))).toBeLessThanOrEqual(90_600_000);
});

test('at midnight a visitor gets a new id, the same in every process, without a query', async () => {
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

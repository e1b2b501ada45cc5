import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { createMissQueue } from './postgres-tier.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const tombstone = (slug: string): LinkSnapshot => ({
  version: 1,
  smartlinkId: 'a',
  ownerId: 'b',
  slug,
  status: 'Deleted',
});

test('asks for the first slug at once and gathers the next ones into one batch, each once', async () => {
  const batches: (readonly string[])[] = [];
  const find = createMissQueue((keys) => {
    batches.push(keys);
    return Promise.resolve(new Map([['b', tombstone('b')]]));
  });
  const first = find('a');
  const later = [find('b'), find('b'), find('c')];
  await expect(first).resolves.toBeNull();
  expect(batches).toEqual([['a']]);
  await vi.advanceTimersByTimeAsync(20);
  expect(batches).toEqual([['a'], ['b', 'c']]);
  const found = await Promise.all(later);
  expect(found.map((snapshot) => snapshot?.slug)).toEqual(['b', 'b', undefined]);
});

test('makes at most one query every 20 ms, however many slugs are asked for', async () => {
  let queries = 0;
  const find = createMissQueue(() => {
    queries += 1;
    return Promise.resolve(new Map());
  });
  const asked: Promise<unknown>[] = [];
  for (let i = 0; i < 1_000; i += 1) {
    asked.push(find(`slug${i}`));
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(40);
  await Promise.all(asked);
  expect(queries).toBeLessThanOrEqual(52);
});

test('a failed batch rejects only its own slugs', async () => {
  const find = createMissQueue((keys) =>
    keys.includes('bad') ? Promise.reject(new Error('down')) : Promise.resolve(new Map()),
  );
  await expect(find('bad')).rejects.toThrow('down');
  const next = find('good');
  await vi.advanceTimersByTimeAsync(20);
  await expect(next).resolves.toBeNull();
});

test('a damaged row rejects its own slug alone', async () => {
  const find = createMissQueue(() =>
    Promise.resolve(new Map<string, LinkSnapshot | Error>([['b', new Error('no content')]])),
  );
  const first = find('a');
  const rest = Promise.allSettled([find('b'), find('c')]);
  await first;
  await vi.advanceTimersByTimeAsync(20);
  expect((await rest).map((result) => result.status)).toEqual(['rejected', 'fulfilled']);
});

test('a batch holds 500 slugs, and beyond 10,000 waiting ones a slug is refused at once', async () => {
  const batches: number[] = [];
  const find = createMissQueue((keys) => {
    batches.push(keys.length);
    return Promise.resolve(new Map());
  });
  const waiting = Array.from({ length: 10_001 }, (_, i) => find(`slug${i}`));
  await expect(find('one-more')).rejects.toThrow('10000 slugs wait');
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(waiting);
  expect([batches[0], Math.max(...batches), batches.length]).toEqual([1, 500, 21]);
});

test('a batch has a limit of bytes or one slug, and keeps the order of requests', async () => {
  const batches: (readonly string[])[] = [];
  const find = createMissQueue((keys) => {
    batches.push(keys);
    return Promise.resolve(new Map());
  }, 10);
  const asked = [find('a', 0, 99), find('b', 0, 6), find('c', 0, 4), find('d', 0, 1), find('e', 0, 11)];
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(asked);
  expect(batches).toEqual([['a'], ['b', 'c'], ['d'], ['e']]);
});

import { expect, test } from 'vitest';
import { OWN_PAGE, qrFile } from './link-file.js';
import { SLOW_SOURCE_LENGTH, createWaitingLine } from './waiting-line.js';

const quick = (slug: string) => ({ slug, source: '', file: OWN_PAGE, language: 'en' }) as const;
const large = (slug: string) => ({ ...quick(slug), source: 'x'.repeat(SLOW_SOURCE_LENGTH) });

test('what is quick comes first, in its order; large pages and QR codes get one turn in eight', () => {
  const line = createWaitingLine(() => 0);
  void line.add(large('menu'));
  void line.add({ ...quick('code'), file: qrFile('png', '')! });
  for (let i = 1; i <= 10; i += 1) void line.add(quick(String(i)));
  const order: string[] = [];
  for (let next = line.take(); next !== null; next = line.take()) order.push(next.job.slug);
  expect(order).toEqual(['1', '2', '3', '4', '5', '6', '7', 'menu', '8', '9', '10', 'code']);
});

test('each job has a number of its own', () => {
  const line = createWaitingLine(() => 0);
  for (const slug of ['a', 'b', 'c']) void line.add(quick(slug));
  expect(new Set(line.clear().map(({ job }) => job.id)).size).toBe(3);
  expect(line.length()).toBe(0);
});

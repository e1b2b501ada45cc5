import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { serve } from './serve.js';

const { trial, redirect, get } = serve({ PAGES_BYTES_MAX: '1048576' });
const landing = (title: string) => ({ landing: { title, layout: 'List', theme: 'Auto' } });
const metric = (name: string) => redirect.metric(`smartlink_redirect_${name}`);

test('a page that cannot be made is 503, a fault that is counted and no visit, and harms no other page', async () => {
  // The API stores no such menu; one written by hand must not break the pages of others.
  const broken = { qrMenu: { currency: '₼', categories: [{ name: 'Soups', items: 'none' }] } };
  await trial.links.insert({ slug: 'broken', type: 'QrMenu', content: broken });
  await trial.links.insert({ slug: 'whole', type: 'Landing', content: landing('Bakery') });
  const [first, second] = await Promise.all([get('/broken'), get('/whole')]);
  expect([first.status, second.status]).toEqual([503, 200]);
  expect((await get('/whole')).status).toBe(200);
  await until(async () => (await metric('faults_total')) === 1, 'the fault is counted');
  expect(await metric('pages_total{event="failures"}')).toBe(1);
  expect(
    redirect.log.filter(({ msg }) => msg === 'internal error while handling a request; sent 503'),
  ).toHaveLength(1);
});

test('300 visits at once to a cold page render it once', async () => {
  await trial.links.insert({ slug: 'rush', type: 'Landing', content: landing('Rush') });
  const before = await metric('pages_total{event="renders"}');
  const statuses = (await Promise.all(Array.from({ length: 300 }, () => get('/rush')))).map(
    ({ status }) => status,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await until(
    async () => (await metric('visits_total{outcome="page"}')) >= 300,
    'the visits are in the report',
  );
  expect(await metric('pages_total{event="renders"}')).toBe(before + 1);
});

test('the page cache is bounded, and an evicted page is rendered again', async () => {
  // Random letters, which nothing compresses far: some 60 kB each.
  const random = createRandom(7);
  const noise = () => random(2 ** 32).toString(36);
  const slugs = Array.from({ length: 20 }, (_, i) => `noise${i}`);
  const renders = () => metric('pages_total{event="renders"}');
  // All that was made for the tests above is in the report: they waited for it.
  const before = await renders();
  for (const slug of slugs) {
    const text = Array.from({ length: 12_000 }, noise).join(' ');
    await trial.links.insert({ slug, type: 'TxtBin', content: { txtBin: { text } } });
    expect((await get(`/${slug}`, 'Accept-Encoding: br')).status).toBe(200);
  }
  await until(async () => (await renders()) === before + 20, 'all were made');
  const bytes = await metric('pages{measure="bytes"}');
  process.stdout.write(`20 pages of noise: ${bytes} bytes kept of at most 1,048,576\n`);
  expect(bytes).toBeLessThanOrEqual(1_048_576);
  expect((await get('/noise0', 'Accept-Encoding: br')).status).toBe(200);
  await until(async () => (await renders()) === before + 21, 'what was let go is made again');
});

test('while the largest menus are made, visits to known links go on', async () => {
  await trial.links.insert({ slug: 'known', url: 'https://example.org/' });
  await get('/known');
  const items = Array.from({ length: 500 }, (_, i) => ({
    ...{ name: `Item ${i}`, description: 'plov, '.repeat(60), price: i, active: true },
    imageLink: `https://a.example/${i}.webp`,
  }));
  const categories = ['a', 'b', 'c', 'd'].map((name) => ({ name, items }));
  const slugs = ['big1', 'big2', 'big3'].slice(0, trialSize(1, 3));
  for (const slug of slugs) {
    await trial.links.insert({ slug, type: 'QrMenu', content: { qrMenu: { currency: '₼', categories } } });
  }
  const menus = Promise.all(slugs.map((slug) => get(`/${slug}`, 'Accept-Encoding: br')));
  const state = { isDone: false };
  void menus.then(() => (state.isDone = true));
  const times: number[] = [];
  while (!state.isDone) {
    const startedAt = performance.now();
    expect((await get('/known')).status).toBe(302);
    times.push(performance.now() - startedAt);
  }
  expect((await menus).map(({ status }) => status)).toEqual(slugs.map(() => 200));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1) ?? '';
  process.stdout.write(
    `visits beside ${slugs.length} cold menus of 2,000 items: ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
});

import { expect, test } from 'vitest';
import { NO_URL_SAFETY, requireSafeUrls } from './url-safety.js';

const URLS = [
  { path: 'shortener.url', url: 'https://bad.example/' },
  { path: 'openGraph.imageUrl', url: 'https://good.example/' },
];

test('UNSAFE_URL has a detail for each URL the provider calls unsafe, and not the URL itself', async () => {
  const safety = { check: () => Promise.resolve({ unsafe: URLS.slice(0, 1), isChecked: true }) };
  await expect(requireSafeUrls(safety, URLS)).rejects.toMatchObject({
    code: 'UNSAFE_URL',
    status: 422,
    details: [{ path: 'shortener.url', message: 'URL was judged unsafe' }],
  });
});

test('the provider `none` has judged nothing, and refuses nothing', async () => {
  await expect(requireSafeUrls(NO_URL_SAFETY, URLS)).resolves.toBe(false);
});

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Dashboard } from '../use-dashboard.js';

const BUILT = path.resolve(import.meta.dirname, '../../dist');
const FIRST_LOAD_BYTES_MAX = 170_000;
const FIRST_LOAD_REQUESTS_MAX = 8;
const LAZY_BYTES_MAX = 80_000;

const gzipBytes = (file: string): number => statSync(path.join(BUILT, `${file}.gz`)).size;

export function tests(dashboard: Dashboard): void {
  test('the first load of the links is at most 170 kB and 8 requests, and what is loaded later 80 kB', async () => {
    const { page } = await dashboard.open('/-/live');
    const files: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!/^\/(api|auth)\//.test(pathname)) files.push(pathname.replace(/^\/dashboard\//, ''));
    });
    await page.goto(`${dashboard.origin}/dashboard/links`, { waitUntil: 'networkidle' });
    const assets = files.filter((file) => file.startsWith('assets/'));
    expect(assets.length).toBeGreaterThan(3);
    expect(files.length, files.join()).toBeLessThanOrEqual(FIRST_LOAD_REQUESTS_MAX);
    const bytes = assets.reduce((sum, file) => sum + gzipBytes(file), 0);
    expect(bytes, files.join()).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
    const later = readdirSync(path.join(BUILT, 'assets'))
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => `assets/${name}`)
      .filter((file) => !assets.includes(file));
    expect(later.filter((file) => gzipBytes(file) > LAZY_BYTES_MAX)).toEqual([]);
  });
}

export function full(dashboard: Dashboard): void {
  test('statement 9: the navigation marks where one is, and shows what the role may open', async () => {
    const { page } = await dashboard.open('/dashboard/settings/api-keys');
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await main.locator('[aria-current=page]').allTextContents()).toEqual(['Settings']);
    const settings = page.getByRole('navigation', { name: 'Settings' });
    expect(await settings.locator('[aria-current=page]').allTextContents()).toEqual(['API Keys']);
    const viewer = await dashboard.open('/dashboard/settings/profile', { role: 'Viewer' });
    await viewer.page.getByRole('navigation', { name: 'Settings' }).waitFor();
    expect(await viewer.page.getByRole('link', { name: 'API Keys' }).count()).toBe(0);
  });

  test('statement 10: the first Tab stop leads to the content', async () => {
    const { page } = await dashboard.open('/dashboard/settings/profile');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  test('an unknown address says so, inside of the frame', async () => {
    const { page } = await dashboard.open('/dashboard/nowhere');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found · Smartlink');
    await page.getByRole('link', { name: 'Go to the start' }).click();
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
  });

  test('signing out leads to sign-in, and leaves nothing of the account', async () => {
    const { page, account } = await dashboard.open('/dashboard/settings/profile');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/dashboard\/sign-in/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.content()).not.toContain(account.personEmail);
  });
}

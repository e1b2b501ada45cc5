import { expect, test } from 'vitest';
import { listen } from '../../../services/management/test/call-raw.js';
import { startRedirect } from '../../../services/management/test/start-process.js';
import {
  PUBLIC_BASE_URL,
  startServiceOn,
  urlSmartlink,
} from '../../../services/management/test/start-service.js';
import type { Dashboard } from '../use-dashboard.js';
import { createLinks, named, nameIn } from './links.js';

const PATH = '/dashboard/links';

export function full(dashboard: Dashboard): void {
  test('keys move through the rows, and are off while one types and by a setting', async () => {
    const account = await dashboard.createAccount();
    await createLinks(
      account,
      Array.from({ length: 120 }, (_, i) => named(`Link ${i}`)),
    );
    const { page } = await dashboard.open(PATH, { account });
    await nameIn(page, 'Link 119').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (let i = 0; i < 45; i += 1) await page.keyboard.press('j');
    // Keys stop at the last row read: the next page has come.
    await page.waitForLoadState('networkidle');
    for (let i = 0; i < 15; i += 1) await page.keyboard.press('j');
    await expect.poll(focused).toBe('Link 60');
    await page.keyboard.press('k');
    await expect.poll(focused).toBe('Link 61');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.getByRole('status').getByText('Copied').waitFor();
    await page.keyboard.press('q');
    await page.getByRole('dialog', { name: 'QR code of Link 61' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('Link 7x');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('status').getByText('Found: 11').waitFor();
    await nameIn(page, 'Link 79').focus();
    await page.keyboard.press('e');
    await page.waitForURL(/\/dashboard\/links\/[\w-]+\/edit$/);

    await page.goto(`${dashboard.origin}/dashboard/settings/profile`);
    await page.getByRole('checkbox', { name: 'Single keys are commands' }).uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.keyboard.press('?');
    expect([await page.getByRole('dialog').count(), new URL(page.url()).pathname]).toEqual([
      0,
      '/dashboard/settings/profile',
    ]);
    await page.getByRole('checkbox', { name: 'Single keys are commands' }).check();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL(`${dashboard.origin}${PATH}`);
  });

  test('all links that match are selected, and deleted in calls of a hundred', async () => {
    const account = await dashboard.createAccount();
    await createLinks(
      account,
      Array.from({ length: 130 }, (_, i) => named(`${i < 120 ? 'Old' : 'New'} ${i}`)),
    );
    const { page } = await dashboard.open(`${PATH}?q=Old`, { account });
    await page.getByRole('checkbox', { name: 'Select Old 119' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('120 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const calls: number[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/smartlink/bulk')) return;
      calls.push((JSON.parse(request.postData() ?? '{}') as { operations: unknown[] }).operations.length);
    });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 120 links' }).click();
    await page.getByRole('status').getByText('Deleted: 120').waitFor();
    expect(calls).toEqual([100, 20]);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('10 links').waitFor();
  });

  test('a Viewer finds links, and no control that changes them', async () => {
    const account = await dashboard.createAccount({ role: 'Viewer' });
    await createLinks(account, [named('Poster')]);
    const { page } = await dashboard.open(PATH, { account });
    await page.getByRole('button', { name: 'More actions for Poster' }).click();
    await page.getByRole('menu').waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Figures']);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'New link' }).count()).toBe(0);
  });

  test('a plan without bulk calls says so in the bar', async () => {
    const account = await dashboard.createAccount({ plan: 'Starter' });
    const { status } = await account.api.post('/smartlink', named('Poster'));
    expect(status).toBe(201);
    const { page } = await dashboard.open(PATH, { account });
    await page.getByRole('checkbox', { name: 'Select Poster' }).check();
    await page.getByText('Your plan does not include changing several links at once.').waitFor();
    const bar = page.getByRole('toolbar', { name: 'Selected links' });
    expect(await bar.getByRole('button', { name: 'Pause' }).getAttribute('aria-disabled')).toBe('true');
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await bar.waitFor({ state: 'detached' });
  });

  test('rare filters stand in the address too', async () => {
    const account = await dashboard.createAccount();
    const [archived = ''] = await createLinks(account, [named('Old'), named('New')]);
    expect((await account.api.patch('/smartlink', { id: archived, archived: true })).status).toBe(200);
    const { page } = await dashboard.open(PATH, { account });
    await page.getByText('1 link', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('combobox', { name: 'Archived' }).selectOption('Archived too');
    await page.getByRole('status').getByText('Found: 2').waitFor();
    await page.getByLabel('Created to').fill('2020-01-01');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(new URL(page.url()).search).toBe('?archived=all&createdTo=2020-01-01');
    await page.reload();
    await page.getByRole('button', { name: 'More filters (2)' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('checkbox', { name: 'Unsafe addresses only' }).check();
    await page.waitForURL(/\?unsafe=true$/);
  });

  test('statement 20: addresses of deleted links answer 410', async () => {
    const redirect = await startRedirect(dashboard.service.databases, { PUBLIC_BASE_URL });
    try {
      const account = await dashboard.createAccount();
      const slugs = ['Gone20a', 'Gone20b'];
      await createLinks(
        account,
        slugs.map((slug) => urlSmartlink({ smartlinkName: slug, smartlinkUrl: slug })),
      );
      const visit = async (slug: string) =>
        (await fetch(`${redirect.url}/${slug}`, { redirect: 'manual' })).status;
      expect(await Promise.all(slugs.map(visit))).toEqual([302, 302]);
      const { page } = await dashboard.open(PATH, { account });
      for (const slug of slugs) await page.getByRole('checkbox', { name: `Select ${slug}` }).check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete 2 links' }).click();
      await page.getByRole('status').getByText('Deleted: 2').waitFor();
      for (const slug of slugs) await expect.poll(() => visit(slug)).toBe(410);
    } finally {
      await redirect.stop();
    }
  });

  test('statement 40: without ClickHouse links are listed, under an alert', async () => {
    const account = await dashboard.createAccount();
    await createLinks(account, [named('Poster')]);
    const { databases } = dashboard.service;
    const second = await startServiceOn(databases, { CLICKHOUSE_URL: 'http://127.0.0.1:9' });
    try {
      const origin = `http://127.0.0.1:${await listen(second.app)}`;
      const { page } = await dashboard.open(PATH, { account, origin, refused: /\/api\/v1\/analytics/ });
      await nameIn(page, 'Poster').waitFor();
      await page.getByRole('alert').getByText('Figures are not available right now').waitFor();
    } finally {
      await second.app.close();
    }
  });

  test('a sheet of labels is printed without the frame', async () => {
    const account = await dashboard.createAccount();
    const [id = ''] = await createLinks(account, [named('Poster')]);
    const { page } = await dashboard.open(`${PATH}/${id}/qr`, { account });
    await page.getByRole('heading', { level: 1, name: 'QR code of Poster' }).waitFor();
    await page.getByRole('spinbutton', { name: 'Labels', exact: true }).fill('24');
    const sheet = page.getByRole('img', { name: 'Sheet of labels: 24' });
    expect(await sheet.locator('img').count()).toBe(24);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    expect(await sheet.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
  });
}

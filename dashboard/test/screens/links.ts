import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { refreshTotals } from '../../../services/management/src/analytics/refresh-totals.js';
import { TINY_PNG } from '../../../services/management/test/pictures.js';
import { addEvents, PUBLIC_BASE_URL, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/links';
const BULK_MAX = 100;

/** Creates smartlinks with these bodies, the last one newest. */
export async function createLinks(
  { api }: TestAccount,
  bodies: readonly object[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let start = 0; start < bodies.length; start += BULK_MAX) {
    const operations = bodies.slice(start, start + BULK_MAX).map((create) => ({ create }));
    const { status, body } = await api.post('/smartlink/bulk', { operations });
    expect(status).toBe(200);
    for (const { success, data } of body.data as { success: boolean; data: { id: string } }[]) {
      expect(success).toBe(true);
      ids.push(data.id);
    }
  }
  return ids;
}

export const named = (smartlinkName: string, rest: object = {}) => urlSmartlink({ smartlinkName }, {}, rest);

const text = (smartlinkName: string) => ({
  configuration: { smartlinkName, smartlinkType: 'TxtBin' },
  txtBin: { text: 'a' },
});

const many = (account: TestAccount) =>
  createLinks(account, [
    ...Array.from({ length: 12 }, (_, i) => named(`Link ${i}`, { tags: ['Spring', 'Print', 'Third'] })),
    text('x'.repeat(64)),
    {
      configuration: { smartlinkName: 'Menu', smartlinkType: 'QrMenu' },
      qrMenu: { title: 'Café', themeColor: '#ff8800', currency: '₼', categories: [] },
    },
  ]);

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Links', prepare: many },
  { path: PATH, heading: 'Links' },
  { path: PATH, heading: 'Links', prepare: many, options: { role: 'Viewer' } },
];

export const nameIn = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

export function full(dashboard: Dashboard): void {
  test('statements 11, 13, 14 and 15: the list is searched, filtered and sorted in its address', async () => {
    const account = await dashboard.createAccount();
    const [visited = ''] = await createLinks(account, [
      named('Autumn', { tags: ['Poster'] }),
      named('Spring sale'),
      text('Spring notes'),
    ]);
    const { clickhouse, pg } = dashboard.service.app;
    await addEvents(dashboard.service.app, [makeEventRow(account.userId, visited)]);
    await refreshTotals({ clickhouse, pg, mayGoOn: () => Promise.resolve(true) });
    const { page } = await dashboard.open(PATH, { account });
    const table = page.getByRole('table', { name: 'Links' });
    await nameIn(page, 'Autumn').waitFor();
    for (const name of ['Name', 'Address', 'Type', 'Tags', 'Visits', 'Last visit', 'Created']) {
      expect([name, await table.getByRole('columnheader', { name, exact: true }).count()]).toEqual([name, 1]);
    }
    expect(await page.getByRole('link', { name: 'New link' }).getAttribute('href')).toBe(
      '/dashboard/links/new',
    );

    const names = () => table.locator('[data-open]').allTextContents();
    const queryOf = () => new URL(page.url()).search;
    await page.getByText('Visits in 7 days').waitFor();
    await page.getByRole('searchbox', { name: 'Search links' }).fill('spring');
    await page.getByRole('status').getByText('Found: 2').waitFor();
    expect(await page.getByText('Visits in 7 days').count()).toBe(0);
    expect([queryOf(), await names()]).toEqual(['?q=spring', ['Spring notes', 'Spring sale']]);
    await page.reload();
    await page.getByRole('status').getByText('Found: 2').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search links' }).inputValue()).toBe('spring');

    await page.getByRole('combobox', { name: 'Type' }).selectOption('Text');
    await page.getByRole('status').getByText('Found: 1').waitFor();
    expect(queryOf()).toBe('?q=spring&type=TxtBin');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Paused');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 links').waitFor();
    expect([queryOf(), await page.getByRole('searchbox').inputValue()]).toEqual(['', '']);

    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Most visits');
    await page.waitForURL(/\?sort=visits$/);
    await expect.poll(names).toEqual(['Autumn', 'Spring notes', 'Spring sale']);
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('Poster');
    await page.getByRole('status').getByText('Found: 1').waitFor();
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('No folder');
    await page.waitForURL(/\?sort=visits&tag=Poster&folder=none$/);
  });

  test('statement 12: an account without links is offered the seven types', async () => {
    const { page } = await dashboard.open(PATH);
    await page.getByRole('heading', { level: 2, name: 'No links yet' }).waitFor();
    const offered = await page.locator('main').getByRole('link').all();
    const links = await Promise.all(
      offered.map(async (each) => [await each.textContent(), await each.getAttribute('href')]),
    );
    const types = {
      'Short link': 'Url',
      'App link': 'App',
      'Landing page': 'Landing',
      'QR tag': 'QRTag',
      'Business card': 'DigiCard',
      Text: 'TxtBin',
      Menu: 'QrMenu',
    };
    expect(links).toEqual(
      Object.entries(types).map(([label, type]) => [label, `/dashboard/links/new?type=${type}`]),
    );
  });

  test('statements 17 and 18: an address is copied, and its code drawn', async () => {
    const account = await dashboard.createAccount();
    await createLinks(account, [
      urlSmartlink({ smartlinkName: 'Poster', smartlinkUrl: `Poster${Date.now()}` }),
    ]);
    const { page } = await dashboard.open(PATH, { account });
    await page.getByRole('button', { name: 'Copy address of Poster' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const relink = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(relink).toMatch(new RegExp(`^${PUBLIC_BASE_URL}/Poster\\d+$`));

    await page.getByRole('button', { name: 'QR code of Poster' }).click();
    const dialog = page.getByRole('dialog', { name: 'QR code of Poster' });
    await dialog.getByRole('img', { name: `QR code for ${relink}` }).waitFor();
    await dialog.getByRole('spinbutton', { name: 'Size' }).fill('400');
    await dialog.getByRole('combobox', { name: 'Error correction' }).selectOption({ label: 'High (25%)' });
    const png = dialog.getByRole('link', { name: 'Download PNG' });
    await expect.poll(() => png.getAttribute('href')).toMatch(/size=400&margin=4&ecc=Q/);
    const read = await readCode(page, (await png.getAttribute('href')) ?? '');
    expect([read.width, read.data?.toLowerCase()]).toEqual([
      400,
      relink.replace(/\/(?=\w+$)/, '/q/').toLowerCase(),
    ]);
    expect(await dialog.getByRole('link', { name: 'Download SVG' }).getAttribute('href')).toMatch(
      /format=svg/,
    );
    await dialog.getByRole('textbox', { name: 'Caption' }).fill('Scan <me>');
    await expect.poll(() => png.getAttribute('href')).toMatch(/^data:image\/png/);
    const captioned = await readCode(page, (await png.getAttribute('href')) ?? '');
    expect([captioned.height > 400, captioned.data]).toEqual([true, read.data]);

    await dialog.getByRole('textbox', { name: 'Caption' }).fill('');
    await expect.poll(() => png.getAttribute('href')).toMatch(/format=png/);
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a logo' }).press('Enter');
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: TINY_PNG });
    await dialog.getByRole('button', { name: 'Remove the logo' }).waitFor();
    const ecc = dialog.getByRole('combobox', { name: 'Error correction' });
    expect(await ecc.locator('option').allTextContents()).toEqual(['High (25%)', 'Highest (30%)']);
    expect(await ecc.inputValue()).toBe('H');
    await expect.poll(() => png.getAttribute('href')).toMatch(/^data:image\/png/);
    const marked = await readCode(page, (await png.getAttribute('href')) ?? '');
    expect([marked.height, marked.data]).toEqual([400, read.data]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('statements 19 and 20: several links are changed and deleted at once', async () => {
    const account = await dashboard.createAccount();
    const ids = await createLinks(
      account,
      ['One', 'Two', 'Three'].map((name) => named(name)),
    );
    const { page } = await dashboard.open(PATH, { account });
    const choose = async (...names: string[]) => {
      for (const name of names)
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    };
    await choose('One', 'Two');
    const bar = page.getByRole('toolbar', { name: 'Selected links' });
    await bar.getByText('2 selected').waitFor();
    const statuses = async () =>
      Promise.all(
        ids.map(
          async (id) =>
            ((await account.api.get(`/smartlink?id=${id}`)).body.data as { status: string }).status,
        ),
      );
    await bar.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('Paused: 2').waitFor();
    expect(await statuses()).toEqual(['Paused', 'Paused', 'Active']);
    await bar.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('status').getByText('Activated: 2').waitFor();

    await bar.getByRole('button', { name: 'Add tags' }).click();
    const tags = page.getByRole('dialog', { name: 'Add tags to 2 links' });
    await tags.getByRole('textbox', { name: 'Tags' }).fill('Spring, Print');
    await tags.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('status').getByText('Tagged: 2').waitFor();
    expect(await page.getByRole('row', { name: 'One' }).getByText('Print').count()).toBe(1);

    await bar.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 2 links?' });
    await question.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep links');
    await question.getByRole('button', { name: 'Delete 2 links' }).click();
    await page.getByRole('status').getByText('Deleted: 2').waitFor();
    await nameIn(page, 'Two').waitFor({ state: 'detached' });
    expect([await nameIn(page, 'One').count(), await nameIn(page, 'Three').count()]).toEqual([0, 1]);
    expect(await statuses()).toEqual(['Deleted', 'Deleted', 'Active']);
    await page.getByText('1 link', { exact: true }).waitFor();
    await bar.waitFor({ state: 'detached' });
  });

  test('statement 21: the menu of a row', async () => {
    const account = await dashboard.createAccount();
    const [id = ''] = await createLinks(account, [named('Poster')]);
    const { page } = await dashboard.open(PATH, { account });
    const button = page.getByRole('button', { name: 'More actions for Poster' });
    const menu = page.getByRole('menu', { name: 'More actions for Poster' });
    await button.click();
    await menu.waitFor();
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      'Edit',
      'Figures',
      'Duplicate',
      'Pause',
      'Delete',
    ]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('More actions for Poster');
    await button.click();
    await menu.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('Paused: 1').waitFor();
    await button.click();
    await menu.getByRole('menuitem', { name: 'Activate' }).click();
    await page.getByRole('status').getByText('Activated: 1').waitFor();
    await button.click();
    await menu.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 1 link?' });
    await question.getByRole('button', { name: 'Delete 1 link' }).click();
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    expect((await account.api.get(`/smartlink?id=${id}`)).body.data).toMatchObject({ status: 'Deleted' });
  });
}

const JSQR = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');

/** What jsQR reads from a picture, as the browser draws it. */
async function readCode(
  page: Page,
  address: string,
): Promise<{ readonly data: string | null; readonly width: number; readonly height: number }> {
  await page.evaluate(JSQR);
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(address)};
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const drawing = new OffscreenCanvas(width, height).getContext('2d');
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, width, height);
    return { data: jsQR(data, width, height)?.data ?? null, width, height };
  })()`);
}

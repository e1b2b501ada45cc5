import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { until } from '@smartlink/test-support/until';
import { listen } from '../../../services/management/test/call-raw.js';
import { animatedPng, decompressionBomb, TINY_PNG } from '../../../services/management/test/pictures.js';
import { smartlink } from '../../../services/management/test/smartlink-bodies.js';
import { startRedirect } from '../../../services/management/test/start-process.js';
import {
  PUBLIC_BASE_URL,
  startServiceOn,
  urlSmartlink,
} from '../../../services/management/test/start-service.js';
import {
  createLink,
  dragUp,
  editorOf,
  field,
  focused,
  NEW,
  preview,
  shown,
  uploadPicture,
} from '../on-editor.js';
import { press, said } from '../on-page.js';
import type { Dashboard } from '../use-dashboard.js';

/** Presses Tab until the control of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  // The heading of a section may be called as its first field.
  const read = `(({ activeElement: at }) => at.tagName === 'SUMMARY' ? '' :
    at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent)(document)`;
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate<string>(read)).trim() === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Until a typed title is in the preview. The shortest of three: other tests run on the same machine. */
async function shortestPreviewMs(page: Page): Promise<number> {
  await preview(page).locator('h1').waitFor();
  const takenMs: number[] = [];
  for (const title of ['First', 'Second', 'Third']) {
    const typedAt = performance.now();
    await field(page, 'Title').fill(title);
    await shown(page, title);
    takenMs.push(performance.now() - typedAt);
  }
  return Math.min(...takenMs);
}

/** Fields in the order in which Tab reaches them; null: a button that is pressed. */
type Typed = readonly (readonly [label: string, text: string | null])[];
const button = (title: string): Typed => [
  ['Add button', null],
  ['Button 1 title', title],
  ['Button 1 link', 'https://example.org/'],
];

const MADE: readonly { readonly type: string; readonly typed: Typed; readonly made: object }[] = [
  {
    type: 'Url',
    typed: [['Destination', 'https://example.org/']],
    made: { shortener: { protected: false } },
  },
  {
    type: 'App',
    typed: [
      ['Google Play', 'https://play.google.com/store/apps/details?id=a'],
      ['Fallback address', 'https://example.org/'],
    ],
    made: { configuration: { fallBackLink: 'https://example.org/' } },
  },
  {
    type: 'Landing',
    typed: [
      ['Title', 'Hi'],
      ['Description', 'There'],
      ['Logo address', 'https://images.example/a.png'],
      ['Theme color', '#ff8800'],
      ...button('Go'),
    ],
    made: {
      landing: { title: 'Hi', description: 'There', themeColor: '#ff8800' },
      landingButtons: [{ title: 'Go', link: 'https://example.org/' }],
    },
  },
  {
    type: 'QRTag',
    typed: [['Title', 'Tag'], ['Theme color', '#0a7'], ...button('Go')],
    made: { qrTag: { title: 'Tag' }, qrTagButtons: [{ title: 'Go' }] },
  },
  {
    type: 'DigiCard',
    typed: [['Title', 'Ada'], ...button('Call')],
    made: { digiCard: { title: 'Ada' }, digiCardButtons: [{ title: 'Call' }] },
  },
  {
    type: 'TxtBin',
    typed: [
      ['Title', 'Note'],
      ['Text', 'a = 1'],
    ],
    made: { txtBin: { text: 'a = 1' } },
  },
  {
    type: 'QrMenu',
    typed: [
      ['Title', 'Café'],
      ['Add category', null],
      ['Category 1 name', 'Hot'],
      ['Add item to category 1', null],
      ['Category 1 item 1 name', 'Soup'],
      ['Category 1 item 1 price', '5,50'],
    ],
    made: { qrMenu: { title: 'Café', categories: [{ name: 'Hot', items: [{ name: 'Soup', price: 5.5 }] }] } },
  },
];

export function full(dashboard: Dashboard): void {
  describe('statement 26: each type is made by keyboard alone', () => {
    test.each(MADE)('$type', async ({ type, typed, made }) => {
      const { page, account } = await dashboard.open(NEW);
      await tabTo(page, 'Short link');
      for (let step = MADE.findIndex((each) => each.type === type); step > 0; step -= 1)
        await page.keyboard.press('ArrowDown');
      await tabTo(page, 'Name');
      await page.keyboard.type('By keyboard');
      for (const [index, [label, text]] of typed.entries()) {
        const isFocused = (name: string) => async () => (await focused(page, 'aria-label')) === name;
        if (!(await isFocused(label)())) await tabTo(page, label);
        if (text !== null) await page.keyboard.type(text);
        else {
          await page.keyboard.press('Enter');
          const next = typed[index + 1]?.[0] ?? '';
          await until(isFocused(next), 'the first field of the new part has the focus');
        }
      }
      await tabTo(page, 'Create link');
      await page.keyboard.press('Enter');
      await said(page, 'Link created');
      const { data } = (await account.api.get('/smartlink')).body;
      expect(data).toMatchObject([{ type, ...made }]);
    });
  });

  test('statements 23 and 27: the page of the preview is what visitors get after saving', async () => {
    const redirect = await startRedirect(dashboard.service.databases, { PUBLIC_BASE_URL });
    try {
      const { page, account } = await dashboard.open(`${NEW}?type=Landing`);
      await field(page, 'Name').fill('Docs');
      await field(page, 'Address').fill('Docs27');
      await field(page, 'Title').fill('Docs & <more>');
      await press(page, 'Add button');
      await field(page, 'Button 1 title').fill('Read');
      await field(page, 'Button 1 link').fill('https://example.org/');
      await preview(page).getByRole('link', { name: 'Read' }).waitFor();
      const drawn = await preview(page).locator('main').textContent();
      await press(page, 'Create link');
      await said(page, 'Link created');
      const served = await fetch(`${redirect.url}/Docs27`, { headers: { 'accept-language': 'en' } });
      const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(await served.text()) ?? [];
      const text = (html: string) =>
        html
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&');
      expect([served.status, text(main)]).toEqual([200, drawn]);

      await createLink(account, urlSmartlink({ smartlinkUrl: 'Leads23' }));
      expect((await fetch(`${redirect.url}/Leads23`, { redirect: 'manual' })).status).toBe(302);
    } finally {
      await redirect.stop();
    }
  });

  test('an uploaded picture is in the preview and on the saved page', async () => {
    const port = String(await freePort());
    const publicBase = `http://127.0.0.1:${port}`;
    const folder = mkdtempSync(join(tmpdir(), 'smartlink-media-'));
    const env = { PUBLIC_BASE_URL: publicBase, MEDIA_DIR: folder };
    const { databases } = dashboard.service;
    const redirect = await startRedirect(databases, { ...env, REDIRECT_PORT: port });
    const second = await startServiceOn(databases, env);
    const origin = `http://127.0.0.1:${await listen(second.app)}`;
    try {
      const { page } = await dashboard.open(`${NEW}?type=Landing`, { origin, publicBase });
      await field(page, 'Name').fill('Logo');
      await field(page, 'Address').fill('Logo26');
      await field(page, 'Title').fill('With a logo');
      await uploadPicture(page, 'Logo address', 'image/png', TINY_PNG);
      await said(page, 'Picture uploaded');
      const picture = await field(page, 'Logo address').inputValue();
      const logo = `img[src="${picture}"]`;
      const isDrawn = `document.querySelector('${logo}')?.naturalWidth > 0`;
      await until(() => preview(page).locator('body').evaluate(isDrawn), 'the logo is drawn');
      await press(page, 'Create link');
      await said(page, 'Link created');
      await page.goto(`${publicBase}/Logo26`);
      await page.locator(logo).waitFor();
      expect(await page.evaluate(isDrawn)).toBe(true);
    } finally {
      await redirect.stop();
      await second.app.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('a picture that the service does not keep says why at its field', async () => {
    const { page, account } = await dashboard.open(`${NEW}?type=Landing`, {
      plan: 'Starter',
      refused: /\/api\/v1\/media\)/,
    });
    const refusedAs = async (text: string, buffer: Buffer) => {
      await uploadPicture(page, 'Logo address', 'image/png', buffer);
      await page.getByRole('alert').getByText(text).waitFor();
    };
    await refusedAs('This file is not a picture.', Buffer.from('text'));
    await refusedAs('A picture has at most 10 MiB and 40 megapixels.', decompressionBomb());
    await refusedAs('Animated pictures cannot be used.', animatedPng());
    await dashboard.service.app.pg.query(
      `insert into media (id, user_id, sha256, hash, width, height, extension, bytes)
       values (gen_random_uuid(), $1, '', repeat('0', 32), 1, 1, 'png', 50000000)`,
      [account.userId],
    );
    await refusedAs('Your plan has no room for more pictures.', TINY_PNG);
    await field(page, 'Logo address').fill('https://images.example/logo.png');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('statement 27: a title is in the preview within 1.5 s', async () => {
    const { page } = await dashboard.open(`${NEW}?type=Landing`);
    expect(await shortestPreviewMs(page)).toBeLessThan(1_500);
  });

  test('the page of a menu of 2,000 items follows its form within 2 s', async () => {
    const account = await dashboard.createAccount();
    const items = Array.from({ length: 50 }, (_, index) => ({ name: `Item ${index}`, price: index }));
    const categories = Array.from({ length: 40 }, (_, index) => ({ name: `Part ${index}`, items }));
    const id = await createLink(account, smartlink('QrMenu', { qrMenu: { categories } }));
    const { page } = await dashboard.open(editorOf(id), { account });
    await field(page, 'Category 2 item 50 name').waitFor();
    expect(await field(page, 'Category 3 item 1 name').count()).toBe(0);
    expect(await shortestPreviewMs(page)).toBeLessThan(2_000);

    await press(page, 'Items of category 40');
    await field(page, 'Category 40 item 50 name').fill('Last');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    expect(await field(page, 'Category 40 item 50 name').inputValue()).toBe('Last');
  });

  test('a link pressed in the preview leads nowhere, and the page comes back', async () => {
    const { page } = await dashboard.open(`${NEW}?type=Landing`, { refused: /frame-src/ });
    await field(page, 'Title').fill('Still here');
    await press(page, 'Add button');
    await field(page, 'Button 1 title').fill('Away');
    await field(page, 'Button 1 link').fill('https://example.org/');
    const again = page.waitForResponse((response) => response.url().endsWith('/smartlink/preview'));
    await preview(page).getByRole('link', { name: 'Away' }).click();
    await again;
    await shown(page, 'Still here');
    expect(new URL(page.url()).pathname).toBe(NEW);
  });

  test('a duplicate has everything but the address, and a table gives a category its items', async () => {
    const account = await dashboard.createAccount();
    const qrMenu = { title: 'Café', categories: [{ name: 'Hot', items: [{ name: 'Tea', price: 2 }] }] };
    const id = await createLink(account, smartlink('QrMenu', { qrMenu }, { smartlinkUrl: 'Cafe26' }));
    const { page } = await dashboard.open(`${NEW}?from=${id}`, { account });
    expect(await field(page, 'Name').inputValue()).toBe('Copy of Name');
    expect(await field(page, 'Address').inputValue()).toBe('');
    await press(page, 'Paste items from a table to category 1');
    await field(page, 'Table').fill('Name;Price\nSoup;5,50\n"Bread; warm";2');
    await press(page, 'Add 2 items');
    await preview(page).getByText('Bread; warm').waitFor();
    await press(page, 'Create link');
    await said(page, 'Link created');
    const [copy] = (await account.api.get('/smartlink')).body.data;
    expect(copy.qrMenu.categories[0].items).toMatchObject([
      { name: 'Tea', price: 2 },
      { name: 'Soup', price: 5.5 },
      { name: 'Bread; warm', price: 2 },
    ]);
  });

  test('a link gets a folder made on the way', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, urlSmartlink({ smartlinkName: 'Poster' }));
    const { page } = await dashboard.open(editorOf(id), { account, refused: /\/folders/ });
    await page.getByText('Tags, folder, notes').click();
    await press(page, 'New folder');
    const dialog = page.getByRole('dialog', { name: 'New folder' });
    await dialog.getByRole('button', { name: 'Add folder' }).click();
    await dialog.getByText('Must not be empty').waitFor();
    await field(page, 'Folder name').fill('Campaigns');
    await dialog.getByRole('button', { name: 'Add folder' }).click();
    await dialog.waitFor({ state: 'detached' });
    const folder = page.getByRole('combobox', { name: 'Folder', exact: true });
    await expect.poll(() => folder.locator('option:checked').textContent()).toBe('Campaigns');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { folderId } = (await account.api.get(`/smartlink?id=${id}`)).body.data;
    expect((await account.api.get('/folders')).body.data).toMatchObject([
      { id: folderId, name: 'Campaigns' },
    ]);
  });

  test('what is typed while the form is being saved stays, and is not saved yet', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, urlSmartlink({ smartlinkName: 'Poster' }));
    const { page } = await dashboard.open(editorOf(id), { account });
    await page.route('**/api/v1/smartlink', async (route) => {
      if (route.request().method() === 'PATCH') {
        await field(page, 'Destination').fill('https://example.org/typed');
      }
      await route.continue();
    });
    await field(page, 'Name').fill('Saved');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    expect(await field(page, 'Destination').inputValue()).toBe('https://example.org/typed');
    await page.getByText('Not saved yet').waitFor();
    await press(page, 'Save changes');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    const { configuration, shortener } = (await account.api.get(`/smartlink?id=${id}`)).body.data;
    expect([configuration.smartlinkName, shortener.url]).toEqual(['Saved', 'https://example.org/typed']);
  });

  test('a password is asked for, and kept when it is left empty', async () => {
    const { page, account } = await dashboard.open(NEW);
    await field(page, 'Name').fill('Secret');
    await field(page, 'Destination').fill('https://example.org/');
    await page.getByRole('checkbox', { name: 'Ask visitors for a password' }).check();
    await press(page, 'Create link');
    await page.getByRole('alert', { name: '1 problem' }).waitFor();
    await field(page, 'Password').fill('open sesame');
    await press(page, 'Create link');
    await said(page, 'Link created');
    const [{ id }] = (await account.api.get('/smartlink')).body.data;
    await page.goto(`${dashboard.origin}${editorOf(id)}`);
    await page.getByText('If empty, the current password stays.').waitFor();
    await field(page, 'Name').fill('Still secret');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { rows } = await dashboard.service.app.pg.query<{ has: boolean }>(
      'select password_hash is not null as has from smartlinks where id = $1',
      [id],
    );
    expect(rows).toEqual([{ has: true }]);
  });

  test('buttons are sorted by drag', async () => {
    const account = await dashboard.createAccount();
    const landingButtons = ['One', 'Two', 'Three'].map((title) => ({ title, link: 'https://example.org/' }));
    const id = await createLink(account, smartlink('Landing', { landing: {}, landingButtons }));
    const { page } = await dashboard.open(editorOf(id), { account });
    await dragUp(page, 'Buttons', 2);
    await preview(page).locator('li:has-text("Three") + li:has-text("One")').waitFor();
    expect(await field(page, 'Button 1 title').inputValue()).toBe('Three');
  });
}

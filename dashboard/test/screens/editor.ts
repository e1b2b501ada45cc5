import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { smartlink } from '../../../services/management/test/smartlink-bodies.js';
import { startRedirect } from '../../../services/management/test/start-process.js';
import { PUBLIC_BASE_URL, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const NEW = '/dashboard/links/new';
const TYPES = ['Short link', 'App link', 'Landing page', 'QR tag', 'Business card', 'Text', 'Menu'];

export const states: readonly ScreenState[] = [
  { path: NEW, heading: 'New link' },
  { path: `${NEW}?type=QrMenu`, heading: 'New link' },
  { path: NEW, heading: 'You may only look', options: { role: 'Viewer' } },
];

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');
const shown = (page: Page, heading: string) =>
  preview(page).getByRole('heading', { name: heading, exact: true }).waitFor();
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
const focused = (page: Page, attribute: string): Promise<string | null> =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('${attribute}')`);

async function createLink({ api }: TestAccount, body: object): Promise<string> {
  const { status, body: answer } = await api.post('/smartlink', body);
  expect([status, answer.error]).toEqual([201, undefined]);
  return answer.data.id;
}

const editorOf = (id: string): string => `/dashboard/links/${id}/edit`;

export function tests(dashboard: Dashboard): void {
  test('statements 22 to 25: a short link is made, after its faults are shown at their fields', async () => {
    const { page, account } = await dashboard.open(NEW);
    const types = page.getByRole('radiogroup', { name: 'Type' });
    await types.getByRole('radio').first().waitFor();
    expect(await types.getByRole('radio').count()).toBe(TYPES.length);
    await field(page, 'Name').fill('Spring');
    await field(page, 'Address').fill('Spring26');
    for (const name of TYPES.toReversed()) {
      await types.getByRole('radio', { name, exact: true }).check();
      expect([await field(page, 'Name').inputValue(), await field(page, 'Address').inputValue()]).toEqual([
        'Spring',
        'Spring26',
      ]);
    }

    await field(page, 'Destination').fill('example.org');
    await press(page, 'Create link');
    const problem = page.getByRole('alert', { name: '1 problem', exact: true });
    await problem.getByRole('link').click();
    expect(await focused(page, 'id')).toBe('shortener.url');
    expect(await field(page, 'Destination').getAttribute('aria-invalid')).toBe('true');
    const description = await field(page, 'Destination').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${description}"]`).textContent()).toBe('Invalid URL format');
    expect((await account.api.get('/smartlink?limit=1')).body.data).toEqual([]);

    await field(page, 'Destination').fill('https://example.org/');
    await press(page, 'Create link');
    await said(page, 'Link created');
    const { data: created } = (await account.api.get('/smartlink')).body;
    expect(created).toMatchObject([
      { configuration: { smartlinkName: 'Spring', smartlinkUrl: 'Spring26', smartlinkType: 'Url' } },
    ]);
    await page.waitForURL(`${dashboard.origin}/dashboard/links/${created[0].id}`);
  });

  test('statement 25: a taken and a reserved address are said at the field, before submitting', async () => {
    const account = await dashboard.createAccount();
    await createLink(account, urlSmartlink({ smartlinkUrl: 'Taken26' }));
    const { page } = await dashboard.open(NEW, { account });
    await field(page, 'Address').fill('taken26');
    await page.getByText('This address is already taken').waitFor();
    await field(page, 'Address').fill('Dashboard');
    await page.getByText('This address is reserved').waitFor();
    expect(await field(page, 'Address').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
    await field(page, 'Address').fill('free26');
    await page.getByText('This address is reserved').waitFor({ state: 'detached' });
  });

  test('statements 27 to 29: the page beside the form follows it, and Back leaves in one step', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(
      account,
      smartlink('QrMenu', {
        qrMenu: {
          title: 'Café',
          categories: [
            {
              name: 'Hot',
              items: [
                { name: 'Soup', price: 5 },
                { name: 'Tea', price: 2 },
              ],
            },
          ],
        },
      }),
    );
    const { page } = await dashboard.open(NEW, { account });
    const policies: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (/\/dashboard\/preview\/[\w-]+$/.test(response.url()))
        policies.push(response.headers()['content-security-policy']);
    });
    await page.goto(`${dashboard.origin}${editorOf(id)}`);
    await shown(page, 'Café');
    const steps = await page.evaluate<number>('history.length');

    await page.getByRole('button', { name: 'Move category 1 item 1 down' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused(page, 'aria-label')).toBe('Move category 1 item 2 up');
    expect(await field(page, 'Category 1 item 1 name').inputValue()).toBe('Tea');
    await preview(page).locator('li:has-text("Tea") + li:has-text("Soup")').waitFor();
    for (let edit = 1; edit <= 20; edit += 1) await field(page, 'Title').fill(`Café ${edit}`);
    await shown(page, 'Café 20');

    await page.getByRole('combobox', { name: 'Preview language' }).selectOption('Русский');
    await preview(page).locator('html[lang="ru"]').waitFor();
    const widths = page.getByRole('radiogroup', { name: 'Preview width' });
    for (const [name, pixels] of [
      ['Tablet', 768],
      ['Desktop', 1280],
      ['Phone', 390],
    ] as const) {
      await widths.getByRole('radio', { name }).check();
      await preview(page)
        .locator('html')
        .evaluate(
          `new Promise((done) => { const wait = () => (innerWidth === ${pixels} ? done() : requestAnimationFrame(wait)); wait(); })`,
        );
    }
    expect(policies.every((policy) => policy?.includes('sandbox allow-scripts'))).toBe(true);
    expect(policies.length).toBeGreaterThan(1);
    expect(await page.evaluate('history.length')).toBe(steps);

    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { data } = (await account.api.get(`/smartlink?id=${id}`)).body;
    expect(data.qrMenu.categories[0].items.map(({ name }: { name: string }) => name)).toEqual([
      'Tea',
      'Soup',
    ]);
    await page.evaluate('history.back()');
    await page.waitForURL(`${dashboard.origin}${NEW}`);
    await page.getByRole('heading', { name: 'New link' }).waitFor();
  });

  test('statement 30: a changed form is left only when the person says so', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, urlSmartlink());
    await account.api.delete('/smartlink', { smartlinkId: id });
    const { page } = await dashboard.open(editorOf(id), { account });
    await page.getByRole('heading', { name: 'This link was deleted' }).waitFor();
    await page.getByRole('link', { name: 'New link' }).click();
    await field(page, 'Name').fill('Spring');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    for (const leave of [
      () => page.getByRole('link', { name: 'Settings' }).click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave();
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
      const kept = [page.url(), await field(page, 'Name').inputValue()];
      expect(kept).toEqual([`${dashboard.origin}${NEW}`, 'Spring']);
    }
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${dashboard.origin}${editorOf(id)}`);
    await page.getByRole('heading', { name: 'This link was deleted' }).waitFor();
  });

  test('statement 31: of two who save one link, the second is asked whose version stays', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, urlSmartlink());
    const refused = /\/api\/v1\/smartlink\)/;
    const { page: first } = await dashboard.open(editorOf(id), { account, refused });
    const { page: second } = await dashboard.open(editorOf(id), { account, refused });
    const stored = async () =>
      (await account.api.get(`/smartlink?id=${id}`)).body.data.configuration.smartlinkName;
    const rename = async (page: Page, name: string) => {
      await field(page, 'Name').fill(name);
      await press(page, 'Save changes');
    };
    await rename(first, 'First');
    await said(first, 'Changes saved');
    await rename(second, 'Second');
    const question = second.getByRole('alertdialog', { name: 'Changed somewhere else' });
    await question.getByRole('button', { name: 'Load theirs' }).click();
    await question.waitFor({ state: 'detached' });
    expect([await field(second, 'Name').inputValue(), await stored()]).toEqual(['First', 'First']);

    await rename(second, 'Second again');
    await said(second, 'Changes saved');
    await rename(first, 'First again');
    const mine = first.getByRole('alertdialog', { name: 'Changed somewhere else' });
    await mine.getByRole('button', { name: 'Keep mine' }).click();
    await mine.waitFor({ state: 'detached' });
    await said(first, 'Changes saved');
    expect(await stored()).toBe('First again');
  });
}

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

  test('statement 27: a title is in the preview within 1.5 s, and of a menu of 2,000 items within 2 s', async () => {
    const account = await dashboard.createAccount();
    const items = Array.from({ length: 500 }, (_, index) => ({ name: `Item ${index}`, price: index }));
    const categories = Array.from({ length: 4 }, (_, index) => ({ name: `Part ${index}`, items }));
    const id = await createLink(account, smartlink('QrMenu', { qrMenu: { categories } }));
    for (const [path, budgetMs] of [
      [`${NEW}?type=Landing`, 1_500],
      [editorOf(id), 2_000],
    ] as const) {
      const { page } = await dashboard.open(path, { account });
      await preview(page).locator('h1').waitFor();
      const takenMs: number[] = [];
      for (const title of ['First', 'Second', 'Third']) {
        const typedAt = performance.now();
        await field(page, 'Title').fill(title);
        await shown(page, title);
        takenMs.push(performance.now() - typedAt);
      }
      // The best of three: other tests run on the same machine.
      expect(Math.min(...takenMs)).toBeLessThan(budgetMs);
    }
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
    await page.getByText('Left empty, the present password stays.').waitFor();
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
    const grips = page.getByRole('list', { name: 'Buttons' }).locator('li span:first-child[aria-hidden]');
    await grips.nth(2).scrollIntoViewIfNeeded();
    const [from, to] = [await grips.nth(2).boundingBox(), await grips.nth(0).boundingBox()];
    if (from === null || to === null) throw new Error('The grips are not drawn');
    await page.mouse.move(from.x + 4, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x + 4, from.y - 20, { steps: 4 });
    await page.mouse.move(to.x + 4, to.y - 8, { steps: 8 });
    await page.mouse.up();
    await preview(page).locator('li:has-text("Three") + li:has-text("One")').waitFor();
    expect(await field(page, 'Button 1 title').inputValue()).toBe('Three');
  });
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TINY_PNG } from '../../../services/management/test/pictures.js';
import { smartlink } from '../../../services/management/test/smartlink-bodies.js';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import { createLink, editorOf, field, focused, NEW, preview, shown, uploadPicture } from '../on-editor.js';
import { press, said } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard } from '../use-dashboard.js';

const TYPES = ['Short link', 'App link', 'Landing page', 'QR tag', 'Business card', 'Text', 'Menu'];

export const states: readonly ScreenState[] = [
  { path: `${NEW}?type=QrMenu`, heading: 'New link' },
  { path: NEW, heading: 'New link' },
  { path: NEW, heading: 'You may only look', options: { role: 'Viewer' } },
];

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

    await press(page, 'Use https://example.org');
    await expect.poll(() => focused(page, 'id')).toBe('shortener.url');
    expect(await field(page, 'Destination').inputValue()).toBe('https://example.org');
    await press(page, 'Create link');
    await said(page, 'Link created');
    const { data: created } = (await account.api.get('/smartlink')).body;
    expect(created).toMatchObject([
      { configuration: { smartlinkName: 'Spring', smartlinkUrl: 'Spring26', smartlinkType: 'Url' } },
    ]);
    await page.waitForURL(`${dashboard.origin}/dashboard/links/${created[0].id}`);
  });
}

export function full(dashboard: Dashboard): void {
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

  test('redirect options are refused at their fields where the answer depends on the visit, and stored', async () => {
    const account = await dashboard.createAccount();
    const redirect = { status: 301, forwardQuery: false };
    const body = urlSmartlink({ smartlinkUrl: 'Kept26' }, {}, { redirect });
    // The service listens for redirect processes of earlier versions first.
    await expect
      .poll(async () => (await account.api.post('/smartlink', body)).status, { timeout: 20_000 })
      .toBe(201);
    const { id } = (await account.api.get('/smartlink?slug=Kept26')).body.data[0];
    const { page } = await dashboard.open(editorOf(id), { account });
    const select = (name: string) => page.getByRole('combobox', { name, exact: true });
    expect(await select('Redirect status').inputValue()).toBe('301');
    expect(await select('Parameters of the visitor').inputValue()).toBe('false');
    await page.getByRole('checkbox', { name: 'Ask visitors for a password' }).check();
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await press(page, 'Save changes');
    await page
      .getByText('Must be 302 or 307 for a link with a password, with rules, or to apps')
      .first()
      .waitFor();
    expect(await select('Redirect status').getAttribute('aria-invalid')).toBe('true');
    await select('Redirect status').selectOption('307: temporary, keeps the method');
    await select('Parameters of the visitor').selectOption('As the service is set');
    await field(page, 'Kept by browsers, in seconds').fill('0');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { data } = (await account.api.get(`/smartlink?id=${id}`)).body;
    expect(data.redirect).toEqual({ status: 307, cacheSeconds: 0 });
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

  test('a picture is uploaded at its field, and another file is refused there', async () => {
    const { page, account } = await dashboard.open(NEW, { refused: /\/api\/v1\/media\)/ });
    await field(page, 'Name').fill('Shared');
    await field(page, 'Destination').fill('https://example.org/');
    await page.getByRole('heading', { name: 'Sharing' }).click();
    await uploadPicture(page, 'Share picture', 'image/svg+xml', Buffer.from('<svg/>'));
    await page.getByRole('alert').getByText('A picture is JPEG, PNG, WebP, AVIF or GIF.').waitFor();
    expect(await field(page, 'Share picture').inputValue()).toBe('');
    await uploadPicture(page, 'Share picture', 'image/png', TINY_PNG);
    await said(page, 'Picture uploaded');
    expect(await page.getByRole('alert').count()).toBe(0);
    const [stored] = (await account.api.get('/media')).body.data;
    expect(await field(page, 'Share picture').inputValue()).toBe(stored.url);
    await press(page, 'Create link');
    await said(page, 'Link created');
    const [link] = (await account.api.get('/smartlink')).body.data;
    expect(link.openGraph.imageUrl).toBe(stored.url);
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

import { expect, test } from 'vitest';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';
import { createLinks, named } from './links.js';

const TAGS = '/dashboard/settings/tags';
const TEMPLATES = '/dashboard/settings/utm-templates';

async function prepare(account: TestAccount): Promise<void> {
  await createLinks(account, [named('One', { tags: ['Spring', 'spring sale', 'x'.repeat(50)] })]);
  const { status } = await account.api.post('/folders', { name: 'Campaigns', description: 'Of this year' });
  expect(status).toBe(201);
  const utm = { source: 'newsletter', campaign: 'y'.repeat(80) };
  expect((await account.api.post('/utm-templates', { name: 'Newsletter', utm })).status).toBe(201);
}

export const states: readonly ScreenState[] = [
  { path: TAGS, heading: 'Tags and folders', prepare },
  { path: TAGS, heading: 'Tags and folders' },
  { path: TEMPLATES, heading: 'UTM templates', prepare },
  { path: TEMPLATES, heading: 'UTM templates' },
];

export function full(dashboard: Dashboard): void {
  test('tags are renamed, merged and deleted, and folders kept', async () => {
    const account = await dashboard.createAccount();
    await createLinks(account, [named('One', { tags: ['Spring'] }), named('Two', { tags: ['Sprnig'] })]);
    const { page } = await dashboard.open(TAGS, { account, refused: /\/api\/v1\/tags/ });
    const choose = async (name: string, item: string) => {
      await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const tagsOf = async () =>
      (
        (await account.api.get('/tags')).body.data as {
          name: string;
          smartlinkCount: number;
          color?: string;
        }[]
      ).map(({ name, smartlinkCount, color }) => [name, smartlinkCount, color]);

    await choose('Spring', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit tag Spring' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('a,b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must not contain commas').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Season');
    await dialog.getByRole('checkbox', { name: 'With a colour' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await tagsOf()).toEqual([
      ['Season', 1, '#2f6f4f'],
      ['Sprnig', 1, undefined],
    ]);

    await choose('Sprnig', 'Merge');
    await page.getByRole('combobox', { name: 'Into' }).selectOption('Season');
    await page.getByRole('button', { name: 'Merge tags' }).click();
    await page.getByRole('status').getByText('Merged').waitFor();
    await page.getByRole('link', { name: '2 links with Season' }).waitFor();
    await choose('Season', 'Delete');
    await page
      .getByRole('alertdialog', { name: 'Delete the tag Season?' })
      .getByRole('button', { name: 'Delete tag' })
      .click();
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
    expect(await tagsOf()).toEqual([]);

    await page.getByRole('button', { name: 'Add folder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Campaigns');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Folders' }).getByText('Campaigns').waitFor();
  });

  test('a UTM template is added, changed and deleted', async () => {
    const { page, account } = await dashboard.open(TEMPLATES, { refused: /\/api\/v1\/utm-templates/ });
    const stored = async () =>
      ((await account.api.get('/utm-templates')).body.data as { name: string; utm: object }[]).map(
        ({ name, utm }) => [name, utm],
      );
    await page.getByRole('button', { name: 'Add template' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('News');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('alert').getByText('Fill in at least one parameter.').waitFor();
    await page.getByRole('textbox', { name: 'Source' }).fill('newsletter');
    await page.getByRole('textbox', { name: 'Medium' }).fill('email');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('table', { name: 'UTM templates' }).getByText('utm_source=newsletter').waitFor();
    expect(await stored()).toEqual([['News', { source: 'newsletter', medium: 'email' }]]);

    const more = page.getByRole('button', { name: 'More actions for News' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Medium' }).fill('');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('utm_medium=email').waitFor({ state: 'detached' });
    expect(await stored()).toEqual([['News', { source: 'newsletter' }]]);
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete template' }).click();
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  });
}

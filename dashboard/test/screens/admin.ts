import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../services/management/test/call-raw.js';
import { createScriptedProvider } from '../../../services/management/test/recheck-fixtures.js';
import {
  caller,
  createPerson,
  createSmartlink,
  startServiceOn,
  urlSmartlink,
} from '../../../services/management/test/start-service.js';
import { takeSecret } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard } from '../use-dashboard.js';

const PATH = '/dashboard/admin';
const options = { isOperator: true };

export const states: readonly ScreenState[] = [
  { path: `${PATH}/people`, heading: 'People', options },
  { path: `${PATH}/accounts`, heading: 'Accounts', options },
  { path: `${PATH}/plans`, heading: 'Plans', options },
  { path: `${PATH}/health`, heading: 'Health', options },
  { path: `${PATH}/safety`, heading: 'Safety', options },
];

export function full(dashboard: Dashboard): void {
  test('statement 9: "Admin" is there for operators only', async () => {
    const other = await dashboard.open(`${PATH}/people`);
    await other.page.getByRole('heading', { level: 1, name: 'You may only look' }).waitFor();
    const names = await other.page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .allInnerTexts();
    expect(names).toContain('Settings');
    expect(names).not.toContain('Admin');

    const { page } = await dashboard.open(PATH, options);
    await page.waitForURL(`${dashboard.origin}${PATH}/people`);
    const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' });
    const own = page.getByRole('navigation', { name: 'Admin' });
    expect(await main.getAttribute('aria-current')).toBe('page');
    expect(await own.getByRole('link').allInnerTexts()).toEqual([
      'People',
      'Accounts',
      'Plans',
      'Health',
      'Safety',
    ]);
    expect(await own.getByRole('link', { name: 'People' }).getAttribute('aria-current')).toBe('page');
  });

  test('an operator finds a person, makes a link that is shown once, and disables and enables', async () => {
    const { page } = await dashboard.open(`${PATH}/people`, options);
    const { email, personId } = await createPerson(dashboard.service.app);
    await page.getByRole('searchbox', { name: 'Search people' }).fill(email);
    await page.waitForURL((url) => url.searchParams.get('q') === email);
    const more = page.getByRole('button', { name: `More actions for ${email}` });
    await more.click();
    await page.getByRole('menuitem', { name: 'Sign-in link' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make link' }).click();
    expect(await takeSecret(page, 'One-time link')).toMatch(/\/welcome#.{20,}$/);

    await more.click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable person' }).click();
    const row = page.getByRole('row', { name: email });
    await row.getByText('Disabled', { exact: true }).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Enable person' }).click();
    // An open question hides the row from roles.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
    const { rows } = await dashboard.service.app.pg.query('select disabled_at from people where id = $1', [
      personId,
    ]);
    expect(rows).toEqual([{ disabled_at: null }]);
  });

  test('an operator adds an account with its Owner, and changes its plan', async () => {
    const { page } = await dashboard.open(`${PATH}/accounts`, { ...options, refused: /\/admin\/accounts/ });
    const email = `${randomUUID()}@example.org`;
    const name = `Shop ${email.slice(0, 8)}`;
    await page.getByRole('button', { name: 'Add an account' }).click();
    const form = page.getByRole('dialog', { name: 'Add an account' });
    await form.getByRole('button', { name: 'Add account' }).click();
    await form.getByText('Must be an e-mail address').waitFor();
    expect(await form.getByRole('textbox', { name: 'E-mail' }).getAttribute('aria-invalid')).toBe('true');
    await form.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await form.getByRole('combobox', { name: 'Plan' }).selectOption('Starter');
    await form.getByRole('button', { name: 'Add account' }).click();
    expect(await takeSecret(page, 'One-time link')).toContain('/welcome#');

    await page.getByRole('searchbox', { name: 'Search accounts' }).fill(name);
    const row = page.getByRole('table', { name: 'Accounts' }).getByRole('row', { name });
    await row.getByText('Starter').waitFor();
    await page.getByRole('button', { name: `Change ${name}` }).click();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Enterprise');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await row.getByText('Enterprise').waitFor();
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill(`no ${name}`);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.waitForURL((url) => !url.searchParams.has('q'));
  });

  test('an operator changes the limits of a plan, and faults stand at their fields', async () => {
    const plan = `Trial ${randomUUID().slice(0, 8)}`;
    const { pg } = dashboard.service.app;
    await pg.query(
      `insert into plans select (jsonb_populate_record(plans, jsonb_build_object('name', $1::text))).*
       from plans where name = 'Starter'`,
      [plan],
    );
    const { page } = await dashboard.open(`${PATH}/plans`, { ...options, refused: /\/admin\/plans/ });
    await page.getByRole('button', { name: `Change ${plan}` }).click();
    const form = page.getByRole('dialog', { name: `Change ${plan}` });
    const requests = form.getByRole('textbox', { name: 'Requests per minute' });
    await requests.fill('many');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Must be a whole number from 1 to').waitFor();
    expect(await requests.getAttribute('aria-invalid')).toBe('true');
    await requests.fill('90');
    await form.getByRole('textbox', { name: 'Links' }).fill('');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('status').getByText(`Plan saved: ${plan}`).waitFor();
    const cells = page.getByRole('row', { name: plan }).getByRole('cell');
    await cells.nth(2).getByText('Unlimited').waitFor();
    expect(await cells.nth(3).textContent()).toBe('90');
  });

  test('an operator sees what was checked, and has it checked again', async () => {
    const { page } = await dashboard.open(`${PATH}/health`, options);
    const rows = page.getByRole('table', { name: 'Health' }).getByRole('row');
    await rows.filter({ hasText: 'Tables of Postgres' }).getByText('Fine').waitFor();
    await rows.filter({ hasText: 'Tables of ClickHouse' }).getByText('Fine').waitFor();
    const again = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/admin/health'));
    await page.getByRole('button', { name: 'Check again' }).click();
    expect((await again).status()).toBe(200);
  });

  test('an operator has links judged again: one is paused, and works again', async () => {
    const url = 'https://bad.example.org/';
    const provider = createScriptedProvider();
    const env = { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' };
    const second = await startServiceOn(dashboard.service.databases, env, provider);
    onTestFinished(() => second.app.close());
    const origin = `http://127.0.0.1:${await listen(second.app)}`;
    const account = await dashboard.createAccount(options);
    provider.state = 'down';
    const { slug } = await createSmartlink(caller(second.app, account.apiKey), urlSmartlink({}, { url }));
    const { page } = await dashboard.open(`${PATH}/safety?state=unchecked`, { account, origin });
    const row = page.getByRole('row', { name: slug });
    await row.waitFor();
    provider.state = 'up';
    provider.unsafe.add(url);
    await row.getByRole('button', { name: 'again' }).click();
    await page.getByRole('status').getByText('Found unsafe: the link is paused').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Unsafe' }).click();
    await row.getByText(url).waitFor();
    provider.unsafe.clear();
    await row.getByRole('button', { name: 'again' }).click();
    await page.getByRole('status').getByText('Found safe: the link works').waitFor();
    await row.waitFor({ state: 'detached' });
  });

  test('an operator adds a person, who is made an operator, and no more', async () => {
    const { page } = await dashboard.open(`${PATH}/people`, { ...options, refused: /\/admin\/people/ });
    const email = `${randomUUID()}@example.org`;
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('button', { name: 'Add person' }).click();
    await page.getByText('Must be an e-mail address').waitFor();
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('checkbox', { name: 'May operate this installation' }).check();
    await page.getByRole('button', { name: 'Add person' }).click();
    await takeSecret(page, 'One-time link');
    await page.getByRole('searchbox', { name: 'Search people' }).fill(email);
    const row = page.getByRole('row', { name: email });
    await row.getByText('Operator', { exact: true }).waitFor();
    await page.getByRole('button', { name: `More actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Remove as operator' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove as operator' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row.getByText('Operator', { exact: true }).waitFor({ state: 'detached' });
  });
}

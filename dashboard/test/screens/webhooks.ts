import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver, status } from '../../../services/management/test/webhook-receiver.js';
import { press, said } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/webhooks';
const idOf = new WeakMap<TestAccount, string>();

/** A webhook that has sent nothing. */
async function addWebhook(account: TestAccount): Promise<void> {
  const { body } = await account.api.post('/webhooks', {
    url: 'https://hooks.example.org/a-rather-long-address/of-a-receiver/that-has-to-be-broken-into-lines',
    eventTypes: ['smartlink.created', 'smartlink.unsafe', 'visits.recorded'],
    description: 'Updates the shop',
  });
  idOf.set(account, body.data.id as string);
}

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Webhooks', prepare: addWebhook },
  { path: PATH, heading: 'Webhooks' },
  {
    path: (account) => `${PATH}/${idOf.get(account)}`,
    heading: 'Updates the shop',
    prepare: addWebhook,
  },
  { path: PATH, heading: 'You may only look', options: { role: 'Editor' } },
];

export function full(dashboard: Dashboard): void {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  async function add(page: Page, address: string): Promise<string> {
    await press(page, 'Add webhook');
    await page.getByRole('textbox', { name: 'Receiver address' }).fill(address);
    await press(page, 'Save webhook');
    return page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  }

  test('statement 37: the secret is shown once, a test is sent, and sent again', async () => {
    const { page } = await dashboard.open(PATH);
    receiver.answers.set('/shop', status(500));
    const secret = await add(page, receiver.url('/shop'));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await press(page, 'Copy secret');
    await said(page, 'Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);

    await press(page, 'Send test message');
    const table = page.getByRole('table', { name: 'Deliveries' });
    const row = table.getByRole('row').filter({ hasText: 'Test message' });
    const attempts = (count: string) => row.getByRole('cell', { name: count, exact: true }).waitFor();
    await row.getByRole('cell', { name: 'Answered 500' }).waitFor();
    await attempts('1');
    receiver.answers.set('/shop', status(204));
    for (const count of ['2', '3']) {
      await row.getByRole('button', { name: 'Send again' }).click();
      await attempts(count);
      await row.getByRole('cell', { name: 'Delivered' }).waitFor();
    }
    await row.getByRole('cell', { name: '204', exact: true }).waitFor();
    await row.getByRole('cell', { name: /^\d+ ms$/ }).waitFor();
    expect(receiver.at('/shop').map(({ headers }) => headers['webhook-id'])).toHaveLength(3);

    await press(page, 'Done');
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await table.waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Waiting');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=Pending');
    await press(page, 'Show all');
    await row.waitFor();
  });

  test('a webhook is refused at its field, changed, gets another secret, and is deleted', async () => {
    const { page, account } = await dashboard.open(PATH, { refused: /\/api\/v1\/webhooks/ });
    await press(page, 'Add webhook');
    const address = page.getByRole('textbox', { name: 'Receiver address' });
    await address.fill('ftp://example.org/');
    await press(page, 'Save webhook');
    await page.getByText('Invalid URL format').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    const first = await add(page, receiver.url('/changed'));

    await page.getByRole('textbox', { name: 'Description' }).fill('Updates the sheet');
    await page.getByRole('checkbox', { name: 'Visits recorded' }).check();
    await page.getByRole('checkbox', { name: 'Send messages' }).uncheck();
    await press(page, 'Save webhook');
    await page.getByRole('heading', { level: 1, name: 'Updates the sheet' }).waitFor();
    await page.getByText('Turn the webhook on to send messages.').waitFor();
    expect((await account.api.get('/webhooks')).body.data).toMatchObject([
      {
        description: 'Updates the sheet',
        eventTypes: ['smartlink.created', 'smartlink.updated', 'smartlink.deleted', 'visits.recorded'],
        isEnabled: false,
      },
    ]);

    await press(page, 'Replace secret');
    const replacing = page.getByRole('alertdialog', { name: 'Replace the signing secret?' });
    await replacing.getByRole('button', { name: 'Replace secret' }).click();
    await replacing.waitFor({ state: 'detached' });
    const second = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect([second.slice(0, 6), second === first]).toEqual(['whsec_', false]);

    await press(page, 'Delete webhook');
    const removing = page.getByRole('alertdialog', { name: 'Delete this webhook?' });
    await removing.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect((await account.api.get('/webhooks')).body.data).toEqual([]);
  });

  test('a message of the log is shown, and an unknown webhook says so', async () => {
    const receiver = await startReceiver();
    const { page, account } = await dashboard.open(PATH, { width: 320, colorScheme: 'dark' });
    const { body } = await account.api.post('/webhooks', {
      url: receiver.url('/'),
      eventTypes: ['smartlink.created'],
    });
    const id = body.data.id as string;
    await account.api.post('/webhooks/test', { id });
    await page.goto(`${dashboard.origin}${PATH}/${id}`);
    await press(page, 'Show message: Test message');
    await page.getByRole('dialog').getByText(`"webhookId": "${id}"`).waitFor();
    await press(page, 'Close');
    await page.goto(`${dashboard.origin}${PATH}/00000000-0000-7000-8000-000000000000`);
    await page.getByRole('heading', { name: 'Webhook not found' }).waitFor();
    await receiver.close();
  });
}

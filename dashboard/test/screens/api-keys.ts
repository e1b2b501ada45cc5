import { expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { caller, urlSmartlink } from '../../../services/management/test/start-service.js';
import { takeSecret } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import { type Dashboard, PASSWORD, type TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/settings/api-keys';

export const states: readonly ScreenState[] = [{ path: PATH, heading: 'API Keys' }];

export function tests(dashboard: Dashboard): void {
  const apiOf = (key: string) => caller(dashboard.service.app, key);

  test('statement 36: a generated key is shown once, works, and is revoked within a second', async () => {
    const { page, account } = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Generate New API Key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In a year');
    await page.getByRole('combobox', { name: 'Access' }).selectOption('Read only');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();

    const field = page.getByRole('textbox', { name: 'Your new API key' });
    expect(await field.getAttribute('readonly')).toBe('');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const key = await takeSecret(page, 'Your new API key');
    expect(key).toMatch(/^slk_live_/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);

    expect((await apiOf(key).get('/smartlink?limit=1')).status).toBe(200);
    expect((await apiOf(key).post('/smartlink', urlSmartlink())).status).toBe(403);
    const { rows } = await dashboard.service.app.pg.query<{ days: number }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days from api_keys
       where user_id = $1 and name = 'ci'`,
      [account.userId],
    );
    expect(rows).toEqual([{ days: 365 }]);

    await page.getByRole('button', { name: 'Revoke ci' }).click();
    const question = page.getByRole('alertdialog', { name: 'Revoke ci?' });
    await question.getByRole('button', { name: 'Keep key' }).click();
    expect((await apiOf(key).get('/validate')).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Revoke ci' }).waitFor({ state: 'detached' });
    await until(async () => (await apiOf(key).get('/validate')).status === 401, 'the key is refused', 1_000);
  });
}

export function full(dashboard: Dashboard): void {
  test('a change long after sign-in asks for the password, and goes on with it', async () => {
    const { page, account } = await dashboard.open(PATH, { refused: /\/api\/v1\/keys|\/auth\/confirm/ });
    await forgetConfirmation(dashboard, account);
    await page.getByRole('button', { name: 'Generate New API Key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('later');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Confirm it is you' });
    await question.getByRole('textbox', { name: 'Password' }).fill('not this one');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.getByText('Wrong password.').waitFor();
    await question.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('textbox', { name: 'Your new API key' }).waitFor();
  });

  test('faults stand at their fields, and a plan without scopes says so', async () => {
    const { page } = await dashboard.open(PATH, { plan: 'Starter', refused: /\/api\/v1\/keys/ });
    await page.getByRole('button', { name: 'Generate New API Key' }).click();
    const access = page.getByRole('combobox', { name: 'Access' });
    await page.getByText('Your plan includes only keys with full access.').waitFor();
    expect(await access.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await page.getByText('Must not be empty').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('site');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByRole('textbox', { name: 'Your new API key' }).waitFor();
  });
}

async function forgetConfirmation({ service }: Dashboard, { personId }: TestAccount): Promise<void> {
  const long = "now() - interval '11 minutes'";
  await service.app.pg.query(`update sessions set confirmed_at = ${long} where person_id = $1`, [personId]);
}

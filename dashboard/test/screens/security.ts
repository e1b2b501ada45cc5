import { expect, test } from 'vitest';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import { type Dashboard, PASSWORD } from '../use-dashboard.js';

const PATH = '/dashboard/settings/security';

export const states: readonly ScreenState[] = [{ path: PATH, heading: 'Security' }];

export function tests(dashboard: Dashboard): void {
  test('statement 39: a session that is ended elsewhere leads to sign-in, and a Viewer may only look', async () => {
    const account = await dashboard.createAccount({ role: 'Viewer' });
    const other = await dashboard.open('/dashboard/settings/profile', { account, refused: /401/ });
    await other.page.getByRole('heading', { level: 1 }).waitFor();
    const { page } = await dashboard.open(PATH, { account });
    const items = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await items.first().waitFor();
    expect(await items.count()).toBe(2);
    expect(await items.filter({ hasText: 'This browser' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
    await page.getByRole('status').getByText('Signed out').waitFor();
    expect(await items.count()).toBe(1);
    // Its next request.
    await other.page.getByRole('link', { name: 'Security' }).click();
    await other.page.waitForURL(/\/dashboard\/sign-in\?next=%2Fdashboard%2Fsettings%2Fsecurity$/);

    await page.goto(`${dashboard.origin}/dashboard/settings/api-keys`);
    await page.getByRole('heading', { level: 1, name: 'You may only look' }).waitFor();
    expect(await page.getByRole('link', { name: 'API Keys' }).count()).toBe(0);
    const { value } = await dashboard.sessionCookie(account);
    const res = await dashboard.service.app.inject({
      method: 'POST',
      url: '/api/v1/smartlink',
      headers: {
        cookie: `smartlink_session=${value}`,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      payload: JSON.stringify(urlSmartlink()),
    });
    expect([res.statusCode, res.json().error.code]).toEqual([403, 'FORBIDDEN']);
  });
}

export function full(dashboard: Dashboard): void {
  test('a changed password keeps this browser signed in, and signs the others out', async () => {
    const account = await dashboard.createAccount();
    const other = await dashboard.open('/dashboard/settings/profile', { account, refused: /401/ });
    const { page } = await dashboard.open(PATH, { account, refused: /\/auth\/password/ });
    await page.getByRole('textbox', { name: 'Current password' }).fill('wrong password');
    await page.getByRole('textbox', { name: 'New password' }).fill('another password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Wrong password.').waitFor();
    await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await page.getByRole('textbox', { name: 'New password' }).fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Must have 10 to 128 characters').waitFor();
    await page.getByRole('textbox', { name: 'New password' }).fill('another password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').getByText('Password changed').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await other.page.getByRole('link', { name: 'Security' }).click();
    await other.page.waitForURL(/\/dashboard\/sign-in/);
  });
}

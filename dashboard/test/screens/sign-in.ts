import { expect, test } from 'vitest';
import type { ScreenState } from '../screen-tests.js';
import { type Dashboard, PASSWORD } from '../use-dashboard.js';

const SIGN_IN = '/dashboard/sign-in';

export const states: readonly ScreenState[] = [
  { path: SIGN_IN, heading: 'Sign in', options: { account: null } },
];

export function tests(dashboard: Dashboard): void {
  test('a screen without a session leads to sign-in, and sign-in back to it', async () => {
    const account = await dashboard.createAccount();
    const { page } = await dashboard.open('/dashboard/links', { account: null });
    await page.waitForURL(`${dashboard.origin}${SIGN_IN}?next=%2Fdashboard%2Flinks`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(account.personEmail);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
  });

  test('statement 6: the cookie is out of reach of scripts, and storage holds no secret', async () => {
    const account = await dashboard.createAccount();
    const { page, context } = await dashboard.open(SIGN_IN, { account: null });
    await page.getByRole('textbox', { name: 'E-mail' }).fill(account.personEmail);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({
      name: 'smartlink_session',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    });
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(cookie?.value);
    expect(stored).not.toContain('slk_');
  });
}

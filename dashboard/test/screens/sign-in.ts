import { expect, test } from 'vitest';
import { listen } from '../../../services/management/test/call-raw.js';
import { startService } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import { type Dashboard, type OpenedPage, PASSWORD } from '../use-dashboard.js';

const PATH = '/dashboard/sign-in';

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Sign in', options: { account: null } },
];

async function submit(page: OpenedPage['page'], email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export function tests(dashboard: Dashboard): void {
  test('statements 1 and 6: a screen leads to sign-in and back; scripts and storage hold no secret', async () => {
    const account = await dashboard.createAccount();
    const { page, context } = await dashboard.open('/dashboard/links', { account: null });
    await page.waitForURL(`${dashboard.origin}${PATH}?next=%2Fdashboard%2Flinks`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    await submit(page, account.personEmail);
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

  test('statement 7: a write by cookie from another site, or of unknown origin, is refused', async () => {
    const { app } = dashboard.service;
    const account = await dashboard.createAccount();
    const { value } = await dashboard.sessionCookie(account);
    const post = async (headers: Record<string, string>) => {
      const res = await app.inject({
        method: 'POST',
        url: '/api/v1/smartlink',
        headers: { cookie: `smartlink_session=${value}`, 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({
          configuration: { smartlinkName: 'x', smartlinkType: 'Url' },
          shortener: { url: 'https://example.org/' },
        }),
      });
      return res.statusCode;
    };
    const host = { host: '127.0.0.1:3000' };
    expect(await post({ ...host, origin: 'https://evil.example' })).toBe(403);
    expect(await post(host)).toBe(403);
    expect((await account.api.get('/smartlink?limit=1')).body.data).toEqual([]);
    expect(await post({ ...host, origin: 'http://127.0.0.1:3000' })).toBe(201);
  });
}

export function full(dashboard: Dashboard): void {
  test('statement 2: a wrong password and an unknown e-mail look alike, and the sixth try is too many', async () => {
    const account = await dashboard.createAccount();
    const { page } = await dashboard.open(PATH, { account: null, refused: /\/auth\/session/ });
    const alert = page.getByRole('alert');
    await submit(page, 'unknown@example.com', 'not the password');
    await alert.getByText('Wrong e-mail or password.', { exact: true }).waitFor();
    for (let tries = 0; tries < 5; tries += 1) {
      const answered = page.waitForResponse(/\/auth\/session$/);
      await submit(page, account.personEmail, 'not the password');
      await answered;
      await alert.getByText('Wrong e-mail or password.', { exact: true }).waitFor();
    }
    await submit(page, account.personEmail);
    await alert.getByText(/^Too many tries/).waitFor();
  });

  test.each(['//evil.example', 'https://evil.example'])(
    'statement 8: next=%s leads to the links',
    async (next) => {
      const account = await dashboard.createAccount();
      const { page } = await dashboard.open(`${PATH}?next=${encodeURIComponent(next)}`, { account: null });
      await submit(page, account.personEmail);
      await page.waitForURL(`${dashboard.origin}/dashboard/links`);
    },
  );

  test('statement 4: before there is a person, it names the command and has no form', async () => {
    const empty = await startService();
    try {
      const origin = `http://127.0.0.1:${await listen(empty.app)}`;
      const { page } = await dashboard.open(PATH, { account: null, origin });
      await page.getByRole('heading', { level: 1, name: 'Finish setting up' }).waitFor();
      expect(await page.locator('code').textContent()).toMatch(/^npm run admin -- people create /);
      expect(await page.locator('form, input').count()).toBe(0);
    } finally {
      await empty.close();
    }
  });
}

import { expect, test } from 'vitest';
import { addOneTimeLink } from '@smartlink/smartlink/accounts';
import { createPerson } from '../../../services/management/test/start-service.js';
import { type Dashboard, PASSWORD } from '../use-dashboard.js';

type Link = Parameters<typeof addOneTimeLink>[2];

/** The path of a new one-time link. */
async function linkPath({ service }: Dashboard, link: Link): Promise<string> {
  return (await addOneTimeLink(service.app.pg, '', link)).url;
}

export function tests(dashboard: Dashboard): void {
  test('statement 3: a sign-in link works once, and leaves no token in the address', async () => {
    const { personEmail: email } = await dashboard.createAccount();
    const path = await linkPath(dashboard, { purpose: 'sign-in', email });
    const { page } = await dashboard.open(path, { account: null, refused: /\/auth\/link/ });
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
    await page.getByText(email).first().waitFor();
    await page.goto(`${dashboard.origin}${path}`);
    await page.getByRole('heading', { level: 1, name: 'This link has been used' }).waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/welcome`);
  });
}

export function full(dashboard: Dashboard): void {
  test('statement 5: a setup link asks for a password, refuses a short one at the field, and signs in', async () => {
    const { userId } = await dashboard.createAccount();
    const { email } = await createPerson(dashboard.service.app, { roles: { [userId]: 'Owner' } });
    const path = await linkPath(dashboard, { purpose: 'setup', email });
    const { page } = await dashboard.open(path, { account: null, refused: /\/auth\/link/ });
    await page.getByRole('heading', { level: 1, name: 'Welcome', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(email);
    const password = page.getByRole('textbox', { name: 'New password' });
    await password.fill('nine char');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Must have 10 to 128 characters').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    await password.fill('a longer password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
  });

  test('a reset link replaces the password', async () => {
    const { personEmail: email } = await dashboard.createAccount();
    const path = await linkPath(dashboard, { purpose: 'reset', email });
    const { page } = await dashboard.open(path, { account: null });
    await page.getByRole('textbox', { name: 'New password' }).fill('another password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL(`${dashboard.origin}/dashboard/links`);
  });

  test('an invitation makes a member: with the own password, or by a new one', async () => {
    const { userId } = await dashboard.createAccount();
    const { personEmail: known } = await dashboard.createAccount();
    for (const [email, password] of [
      [known, PASSWORD],
      ['new.person@example.com', 'a longer password'],
    ] as const) {
      const path = await linkPath(dashboard, { purpose: 'invite', email, userId, role: 'Viewer' });
      const { page } = await dashboard.open(path, { account: null });
      await page.getByRole('heading', { level: 1, name: 'You are invited' }).waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Accept invitation' }).click();
      await page.waitForURL(`${dashboard.origin}/dashboard/links`);
    }
    const { rows } = await dashboard.service.app.pg.query<{ email: string; role: string }>(
      `select email, role from memberships join people on people.id = person_id
       where user_id = $1 and role = 'Viewer' order by email`,
      [userId],
    );
    expect(rows.map(({ email }) => email).sort()).toEqual([known, 'new.person@example.com'].sort());
  });
}

import { expect, test } from 'vitest';
import { createPerson, urlSmartlink } from '../../../services/management/test/start-service.js';
import { takeSecret } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard } from '../use-dashboard.js';

const PATH = '/dashboard/settings/members';

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Members' },
  { path: PATH, heading: 'You may only look', options: { role: 'Editor' } },
];

export function full(dashboard: Dashboard): void {
  test('an Owner invites a person by a link that is shown once and works once', async () => {
    const { page, account } = await dashboard.open(PATH, { refused: /\/api\/v1\/members/ });
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const form = page.getByRole('dialog', { name: 'Invite a person' });
    await form.getByRole('button', { name: 'Create invitation' }).click();
    const email = form.getByRole('textbox', { name: 'E-mail' });
    await form.getByText('Must be an e-mail address').waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    await email.fill(account.personEmail);
    await form.getByRole('button', { name: 'Create invitation' }).click();
    await form.getByText('Is already taken').waitFor();
    const invited = `invited-${account.personEmail}`;
    await email.fill(invited);
    await form.getByRole('combobox', { name: 'Role' }).selectOption('Viewer');
    await form.getByRole('button', { name: 'Create invitation' }).click();

    await page.getByRole('dialog').getByText('It works once, until').waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const link = await takeSecret(page, 'Invitation link');
    expect(link).toMatch(/\/welcome#.{20,}$/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);

    const guest = await dashboard.open(`/welcome${new URL(link).hash}`, { account: null });
    await guest.page.getByRole('heading', { level: 1, name: 'You are invited' }).waitFor();
    await guest.page.getByText(`${account.personEmail} invites you to “`).getByText('role: Viewer').waitFor();
    await guest.page.getByLabel('Password', { exact: true }).fill('a fine long password');
    await guest.page.getByRole('button', { name: 'Accept invitation' }).click();
    await guest.page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.reload();
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: invited });
    expect(await row.getByRole('cell').nth(1).textContent()).toBe('Viewer');
  });

  test('roles are changed, members removed, and the last Owner stays', async () => {
    const { page, account } = await dashboard.open(PATH, { refused: /\/api\/v1\/members/ });
    const own = account.personEmail;
    await page.getByRole('button', { name: `Change role of ${own}` }).click();
    const form = page.getByRole('dialog', { name: `Change role of ${own}` });
    await form.getByRole('combobox', { name: 'Role' }).selectOption('Editor');
    await form.getByRole('button', { name: 'Save role' }).click();
    await form.getByText('An account needs at least one Owner').waitFor();
    expect(await form.getByRole('combobox').getAttribute('aria-invalid')).toBe('true');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: `Remove ${own}` }).click();
    const question = page.getByRole('alertdialog', { name: `Remove ${own}?` });
    await question.getByRole('button', { name: 'Remove member' }).click();
    await question.getByRole('alert').getByText('An account needs at least one Owner').waitFor();
    await question.getByRole('button', { name: 'Keep member' }).click();

    const other = await createPerson(dashboard.service.app, { roles: { [account.userId]: 'Viewer' } });
    await page.reload();
    const row = page.getByRole('row', { name: other.email });
    await page.getByRole('button', { name: `Change role of ${other.email}` }).click();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Owner');
    await page.getByRole('button', { name: 'Save role' }).click();
    await row.getByText('Owner').waitFor();
    await page.getByRole('button', { name: `Change role of ${own}` }).click();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Viewer');
    await page.getByRole('button', { name: 'Save role' }).click();
    // The screen is for Owners.
    await page.getByRole('heading', { level: 1, name: 'You may only look' }).waitFor();
    const { rows } = await dashboard.service.app.pg.query<{ role: string }>(
      'select role from memberships where person_id = $1',
      [account.personId],
    );
    expect(rows).toEqual([{ role: 'Viewer' }]);
  });

  test('a removed member is gone from the list and from the account', async () => {
    const { page, account } = await dashboard.open(PATH);
    const other = await createPerson(dashboard.service.app, { roles: { [account.userId]: 'Editor' } });
    await page.reload();
    await page.getByRole('button', { name: `Remove ${other.email}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('status').getByText('Member removed').waitFor();
    await page.getByRole('row', { name: other.email }).waitFor({ state: 'detached' });
    const { rows } = await dashboard.service.app.pg.query('select from memberships where person_id = $1', [
      other.personId,
    ]);
    expect(rows).toEqual([]);
  });
}

export function tests(dashboard: Dashboard): void {
  test('statement 39: a Viewer sees no "New link", and can create nothing', async () => {
    const { page } = await dashboard.open('/dashboard/links', {
      role: 'Viewer',
      refused: /\/api\/v1\/smartlink/,
    });
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('link', { name: 'New link' }).count()).toBe(0);
    await page.goto(`${dashboard.origin}/dashboard/links/new`);
    await page.getByRole('heading', { level: 1, name: 'You may only look' }).waitFor();
    const answer = await page.evaluate<readonly [number, string]>(`(async () => {
      const res = await fetch('/api/v1/smartlink', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ${JSON.stringify(JSON.stringify(urlSmartlink()))},
      });
      return [res.status, (await res.json()).error.code];
    })()`);
    expect(answer).toEqual([403, 'FORBIDDEN']);
  });
}

import { expect, test } from 'vitest';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/activity';

async function change({ api }: TestAccount): Promise<string> {
  const id = String((await api.post('/smartlink', urlSmartlink())).body.data.id);
  await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Another name' } });
  await api.post('/smartlink', urlSmartlink());
  return id;
}

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Activity', prepare: change },
  { path: PATH, heading: 'Activity' },
  { path: PATH, heading: 'You may only look', options: { role: 'Editor' } },
];

export function full(dashboard: Dashboard): void {
  test('changes are listed and filtered by the address', async () => {
    const account = await dashboard.createAccount();
    const id = await change(account);
    const { page } = await dashboard.open(PATH, { account });
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.filter({ hasText: 'Link changed' }).filter({ hasText: 'smartlinkName' }).waitFor();
    expect(await rows.filter({ hasText: 'Link created' }).count()).toBe(2);

    await page.getByRole('combobox', { name: 'Action' }).selectOption('Link created');
    await rows.filter({ hasText: 'Link changed' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?action=smartlink.create');
    await rows.last().getByRole('link', { name: 'Only this link' }).click();
    await page.getByRole('button', { name: 'Only changes of one link' }).waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('smartlinkId')).toBe(id);
    await page.reload();
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);

    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows.nth(3).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('the next page is read when asked for', async () => {
    const account = await dashboard.createAccount();
    await dashboard.service.app.pg.query(
      `insert into audit_entries (actor, action, user_id, details, at)
       select 'admin', 'account.update', $1, '{}', now() - n * interval '1 minute' from generate_series(1, 70) as n`,
      [account.userId],
    );
    const { page } = await dashboard.open(PATH, { account });
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.nth(50).waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(70).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });
}

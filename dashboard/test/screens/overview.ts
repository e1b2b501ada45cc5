import { expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, createSmartlink, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard } from '../use-dashboard.js';

const DAY_MS = 86_400_000;
const PATH = '/dashboard/overview';

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Overview' },
  { path: PATH, heading: 'Overview', options: { role: 'Viewer', plan: 'Starter' } },
];

export function full(dashboard: Dashboard): void {
  test('the account has its visits of now, its totals, and the links that were visited and that moved most', async () => {
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api, {
      ...urlSmartlink({ smartlinkName: 'Spring' }),
      tags: ['Poster'],
    });
    const ts = new Date().toISOString().replace('T', ' ').slice(0, -1);
    await addEvents(dashboard.service.app, [
      makeEventRow(account.userId, id, { ts }),
      makeEventRow(account.userId, id, { ts }),
      makeEventRow(account.userId, id, { ts, source: 'scan' }),
    ]);
    const { id: former } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Autumn' }));
    const longAgo = new Date(Date.now() - 40 * DAY_MS).toISOString().replace('T', ' ').slice(0, -1);
    const visit = () => makeEventRow(account.userId, former, { ts: longAgo });
    await addEvents(dashboard.service.app, Array.from({ length: 5 }, visit));
    const { page } = await dashboard.open(PATH, { account });
    const group = (name: string) => page.getByRole('group', { name, exact: true });
    await group('Now').getByText('3', { exact: true }).waitFor();
    await group('Clicks').getByText('2', { exact: true }).waitFor();
    await group('Scans').getByText('1', { exact: true }).waitFor();
    const rowsOf = async (name: string) => {
      const rows = await page.getByRole('table', { name, exact: true }).getByRole('row').all();
      return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()));
    };
    await expect.poll(() => rowsOf('Most visited links')).toEqual([['Spring', '2', '1']]);
    await expect
      .poll(() => rowsOf('Links that moved most'))
      .toEqual([
        ['Autumn', '0', '5', '-5'],
        ['Spring', '3', '0', '+3'],
      ]);
    await expect.poll(() => rowsOf('Last 30 minutes')).toEqual([['Spring', '3']]);
    await expect.poll(() => rowsOf('Visits by tag')).toEqual([['Poster', '2', '1']]);
    expect(await page.getByRole('table', { name: 'Visits by folder' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Poster', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('Poster');
    await page.goBack();
    const row = page.getByRole('table', { name: 'Most visited links' }).getByRole('row').nth(1);
    await row.getByRole('link', { name: 'Spring' }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
  });

  test('statement 40: without ClickHouse the figures say that they are not available', async () => {
    const { clickhouse } = dashboard.service.app;
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Spring' }));
    await clickhouse.command({ query: 'rename table events to events_away' });
    try {
      const { page } = await dashboard.open(`/dashboard/links/${id}`, { account, refused: /\/analytics/ });
      await page.getByRole('alert', { name: 'Figures are not available right now' }).waitFor();
      await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
      await clickhouse.command({ query: 'rename table events_away to events' });
      await page.getByRole('group', { name: 'Clicks', exact: true }).getByText('0').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await clickhouse.command({ query: 'rename table if exists events_away to events' });
    }
  });
}

import { expect, test } from 'vitest';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/import';
const REFUSED = 55;

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Import' },
  { path: PATH, heading: 'You may only look', options: { role: 'Viewer' } },
];

const csv = (name: string, rows: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(['url', ...rows, ''].join('\n')),
});

const links = async ({ api }: TestAccount): Promise<number> =>
  ((await api.get('/smartlink?limit=100')).body.data as object[]).length;

export function full(dashboard: Dashboard): void {
  test('statement 38: a file is checked, then imported, and survives reloads', async () => {
    const { page, account } = await dashboard.open(PATH);
    const good = ['https://example.org/1', 'https://example.org/2'];
    await page.getByLabel('File').setInputFiles(csv('links.csv', [...good, 'nowhere']));
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('Ready: 2', { exact: true }).waitFor();
    await page.getByText('Refused: 1', { exact: true }).waitFor();
    const refused = page.getByRole('table', { name: 'Refused rows' });
    await refused.getByRole('cell', { name: '3', exact: true }).waitFor();
    expect(await links(account)).toBe(0);
    expect(new URL(page.url()).searchParams.get('id')).toMatch(/^[0-9a-f-]{36}$/);

    await page.reload();
    await page.getByText('Ready: 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import 2 links' }).click();
    await page.getByRole('heading', { name: 'Import done' }).waitFor();
    await page.getByText('Created: 2', { exact: true }).waitFor();
    expect(await links(account)).toBe(2);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download report' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('import-report.csv');
  });

  test('statement 38: a running import shows its progress, after a reload too', async () => {
    const account = await dashboard.createAccount();
    const { pg } = dashboard.service.app;
    // Due only later, so that it stays where it is.
    const { rows } = await pg.query<{ id: string }>(
      `insert into imports (id, user_id, format, state, rows_total, ready_count, rows_done, created_count, run_due_at, run_started_at)
       values (gen_random_uuid(), $1, 'csv', 'running', 400, 400, 100, 100, 'infinity', now()) returning id`,
      [account.userId],
    );
    const id = rows[0]?.id ?? '';
    const { page } = await dashboard.open(`${PATH}?id=${id}`, { account });
    const progress = page.getByRole('progressbar', { name: 'Import' });
    await progress.waitFor();
    await page.getByText('100 of 400', { exact: true }).waitFor();
    await pg.query('update imports set rows_done = 200, created_count = 200 where id = $1', [id]);
    await page.getByText('200 of 400', { exact: true }).waitFor();
    await page.reload();
    await progress.waitFor();
    expect([await progress.getAttribute('value'), await progress.getAttribute('max')]).toEqual([
      '200',
      '400',
    ]);
  });

  test('a file that holds no links is refused at the field', async () => {
    const { page } = await dashboard.open(PATH, { refused: /\/api\/v1\/imports/ });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('Choose a file', { exact: true }).waitFor();
    const file = page.getByLabel('File');
    const buffer = Buffer.from('<!doctype html><title>No links</title>');
    await file.setInputFiles({ name: 'page.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('This is not a file of links.').waitFor();
    expect(await file.getAttribute('aria-invalid')).toBe('true');
  });

  test('fifty refused rows are shown, on a phone too, and links are exported', async () => {
    const { page } = await dashboard.open(PATH, { width: 320, colorScheme: 'dark' });
    const rows = Array.from({ length: REFUSED }, (_, i) => `nowhere${i}`);
    await page.getByLabel('File').setInputFiles(csv('links.csv', rows));
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText(`Refused: ${REFUSED}`, { exact: true }).waitFor();
    await page.getByText('The first 50 are shown; the report has them all.').waitFor();
    expect(await page.getByRole('table', { name: 'Refused rows' }).getByRole('row').count()).toBe(51);
    await page.getByText('No row of this file can be imported.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
  });
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { colorTokens } from '@smartlink/pages/theme';
import { type EventRow, makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, createSmartlink, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

let shown = '';
const prepare = async ({ api }: TestAccount) => {
  ({ id: shown } = await createSmartlink(api, urlSmartlink({ smartlinkName: 'Spring' })));
};
const path = () => `/dashboard/links/${shown}`;

export const states: readonly ScreenState[] = [
  { path, heading: 'Spring', prepare },
  { path: () => `${path()}?tab=leads`, heading: 'Spring', prepare },
  { path: () => `${path()}?tab=changes`, heading: 'Spring', prepare },
  { path, heading: 'Spring', prepare, options: { role: 'Viewer', plan: 'Starter' } },
];

const PERIODS = ['Last 24 hours', 'Last 7 days', 'Last 30 days', 'Last 12 months', 'All time'];
const TABLES = [
  'Countries',
  'Referrers',
  'Devices',
  'Browsers',
  'Operating systems',
  'Languages',
  'Campaigns',
];
const HOUR_MS = 3_600_000;

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const hasTotals = (page: Page, clicks: number, scans: number) =>
  Promise.all(
    [
      ['Clicks', clicks],
      ['Scans', scans],
    ].map(([name, count]) => group(page, String(name)).getByText(String(count), { exact: true }).waitFor()),
  );

/** Adds visits of the present hour, or of one before it. */
async function visit(
  { service }: Dashboard,
  { userId }: TestAccount,
  id: string,
  rows: readonly EventRow[],
  hoursAgo = 0,
): Promise<void> {
  const ts = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString().replace('T', ' ').slice(0, -1);
  await addEvents(
    service.app,
    rows.map((row) => makeEventRow(userId, id, { ts, ...row })),
  );
}

export function full(dashboard: Dashboard): void {
  test('the folder and the tags of a link lead to the links that share them', async () => {
    const account = await dashboard.createAccount();
    const { data: folder } = (await account.api.post('/folders', { name: 'Opening' })).body;
    const members = { tags: ['spring'], folderId: folder.id };
    const { id } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Flyer' }, {}, members));
    await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Other' }));
    const { page } = await dashboard.open(`/dashboard/links/${id}`, { account });
    for (const name of ['Opening', 'spring']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('status').getByText('Found: 1', { exact: true }).waitFor();
      await table(page, 'Links').getByRole('link', { name: 'Flyer', exact: true }).click();
    }
    await page.getByRole('heading', { level: 1, name: 'Flyer', exact: true }).waitFor();
  });

  test('visits by rule and variant stand in a table of their own', async () => {
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Spring' }));
    const phones = { rule: 'phones' };
    await visit(dashboard, account, id, [
      phones,
      phones,
      { rule: 'news', variant: 'b' },
      { variant: 'a' },
      {},
    ]);
    const { page } = await dashboard.open(`/dashboard/links/${id}`, { account });
    const rows = table(page, 'Rules and variants').getByRole('row');
    await rows.first().waitFor();
    const texts = await rows.allTextContents();
    for (const [name, count] of [
      ['Rule phones', 2],
      ['Rule news, Variant b', 1],
      ['Variant a', 1],
      ['No rule', 1],
    ] as const) {
      expect(texts.filter((text) => text.includes(name) && text.includes(String(count)))).toHaveLength(1);
    }
  });

  test('presses of a page stand in a table of their own, with the titles of its buttons', async () => {
    const account = await dashboard.createAccount();
    const landingButtons = [
      { title: 'Book a table', link: 'https://example.org/' },
      { title: 'Menu', link: 'https://example.org/menu' },
    ];
    const configuration = { smartlinkName: 'House', smartlinkType: 'Landing' };
    const { id } = await createSmartlink(account.api, { configuration, landing: {}, landingButtons });
    const { page } = await dashboard.open(`/dashboard/links/${id}?period=24h`, { account });
    await table(page, 'Buttons').getByText('Nothing yet').waitFor();
    const press = { outcome: 'excluded', exclusion: 'press', country: 'AZ' } as const;
    const [menu, former] = [
      { ...press, button: 'button:1' },
      { ...press, country: 'DE', button: 'button:6' },
    ];
    await visit(dashboard, account, id, [{ country: 'AZ' }, menu, menu, former]);
    // Not in these 24 hours.
    await visit(dashboard, account, id, [menu], 30);
    await hasTotals(page, 1, 0);
    const rows = async () => (await table(page, 'Buttons').getByRole('row').allTextContents()).slice(1);
    await table(page, 'Buttons').getByText('Menu').waitFor();
    expect(await rows()).toEqual(['Menu2', 'Former button 71']);
    expect(await table(page, 'Not counted').getByText('Nothing yet').count()).toBe(1);
    const csv = String(await download(page, 'Download CSV'));
    expect(csv.split('\r\n')[0]?.split(',').at(-1)).toBe('buttons');
    expect(csv.match(/button:1=\d+/g)).toEqual(['button:1=2']);
    await button(page, 'Azerbaijan').click();
    await table(page, 'Buttons').getByText('Former button 7').waitFor({ state: 'detached' });
    expect(await rows()).toEqual(['Menu2']);
  });

  test('statements 32, 34, 35: visits appear without reload, and filters change every total', async () => {
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Spring' }));
    const { page } = await dashboard.open(`/dashboard/links/${id}`, { account });
    await hasTotals(page, 0, 0);
    const click: EventRow = { country: 'AZ', language: 'az', utm_campaign: 'spring', device: 'mobile' };
    await visit(dashboard, account, id, [
      ...[click, click, { country: 'DE' }],
      ...[
        { source: 'scan' as const, country: 'AZ' },
        { source: 'scan' as const, country: 'TR' },
      ],
      { outcome: 'excluded', exclusion: 'bot', country: 'US' },
    ]);
    await hasTotals(page, 3, 2);
    await table(page, 'Not counted').getByText('Bots and link previews').waitFor();
    for (const name of TABLES) await table(page, name).waitFor();
    for (const name of ['Rules and variants', 'Buttons']) expect(await table(page, name).count()).toBe(0);
    expect(await page.getByText('United States').count()).toBe(0);
    const map = page.getByRole('img', { name: 'Map of visits by country', exact: true });
    await map.waitFor();
    const tinted = ['Azerbaijan: 3', 'Germany: 1', 'Türkiye: 1'];
    expect((await map.locator('title').allTextContents()).sort()).toEqual(tinted);

    await page.getByRole('img', { name: 'Visits over time', exact: true }).waitFor();
    await button(page, 'Show as table').click();
    const cells = await table(page, 'Visits over time').getByRole('cell').allTextContents();
    expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(5);

    await button(page, 'Azerbaijan').click();
    await hasTotals(page, 2, 1);
    expect(new URL(page.url()).searchParams.get('country')).toBe('AZ');
    await button(page, 'spring').waitFor();
    expect(await button(page, 'Germany').count()).toBe(0);
    const lines = String(await download(page, 'Download CSV'))
      .trim()
      .split('\r\n');
    const sumOf = (column: number) =>
      lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[column]), 0);
    expect([lines[0]?.slice(0, 19), sumOf(1), sumOf(2)]).toEqual(['date,clicks,qrScans', 2, 1]);
    const picture = await download(page, 'Download PNG');
    // Of the last days, only today has a bar.
    const { edge, surface } = colorTokens(undefined, 'light');
    expect(await readPicture(page, picture)).toEqual({
      ...{ width: 1_920, height: 800 },
      colors: [surface, edge],
    });
    await button(page, 'Remove filter: Country Azerbaijan').click();
    await hasTotals(page, 3, 2);
  });

  test('statement 33: the period, its days and its comparison are in the address bar', async () => {
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api);
    const click: EventRow = {};
    await visit(dashboard, account, id, [click, click]);
    await visit(dashboard, account, id, [click], 30);
    const { page } = await dashboard.open(`/dashboard/links/${id}`, { account });
    await hasTotals(page, 3, 0);
    const period = group(page, 'Period');
    for (const name of PERIODS) await period.getByRole('button', { name, exact: true }).waitFor();
    await period.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Baku');
    await period.getByRole('combobox', { name: 'Compare with' }).selectOption('Previous period');
    await button(page, 'Last 24 hours').click();
    await hasTotals(page, 2, 0);
    await group(page, 'Clicks').getByText('+100% · 1 before').waitFor();
    const address = () => Object.fromEntries(new URL(page.url()).searchParams);
    const kept = { tz: 'Asia/Baku', compare: 'previous' };
    expect(address()).toEqual({ ...kept, period: '24h' });
    await page.reload();
    await group(page, 'Clicks').getByText('+100% · 1 before').waitFor();
    expect(await button(page, 'Last 24 hours').getAttribute('aria-pressed')).toBe('true');
    expect(await period.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Baku');

    const other = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Summer' }));
    await visit(dashboard, account, other.id, [click, { source: 'scan' }]);
    await period.getByRole('combobox', { name: 'Compare with' }).selectOption('Another link');
    const field = period.getByRole('combobox', { name: 'Other link' });
    await field.fill('Summ');
    const option = await page.locator('datalist option').getAttribute('value');
    expect(option).toBe(`Summer (${other.slug})`);
    await field.fill(option ?? '');
    await group(page, 'Clicks').getByText('+100% · Summer: 1').waitFor();
    expect(address()).toEqual({ tz: 'Asia/Baku', period: '24h', compare: 'link', with: other.id });
    await button(page, 'Show as table').click();
    const cells = await table(page, 'Visits over time')
      .getByRole('row')
      .nth(1)
      .getByRole('cell')
      .allTextContents();
    expect(cells).toEqual(['2', '0', '2']);
    await period.getByRole('combobox', { name: 'Compare with' }).selectOption('Previous period');

    await page.getByLabel('From', { exact: true }).fill('2026-01-05');
    await page.getByLabel('To', { exact: true }).fill('2026-01-06');
    await hasTotals(page, 0, 0);
    expect(address()).toEqual({ ...kept, from: '2026-01-05', to: '2026-01-06' });
  });

  test('the link is paused, its way and its changes are shown', async () => {
    const account = await dashboard.createAccount();
    const { id } = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Spring' }));
    const { page } = await dashboard.open(`/dashboard/links/${id}`, { account });
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await button(page, 'Copy address').click();
    await page.getByRole('status').getByText('Copied').waitFor();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Where it leads' }).click();
    await table(page, 'Where it leads').getByText('A page that says it is paused').first().waitFor();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Activate' }).click();
    await table(page, 'Where it leads').getByText('https://example.org/').first().waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await table(page, 'Changes').getByText('Created').waitFor();
    await table(page, 'Changes').getByText(account.personEmail).first().waitFor();
  });
}

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The size of a PNG, and the colours at the feet of its two last bars. */
const readPicture = (page: Page, png: Buffer): Promise<unknown> =>
  page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (byte) => byte.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = image;
    const drawing = new OffscreenCanvas(width, height).getContext('2d');
    drawing.drawImage(image, 0, 0);
    const hex = (x) =>
      '#' + [...drawing.getImageData(x, 690, 1, 1).data].slice(0, 3)
        .map((value) => value.toString(16).padStart(2, '0')).join('');
    return { width, height, colors: [hex(1780), hex(1836)] };
  })()`);

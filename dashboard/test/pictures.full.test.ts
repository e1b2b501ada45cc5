import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { refreshTotals } from '../../services/management/src/analytics/refresh-totals.js';
import { addEvents, createSmartlink, PUBLIC_BASE_URL } from '../../services/management/test/start-service.js';
import { type OpenOptions, type TestAccount, useDashboard } from './use-dashboard.js';

// Pictures of the demo's account. `npm run docs:dashboard` keeps them in docs/dashboard.
const kept = process.env['SCREENSHOTS'];
const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'smartlink-pictures-'));
const DEMO = new URL('../../deploy/embedded/demo-links.json', import.meta.url);
const DAYS = 28;
const DAY_MS = 86_400_000;

type Demo = { readonly configuration: { readonly smartlinkType: string } };
type Picture = {
  readonly name: string;
  readonly path: string;
  readonly heading: string;
  readonly look?: OpenOptions;
};

const dashboard = useDashboard();
let account: TestAccount;
const idOf = new Map<string, string>();

beforeAll(async () => {
  if (dashboard.chromium === null) return;
  mkdirSync(folder, { recursive: true });
  account = await dashboard.createAccount();
  const { pg } = dashboard.service.app;
  await pg.query(`update users set name = 'Qoşa Qala' where id = $1`, [account.userId]);
  await pg.query(`update people set email = 'leyla@example.org' where id = $1`, [account.personId]);
  const links = JSON.parse(
    readFileSync(DEMO, 'utf8').replaceAll('{publicBaseUrl}', PUBLIC_BASE_URL),
  ) as Demo[];
  for (const link of links) {
    const { id } = await createSmartlink(account.api, link);
    idOf.set(link.configuration.smartlinkType, id);
  }
  await addEvents(
    dashboard.service.app,
    [...idOf.values()].flatMap((id, place) => visits(account.userId, id, place)),
  );
  const { clickhouse } = dashboard.service.app;
  await refreshTotals({ clickhouse, pg, mayGoOn: () => Promise.resolve(true) });
});
afterAll(() => {
  if (kept === undefined) rmSync(folder, { recursive: true });
});

/** Visits of the last days, more on weekdays and of the first links. */
function visits(userId: string, id: string, place: number) {
  const now = Date.now();
  return Array.from({ length: DAYS }, (_, day) => {
    const count = Math.round((14 + 8 * Math.sin(day * 0.9) + day * 0.7) / (place + 1));
    return Array.from({ length: count }, (__, n) =>
      makeEventRow(userId, id, {
        ts: new Date(now - day * DAY_MS - n * 1_800_000).toISOString().replace('T', ' ').slice(0, -1),
        source: n % 4 === 0 ? 'scan' : 'click',
        country: ['AZ', 'TR', 'DE', 'GB', 'GE', 'US'][n % 6]!,
        device: n % 3 === 0 ? 'desktop' : 'mobile',
        os: n % 3 === 0 ? 'Windows' : ['iOS', 'Android'][n % 2]!,
        browser: n % 3 === 0 ? 'Chrome' : 'Safari',
        language: ['az', 'tr', 'de', 'en'][n % 4]!,
        referrer_host: ['', 'instagram.com', 'google.com'][n % 3]!,
        visitor_id: String(day * 1_000 + n + 1),
      }),
    );
  }).flat();
}

const PHONE: OpenOptions = { width: 390 };
const pictures: readonly Picture[] = [
  { name: 'overview', path: '/dashboard/overview', heading: 'Overview' },
  { name: 'links', path: '/dashboard/links', heading: 'Links' },
  {
    name: 'links-phone-dark',
    path: '/dashboard/links',
    heading: 'Links',
    look: { ...PHONE, colorScheme: 'dark' },
  },
  { name: 'editor', path: '/dashboard/links/{QrMenu}/edit', heading: 'Edit Café menu' },
  { name: 'figures', path: '/dashboard/links/{App}', heading: 'Metro map app' },
];

describe.skipIf(dashboard.chromium === null)('pictures of the dashboard', () => {
  test.each(pictures)('$name', async ({ name, path: template, heading, look = {} }) => {
    const target = template.replace(/\{(\w+)\}/, (_, type: string) => idOf.get(type) ?? '');
    const { page } = await dashboard.open(target, { width: 1280, ...look, account });
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    expect(statSync(file).size).toBeGreaterThan(10_000);
  });
});

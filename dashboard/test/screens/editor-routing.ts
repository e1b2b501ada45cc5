import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { urlSmartlink } from '../../../services/management/test/start-service.js';
import { dragUp, editorOf, field, focused } from '../on-editor.js';
import { press, said } from '../on-page.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const ROUTING = {
  rules: [
    {
      id: 'phones',
      name: 'German phones',
      url: 'https://example.org/de',
      when: {
        countries: ['DE', 'AT'],
        languages: ['de'],
        devices: ['mobile'],
        systems: ['iOS', 'Android'],
        browsers: ['Safari'],
        sources: ['click'],
        referrers: ['example.com', 'direct'],
        query: [{ name: 'ref' }, { name: 'lang', value: 'de' }],
        from: '2026-01-01T00:00:00.000Z',
        until: '2099-10-25T00:30:00.001Z',
        weekly: {
          timeZone: 'Asia/Baku',
          days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
          from: '18:00',
          to: '02:00',
        },
      },
    },
    {
      id: 'scans',
      variants: [
        { id: 'a', weight: 3, url: 'https://example.org/a' },
        { id: 'b', weight: 1, url: 'https://example.org/b' },
      ],
      when: { sources: ['scan'] },
    },
  ],
  variants: [
    { id: 'control', weight: 80 },
    { id: 'new', weight: 20, url: 'https://example.org/new' },
  ],
  sticky: 'none',
};

async function createLink({ api }: TestAccount, smartlinkUrl: string, members: object): Promise<string> {
  const body = urlSmartlink({ smartlinkUrl }, {}, members);
  // The service listens for redirect processes of earlier versions first.
  await expect.poll(async () => (await api.post('/smartlink', body)).status, { timeout: 20_000 }).toBe(201);
  return (await api.get(`/smartlink?slug=${smartlinkUrl}`)).body.data[0].id;
}

const IS_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

const stored = async ({ api }: TestAccount, id: string) => (await api.get(`/smartlink?id=${id}`)).body.data;
const select = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export function tests(dashboard: Dashboard): void {
  test('rules of every condition are kept, ordered by keyboard, and tried', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, 'Routed26', { routing: ROUTING });
    const { page } = await dashboard.open(editorOf(id), { account, width: 320 });
    await field(page, 'Name').fill('Renamed');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const kept = await stored(account, id);
    expect([kept.configuration.smartlinkName, kept.routing]).toEqual(['Renamed', ROUTING]);
    expect(await page.evaluate(IS_WIDE)).toBe(false);
    await page.getByText('Share: 75').waitFor();

    await select(page, 'Way of visiting').selectOption('QR code');
    await select(page, 'Country').selectOption('Germany');
    await page.getByLabel('Time', { exact: true }).fill('2026-11-27T18:00');
    await press(page, 'Show which rule fits');
    await page.getByText('Rule 2 fits.', { exact: true }).waitFor();
    const explained = page.getByRole('listitem').filter({ hasText: 'Rule 1 (German phones)' });
    expect(await explained.textContent()).toBe(
      'Rule 1 (German phones) does not fit: Languages, Ways of visiting, Parameters',
    );
    await page.getByText(/^75\s?%: https:\/\/example\.org\/a$/).waitFor();

    await button(page, 'Move rule 2 up').press('Enter');
    await said(page, 'Rule 2 is now number 1 of 2');
    expect(await focused(page, 'aria-label')).toBe('Move rule 1 down');
    await page.getByText('Your changes are not saved, so they are not tried.').waitFor();
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { routing } = await stored(account, id);
    expect(routing).toEqual({ ...ROUTING, rules: ROUTING.rules.toReversed() });
  });
}

export function full(dashboard: Dashboard): void {
  test('a rule, variants and limits are added by keyboard, after their faults are shown at their fields', async () => {
    const account = await dashboard.createAccount();
    const id = await createLink(account, 'Limited26', { availability: { maxVisits: 5 } });
    const { page } = await dashboard.open(editorOf(id), { account });
    await page.locator('summary').filter({ hasText: 'Routing' }).press('Enter');
    await button(page, 'Add rule').press('Enter');
    await expect.poll(() => focused(page, 'id')).toBe('routing.rules.0.name');
    await page.keyboard.type('Evening');
    await press(page, 'Save changes');
    await page.getByRole('alert', { name: '2 problems', exact: true }).waitFor();
    await page.getByText('Add at least one condition').first().waitFor();
    expect(await field(page, 'Rule 1 destination').getAttribute('aria-invalid')).toBe('true');

    await button(page, 'Add condition to rule 1').press('Enter');
    await expect.poll(() => focused(page, 'id')).toBe('routing.rules.0.when.countries');
    await page.keyboard.type('germany');
    await page.keyboard.press('Enter');
    await page.keyboard.type('at, Atlantis');
    await page.keyboard.press('Enter');
    await page.getByText('There is no such country').first().waitFor();
    await button(page, 'Remove Atlantis').press('Enter');
    await page.getByText('There is no such country').first().waitFor({ state: 'detached' });
    await field(page, 'Rule 1 destination').fill('https://example.org/evening');
    await button(page, 'Add variant').press('Enter');
    await expect.poll(() => focused(page, 'id')).toBe('routing.variants.0.url');
    await field(page, 'Variant 2 destination').fill('https://example.org/new');
    await field(page, 'Variant 2 weight').fill('4');
    await page.getByText('Share: 80').waitFor();

    await page.getByLabel('Starts', { exact: true }).fill('2099-01-01T12:00');
    await page.getByLabel('Ends', { exact: true }).fill('2098-12-31T12:00');
    await field(page, 'Visit limit').fill('100');
    await press(page, 'Save changes');
    await page.getByText('Must be after the start').first().waitFor();
    await page.getByLabel('Ends', { exact: true }).fill('2099-12-31T12:00');
    await field(page, 'Address for afterwards').fill('https://example.org/over');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    await page.getByText('Not available yet. 0 of 100 visits used.').waitFor();
    const { availability, routing } = await stored(account, id);
    const zone = await page.evaluate<number>("new Date('2099-01-01T12:00').getTime()");
    expect(availability).toMatchObject({
      startsAt: new Date(zone).toISOString(),
      maxVisits: 100,
      expiredUrl: 'https://example.org/over',
    });
    expect(routing).toMatchObject({
      rules: [{ name: 'Evening', url: 'https://example.org/evening', when: { countries: ['DE', 'AT'] } }],
      variants: [{ weight: 1 }, { weight: 4, url: 'https://example.org/new' }],
    });
    await field(page, 'Visit limit').fill('');
    await press(page, 'Save changes');
    await page.getByText('0 of 100 visits used.').waitFor({ state: 'detached' });
    expect((await stored(account, id)).availability.maxVisits).toBe(undefined);
    await page.goto(`${dashboard.origin}/dashboard/links`);
    await page.getByRole('table', { name: 'Links' }).getByText('Not available yet').waitFor();
    await page.goto(`${dashboard.origin}/dashboard/links/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Not available yet', { exact: true }).waitFor();
    expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
  });

  test('rules are sorted by drag', async () => {
    const account = await dashboard.createAccount();
    const rules = ['One', 'Two', 'Three'].map((name) => ({
      name,
      url: 'https://example.org/',
      when: { sources: ['scan'] },
    }));
    const id = await createLink(account, 'Dragged26', { routing: { rules } });
    const { page } = await dashboard.open(editorOf(id), { account });
    await dragUp(page, 'Rules', 2);
    await expect.poll(() => field(page, 'Rule 1 name').inputValue()).toBe('Three');
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    const { routing } = await stored(account, id);
    expect(routing.rules.map(({ name }: { name: string }) => name)).toEqual(['Three', 'One', 'Two']);
  });

  test('rules and limits fit into all windows, in four languages, light and dark', async () => {
    const account = await dashboard.createAccount();
    const availability = { startsAt: '2099-01-01T12:00:00Z', maxVisits: 100 };
    const id = await createLink(account, 'Narrow26', { routing: ROUTING, availability });
    for (const [width, colorScheme, locale] of [
      [1440, 'light', 'en-GB'],
      [320, 'dark', 'ru'],
      [320, 'light', 'az'],
      [768, 'dark', 'tr'],
    ] as const) {
      const { page } = await dashboard.open(editorOf(id), { account, width, colorScheme, locale });
      await page.locator('[id="routing.rules.1.name"]').waitFor();
      expect([locale, await page.evaluate(IS_WIDE)]).toEqual([locale, false]);
    }
  });
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import type { Domain } from '../../../services/management/test/domain-calls.js';
import {
  addEvents,
  createSmartlink,
  PUBLIC_BASE_URL,
  urlSmartlink,
} from '../../../services/management/test/start-service.js';
import { editorOf, field, NEW } from '../on-editor.js';
import { press, said } from '../on-page.js';
import type { ScreenState } from '../screen-tests.js';
import type { Dashboard, TestAccount } from '../use-dashboard.js';

const PATH = '/dashboard/settings/domains';
const OWN = new URL(PUBLIC_BASE_URL).hostname;
const LONG_HOST = `${'long-'.repeat(11)}name.${'example-'.repeat(6)}test.org`;

let hosts = 0;
const newHost = () => `d${(hosts += 1)}.example.org`;

async function add({ api }: TestAccount, host = newHost()): Promise<Domain> {
  const { status, body } = await api.post('/domains', { host });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data as Domain;
}

const prove = ({ dns }: Dashboard, { verification: { txtName, txtValue } }: Domain) =>
  dns.zones.set(txtName, { TXT: [[txtValue]] });

async function addProven(dashboard: Dashboard, account: TestAccount, members: object = {}): Promise<Domain> {
  const domain = await add(account);
  prove(dashboard, domain);
  expect((await account.api.post('/domains/verify', { id: domain.id })).body.data.status).toBe('Active');
  return (await account.api.patch('/domains', { id: domain.id, ...members })).body.data as Domain;
}

const idOf = new WeakMap<TestAccount, string>();
const prepare = async (account: TestAccount) => {
  idOf.set(account, (await add(account, 'Go.Example.NET')).id);
  await add(account, LONG_HOST);
};
const path = (account: TestAccount) => `${PATH}/${idOf.get(account)}`;

export const states: readonly ScreenState[] = [
  { path: PATH, heading: 'Domains', prepare },
  { path: PATH, heading: 'Domains', options: { plan: 'Starter' } },
  { path, heading: 'go.example.net', prepare },
  { path, heading: 'go.example.net', prepare, options: { role: 'Viewer' } },
];

export function full(dashboard: Dashboard): void {
  const status = (page: Page, text: string) =>
    page.getByRole('main').getByText(text, { exact: true }).waitFor();
  const listOf = async ({ api }: TestAccount) => (await api.get('/domains')).body.data as Domain[];

  test('a domain is added, its records are copied, and a look proves it', async () => {
    const { page, account } = await dashboard.open(PATH, { refused: /\/api\/v1\/domains/ });
    await press(page, 'Add domain');
    const name = page.getByRole('textbox', { name: 'Host name', exact: true });
    await name.fill('localhost');
    await press(page, 'Add');
    await page.getByText('Must be a host name such as go.example.com').waitFor();
    const host = newHost();
    await name.fill(host.toUpperCase());
    await name.press('Enter');
    await page.getByRole('heading', { level: 1, name: host, exact: true }).waitFor();
    const [added] = await listOf(account);
    if (added === undefined) throw new Error('The domain is not stored');
    const { txtName, txtValue } = added.verification;
    for (const [record, value] of [
      ['TXT name', txtName],
      ['TXT value', txtValue],
      ['CNAME name', host],
      ['CNAME target', OWN],
    ] as const) {
      expect(await field(page, record).inputValue()).toBe(value);
      await page.getByRole('button', { name: `Copy ${record}`, exact: true }).press('Enter');
      await said(page, 'Copied');
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(value);
    }

    await status(page, 'Pending');
    expect(await page.getByRole('button', { name: 'Make default' }).count()).toBe(0);
    await press(page, 'Check now');
    await said(page, 'The domain is not proven yet');
    await status(page, `There is no TXT record at ${txtName}.`);
    dashboard.dns.zones.set(txtName, { TXT: [['another']] });
    await press(page, 'Check now');
    await status(page, `The TXT records at ${txtName} do not have the value below.`);
    dashboard.dns.zones.set(txtName, 'SERVFAIL');
    await press(page, 'Check now');
    await status(page, `The DNS did not answer the question for ${txtName}. Nothing was changed.`);
    prove(dashboard, added);
    await press(page, 'Check now');
    await said(page, 'The domain is proven');
    await status(page, 'Active');
    await press(page, 'Make default');
    await said(page, 'New links get this domain');
    await status(page, 'New links get this domain if nothing else is chosen.');
    dashboard.dns.zones.delete(txtName);
    await press(page, 'Check now');
    await status(page, 'Failing');
    expect(await listOf(account)).toMatchObject([{ host, status: 'Failing', isDefault: true }]);

    for (let tries = 5; tries < 10; tries += 1) {
      const answer = page.waitForResponse((response) => response.url().endsWith('/domains/verify'));
      await press(page, 'Check now');
      expect((await answer).status()).toBe(200);
      await page.getByRole('button', { name: 'Check now', disabled: false }).waitFor();
    }
    await press(page, 'Check now');
    await page.getByRole('alert').getByText('Wait a minute, then try again.').waitFor();
  });

  test('destinations and app files are changed, with their faults at the fields', async () => {
    const account = await dashboard.createAccount();
    const { id } = await addProven(dashboard, account);
    const { page } = await dashboard.open(`${PATH}/${id}`, { account, refused: /\/api\/v1\/domains/ });
    await field(page, 'Root address').fill('example.org');
    await press(page, 'Save destinations');
    await page.getByText('Invalid URL format').waitFor();
    expect(await field(page, 'Root address').getAttribute('aria-invalid')).toBe('true');
    for (const [label, url] of [
      ['Root address', 'https://example.org/'],
      ['Not found address', 'https://example.org/404'],
      ['Expired address', 'https://example.org/over'],
    ] as const) {
      await field(page, label).fill(url);
    }
    await press(page, 'Save destinations');
    await said(page, 'Saved. Visitors get it within 10 seconds.');

    const [apple, android] = [field(page, 'Apple app site association'), field(page, 'Android asset links')];
    await apple.fill('{"applinks": ');
    await android.fill('[{"relation": []}]');
    await press(page, 'Save app files');
    await page.getByText('Must be valid JSON').waitFor();
    await page.getByText('Must be a list of statements, each with “relation” and “target”').waitFor();
    const files = {
      appleAppSiteAssociation: { applinks: { details: [{ appIDs: ['ABCDE12345.org.example.app'] }] } },
      assetLinks: [
        { relation: ['delegate_permission/common.handle_all_urls'], target: { namespace: 'web' } },
      ],
    };
    await apple.fill(JSON.stringify(files.appleAppSiteAssociation));
    await android.fill(JSON.stringify(files.assetLinks));
    await press(page, 'Save app files');
    await page.getByText('Must be valid JSON').waitFor({ state: 'detached' });
    const urls = {
      rootUrl: 'https://example.org/',
      notFoundUrl: 'https://example.org/404',
      expiredUrl: 'https://example.org/over',
    };
    await expect.poll(() => listOf(account)).toMatchObject([{ ...urls, ...files }]);
    await field(page, 'Root address').fill('');
    await press(page, 'Save destinations');
    await expect.poll(async () => (await listOf(account))[0]).not.toHaveProperty('rootUrl');
  });

  test('a domain is removed once no link is there, and only by Owners', async () => {
    const account = await dashboard.createAccount();
    const { id, host } = await addProven(dashboard, account);
    const link = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Flyer', domain: host }));
    await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Other' }));
    const { page } = await dashboard.open(`${PATH}/${id}`, { account, refused: /\/api\/v1\/domains/ });
    const question = page.getByRole('alertdialog', { name: `Remove ${host}?` });
    const remove = async () => {
      await press(page, `Remove ${host}`);
      await question.getByRole('button', { name: `Remove ${host}` }).click();
    };
    await remove();
    await question.getByRole('alert').getByText('Links still have their address on this domain.').waitFor();
    await question.getByRole('link', { name: 'Show these links' }).click();
    await said(page, 'Found: 1');
    await page.getByRole('link', { name: 'Flyer', exact: true }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Domain', exact: true }).inputValue()).toBe(host);
    expect((await account.api.delete('/smartlink', { smartlinkId: link.id })).status).toBe(200);
    await page.goBack();
    await remove();
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor();
    expect(await listOf(account)).toEqual([]);

    const viewed = await dashboard.createAccount({ role: 'Editor' });
    const other = await addProven(dashboard, viewed, { rootUrl: 'https://example.org/' });
    const { page: seen } = await dashboard.open(`${PATH}/${other.id}`, { account: viewed });
    await seen.getByText('https://example.org/', { exact: true }).waitFor();
    expect(await seen.getByRole('textbox').count()).toBe(4);
    const buttons = await seen.getByRole('main').getByRole('button').allTextContents();
    expect(buttons.filter((text) => text !== '')).toEqual([]);
    const { page: starter } = await dashboard.open(PATH, { plan: 'Starter' });
    await starter.getByText('Your plan does not include domains.').waitFor();
    expect(await starter.getByRole('button', { name: 'Add domain' }).count()).toBe(0);
  });

  test('a new link gets the default domain, a taken address is one of its domain, and a link moves', async () => {
    const account = await dashboard.createAccount();
    const standard = await addProven(dashboard, account, { isDefault: true });
    const second = await addProven(dashboard, account);
    await createSmartlink(
      account.api,
      urlSmartlink({ smartlinkName: 'First', smartlinkUrl: 'spring', domain: second.host }),
    );
    const { page } = await dashboard.open(NEW, { account });
    const domain = page.getByRole('combobox', { name: 'Domain', exact: true });
    await domain.waitFor();
    const chosen = () => domain.locator('option:checked').textContent();
    expect(await chosen()).toBe(standard.host);
    expect((await domain.locator('option').allTextContents()).sort()).toEqual(
      [OWN, standard.host, second.host].sort(),
    );
    await page.getByText(`It begins with ${standard.host}/.`).waitFor();
    await field(page, 'Name').fill('Second');
    await field(page, 'Destination').fill('https://example.org/');
    await field(page, 'Address').fill('spring');
    await domain.selectOption(second.host);
    await page.getByText('This address is already taken').waitFor();
    await page.getByText(`It begins with ${second.host}/.`).waitFor();
    await domain.selectOption(standard.host);
    await page.getByText('This address is already taken').waitFor({ state: 'detached' });
    await press(page, 'Create link');
    await said(page, 'Link created');
    const created = (await account.api.get('/smartlink?q=Second')).body.data[0];
    expect(created.configuration).toMatchObject({ domain: standard.host, smartlinkUrl: 'spring' });

    await page.goto(`${dashboard.origin}${editorOf(created.id)}`);
    await domain.waitFor();
    expect(await chosen()).toBe(standard.host);
    await page.getByText(`${created.relink} keeps leading to it`).waitFor();
    await domain.selectOption(OWN);
    await press(page, 'Save changes');
    await said(page, 'Changes saved');
    await expect.poll(chosen).toBe(OWN);
    const moved = (await account.api.get(`/smartlink?id=${created.id}`)).body.data;
    expect([moved.relink, moved.configuration.domain]).toEqual([`${PUBLIC_BASE_URL}/spring`, undefined]);
    await page.getByText(`Now ${moved.relink}.`).waitFor();
    // A form that does not touch the domain leaves the link where it is.
    await field(page, 'Name').fill('Third');
    await press(page, 'Save changes');
    const stored = async () => (await account.api.get(`/smartlink?id=${created.id}`)).body.data;
    await expect
      .poll(stored)
      .toMatchObject({ relink: moved.relink, configuration: { smartlinkName: 'Third' } });
  });

  test('links are listed, and visits counted, by domain', async () => {
    const account = await dashboard.createAccount();
    const { host } = await addProven(dashboard, account);
    const there = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'There', domain: host }));
    const here = await createSmartlink(account.api, urlSmartlink({ smartlinkName: 'Here', domain: null }));
    const ts = new Date().toISOString().replace('T', ' ').slice(0, -1);
    await addEvents(dashboard.service.app, [
      makeEventRow(account.userId, there.id, { ts, domain: host }),
      makeEventRow(account.userId, there.id, { ts, domain: host }),
      makeEventRow(account.userId, here.id, { ts }),
    ]);
    const { page } = await dashboard.open('/dashboard/links', { account });
    const domain = page.getByRole('combobox', { name: 'Domain', exact: true });
    await domain.selectOption(host);
    await said(page, 'Found: 1');
    expect(new URL(page.url()).searchParams.get('domain')).toBe(host);
    const table = page.getByRole('table', { name: 'Links' });
    await table.getByRole('link', { name: host }).waitFor();
    await domain.selectOption(OWN);
    await table.getByRole('link', { name: 'Here', exact: true }).waitFor();
    expect(await table.getByRole('link', { name: 'There', exact: true }).count()).toBe(0);

    await page.goto(`${dashboard.origin}/dashboard/overview`);
    const domains = page.getByRole('table', { name: 'Domains', exact: true });
    await domains.getByRole('button', { name: host, exact: true }).waitFor();
    expect((await domains.getByRole('row').allTextContents()).slice(1)).toEqual([
      `${host}2`,
      'Host of this service1',
    ]);
    const clicks = page.getByRole('group', { name: 'Clicks', exact: true });
    await clicks.getByText('3', { exact: true }).waitFor();
    await domains.getByRole('button', { name: host, exact: true }).click();
    await clicks.getByText('2', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('domain')).toBe(host);
    await press(page, `Remove filter: Domain ${host}`);
    await clicks.getByText('3', { exact: true }).waitFor();

    await page.goto(`${dashboard.origin}/dashboard/links/${there.id}`);
    await domains.getByText(host, { exact: true }).waitFor();
    expect(await domains.getByRole('button').count()).toBe(0);
  });
}

import { expect, test } from 'vitest';
import type { Smartlink } from '@smartlink/client';
import { toNumber } from './numbers.js';
import { parseItems } from './parse-items.js';
import { sharesOf } from './routing-values.js';
import { completeLink, toBody, toValues } from './values.js';

const COMMON = {
  id: '019aa5c4-c000-7000-8000-000000000001',
  status: 'Active',
  userId: 'u',
  relink: 'https://sl.example.com/a',
  createdAt: '2026-03-10T12:00:00.000Z',
  updatedAt: '2026-03-10T12:00:00.000Z',
  analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
};
const linkOf = (type: string, members: object): Smartlink =>
  ({
    ...COMMON,
    type,
    configuration: { smartlinkName: 'N', smartlinkUrl: 'a', smartlinkType: type },
    ...members,
  }) as unknown as Smartlink;

test('a menu is written as it was read, in the order that visitors see', () => {
  const soup = { name: 'Soup', price: 5.5, active: false, badges: ['vegan', 'hot'], position: 2 };
  const bread = { name: 'Bread', price: 2, active: true, variants: [{ label: 'L', price: 3 }], position: 1 };
  const link = linkOf('QrMenu', {
    qrMenu: {
      title: 'Café',
      currency: '€',
      footnote: '',
      categories: [
        { name: 'Last', items: [] },
        { name: 'First', position: 0, items: [soup, bread] },
      ],
    },
    tags: ['summer'],
    openGraph: { title: 'Shared' },
  });
  const body = toBody('QrMenu', toValues(link));
  expect(body).toMatchObject({
    configuration: { smartlinkName: 'N', smartlinkUrl: 'a', smartlinkType: 'QrMenu' },
    openGraph: { title: 'Shared', description: null, imageUrl: null },
    tags: ['summer'],
    folderId: null,
    notes: null,
    qrMenu: {
      title: 'Café',
      description: null,
      currency: '€',
      footnote: '',
      categories: [
        {
          name: 'First',
          items: [
            { name: 'Bread', price: 2, active: true, variants: [{ label: 'L', price: 3 }], badges: [] },
            { name: 'Soup', price: 5.5, active: false, variants: [], badges: ['vegan', 'hot'] },
          ],
        },
        { name: 'Last', items: [] },
      ],
    },
  });
});

test('an empty password leaves the stored one, and a body has the members of its type alone', () => {
  const values = toValues(linkOf('Url', { shortener: { url: 'https://a.example/', protected: true } }));
  expect(toBody('Url', values)).toMatchObject({ shortener: { url: 'https://a.example/', protected: true } });
  expect(toBody('Url', values)).not.toHaveProperty('shortener.password');
  expect(toBody('Url', { ...values, shortener: { ...values.shortener, password: 'secret!' } })).toMatchObject(
    {
      shortener: { password: 'secret!' },
    },
  );
  expect(Object.keys(toBody('App', values)).sort()).toEqual([
    'availability',
    'configuration',
    'folderId',
    'notes',
    'openGraph',
    'redirect',
    'routing',
    'tags',
  ]);
  expect(toBody('App', values)).toMatchObject({ configuration: { smartlinkUrl: 'a', fallBackLink: null } });
});

test('prices are read as people write them', () => {
  expect(['5', ' 5.50 ', '1 200,5', '-1', '', 'free', '1e3'].map(toNumber)).toEqual([
    ...[5, 5.5, 1200.5, -1],
    ...['', 'free', '1e3'],
  ]);
});

test('items are read from tables of spreadsheets and from CSV, with or without a heading', () => {
  const soup = { name: 'Soup, red', price: '5,50', description: 'With "lemon"', badges: 'vegan, hot' };
  expect(parseItems('Name\tPrice\tText\tBadges\nSoup, red\t5,50\tWith "lemon"\tvegan|hot\n')).toEqual([
    expect.objectContaining(soup),
  ]);
  expect(parseItems('"Soup, red","5,50","With ""lemon""",vegan/hot\r\n\r\nBread,2')).toEqual([
    expect.objectContaining(soup),
    expect.objectContaining({ name: 'Bread', price: '2', description: '', imageLink: '' }),
  ]);
  expect(parseItems('Soup;5,50;;;https://images.example/a.png')).toEqual([
    expect.objectContaining({ price: '5,50', imageLink: 'https://images.example/a.png' }),
  ]);
  expect(parseItems('')).toEqual([]);
});

test('a link without its scheme is completed where it is clear', () => {
  const onPage = (typed: string) => completeLink(typed, true);
  expect(onPage('+994 50 123-45-67')).toBe('tel:+994501234567');
  expect(onPage('leyla@cafe.example')).toBe('mailto:leyla@cafe.example');
  expect(onPage(' cafe.az/menu?a=1 ')).toBe('https://cafe.az/menu?a=1');
  expect(completeLink('leyla@cafe.example', false)).toBeNull();
  expect(completeLink('+994501234567', false)).toBeNull();
  for (const typed of ['', 'menu', 'https://', 'mailto:a@b.example', 'my menu.pdf', 'javascript:x.y']) {
    expect(onPage(typed)).toBeNull();
  }
});

test('redirect options are texts in the form, and empty ones are left to the service', () => {
  const redirect = { status: 307, cacheSeconds: 0, forwardQuery: false };
  const values = toValues(linkOf('Url', { shortener: { url: 'https://a.example/' }, redirect }));
  expect(values.redirect).toEqual({ status: '307', cacheSeconds: '0', forwardQuery: 'false' });
  expect(toBody('Url', values)).toMatchObject({ redirect });
  expect(
    toBody('App', { ...values, redirect: { status: '', cacheSeconds: ' ', forwardQuery: '' } }),
  ).toMatchObject({
    redirect: { status: null, cacheSeconds: null, forwardQuery: null },
  });
  expect(
    toBody('Url', { ...values, redirect: { ...values.redirect, cacheSeconds: 'an hour' } }),
  ).toMatchObject({
    redirect: { cacheSeconds: 'an hour' },
  });
  expect(toBody('Landing', values)).not.toHaveProperty('redirect');
});

test('rules, variants and times are written as they were read', () => {
  const split = [
    { id: 'a', weight: 3, url: 'https://example.org/a' },
    { id: 'own', weight: 1 },
  ];
  const routing = {
    rules: [
      {
        id: 'phones',
        name: 'Phones',
        url: 'https://example.org/de',
        when: {
          countries: ['DE', 'XX'],
          languages: ['de', 'pt-BR'],
          devices: ['mobile'],
          systems: ['iOS'],
          browsers: ['Firefox'],
          sources: ['scan'],
          referrers: ['direct', 'example.com'],
          query: [{ name: 'ref' }, { name: 'empty', value: '' }, { name: 'x', value: 'y' }],
          from: '2026-01-01T00:00:00.001Z',
          until: '2026-10-25T00:30:00.000Z',
          weekly: { timeZone: 'Asia/Baku', days: ['Mon', 'Sun'], from: '18:00', to: '02:00' },
        },
      },
      {
        id: 'evening',
        variants: split.map((each) => ({ ...each, id: `${each.id}2` })),
        when: { devices: ['tv'] },
      },
    ],
    variants: split,
    sticky: 'visitor',
  };
  const availability = {
    startsAt: '2026-10-25T00:30:00.000Z',
    expiresAt: '2027-01-01T00:00:00.000Z',
    maxVisits: 1_000,
    expiredUrl: 'https://example.org/over',
  };
  const answered = { ...availability, visitsUsed: 3, state: 'live' };
  const body = toBody('TxtBin', toValues(linkOf('TxtBin', { routing, availability: answered })));
  expect([body.routing, body.availability]).toEqual([routing, availability]);
});

test('a link without rules, variants and times clears them', () => {
  const body = toBody('TxtBin', toValues(linkOf('TxtBin', {})));
  expect(body.routing).toEqual({ rules: [], variants: [], sticky: null });
  expect(body.availability).toEqual({ startsAt: null, expiresAt: null, maxVisits: null, expiredUrl: null });
});

test('shares follow weights, but for what is no weight', () => {
  expect(sharesOf(['3', ' 1 '])).toEqual([0.75, 0.25]);
  expect(sharesOf(['2', 'x', '', '0'])).toEqual([1, null, null, null]);
});

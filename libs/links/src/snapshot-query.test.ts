import { expect, test } from 'vitest';
import { findEachSnapshot } from './snapshot-query.js';

const row = (more: object) => ({
  key: 'docs',
  slug: 'Docs',
  exact: null,
  smartlink_id: 'id',
  user_id: 'owner',
  status: 'Active',
  version: '7',
  open_graph: null,
  appearance: null,
  utm: null,
  redirect: null,
  routing: null,
  availability: null,
  content: null,
  password_hash: null,
  password_version: 0,
  withheld_bytes: null,
  ...more,
});

async function read(more: object): Promise<unknown> {
  const found = await findEachSnapshot({ query: () => Promise.resolve({ rows: [row(more)] }) }, ['docs']);
  return found.get('docs');
}

const base = { version: 7, smartlinkId: 'id', ownerId: 'owner', slug: 'Docs', status: 'Active' };
const landing = { landing: { title: 'A', layout: 'List', theme: 'Auto' }, landingButtons: [] };

test.each([
  ['Url', { shortener: { url: 'https://a.example/', protected: false } }, { url: 'https://a.example/' }],
  ['App', {}, { storeLinks: {} }],
  [
    'App',
    { configuration: { appStoreLink: 'https://a.example/' } },
    { storeLinks: { appStoreLink: 'https://a.example/' } },
  ],
  ['Landing', landing, { page: landing }],
  ['QRTag', { qrTag: {} }, { page: { qrTag: {} } }],
  ['DigiCard', { digiCard: {} }, { page: { digiCard: {} } }],
  ['TxtBin', { txtBin: { text: 'a\r\nb' } }, { page: { txtBin: { text: 'a\r\nb' } } }],
  ['QrMenu', { qrMenu: { categories: [] } }, { page: { qrMenu: { categories: [] } } }],
])('a row of %s with %j becomes a snapshot', async (type, content, expected) => {
  expect(await read({ type, content })).toEqual({ ...base, type, ...expected });
});

test('a snapshot has times in milliseconds, and of a limit only that there is one', async () => {
  const content = { shortener: { url: 'https://a.example/', protected: false } };
  const times = { startsAt: '2020-01-01T00:00:00.000Z', expiresAt: '2030-01-01T00:00:00.001Z' };
  const availability = { ...times, maxVisits: 5, expiredUrl: 'https://a.example/over' };
  expect(await read({ type: 'Url', content, availability })).toMatchObject({
    availability: {
      ...{ startsAt: 1_577_836_800_000, expiresAt: 1_893_456_000_001, isLimited: true },
      expiredUrl: 'https://a.example/over',
    },
  });
});

test('a snapshot has the preview, and a password only while its link is protected', async () => {
  const protection = { password_hash: 'phc', password_version: 2, open_graph: { title: 'T' } };
  const content = (isProtected: boolean) => ({
    shortener: { url: 'https://a.example/', protected: isProtected },
  });
  expect(await read({ type: 'Url', content: content(true), ...protection })).toMatchObject({
    openGraph: { title: 'T' },
    password: { hash: 'phc', version: 2 },
  });
  expect(await read({ type: 'Url', content: content(false), ...protection })).not.toHaveProperty('password');
  // The password of the time when it was a Url is kept for when it becomes one again, but does not protect it until then.
  expect(await read({ type: 'Landing', content: landing, ...protection })).not.toHaveProperty('password');
});

test('a snapshot has the appearance of a page, and of no other type', async () => {
  const appearance = { buttonStyle: 'soft' };
  const menu = { qrMenu: { categories: [], footnote: '' } };
  expect(await read({ type: 'Landing', content: landing, appearance })).toEqual({
    ...base,
    type: 'Landing',
    page: landing,
    appearance,
  });
  expect(await read({ type: 'QrMenu', content: menu, appearance })).toMatchObject({ page: menu, appearance });
  expect(await read({ type: 'TxtBin', content: { txtBin: { text: 'a' } }, appearance })).not.toHaveProperty(
    'appearance',
  );
  const url = { shortener: { url: 'https://a.example/', protected: false } };
  expect(await read({ type: 'Url', content: url, appearance })).not.toHaveProperty('appearance');
});

test('a snapshot has the campaign parameters of a Url link, and of no other type', async () => {
  const utm = { source: 'mail' };
  const content = { shortener: { url: 'https://a.example/', protected: true } };
  expect(await read({ type: 'Url', content, utm, password_hash: 'hash' })).toMatchObject({
    utm,
    password: {},
  });
  expect(await read({ type: 'Landing', content: landing, utm })).not.toHaveProperty('utm');
});

test('a protected link without a password cannot be followed', async () => {
  const content = { shortener: { url: 'https://a.example/', protected: true } };
  expect(await read({ type: 'Url', content, password_hash: null })).toBeInstanceOf(Error);
});

test.each([
  ['Url', null],
  ['Url', {}],
  ['App', null],
  ['Landing', {}],
  ['Landing', { qrTag: {} }],
  ['TxtBin', { text: 'a' }],
  ['Hologram', { hologram: {} }],
  ['constructor', { constructor: {} }],
])('a row of %s with content %j is an error of its own', async (type, content) => {
  expect(await read({ type, content })).toEqual(
    new Error(`Smartlink id has no content for its type ${type}`),
  );
});

test('a deleted link and an erased owner need no content', async () => {
  expect(await read({ type: 'Landing', status: 'Deleted' })).toEqual({ ...base, status: 'Deleted' });
  expect(await read({ type: null, status: null, smartlink_id: null, user_id: null, version: null })).toEqual({
    ...base,
    status: 'Deleted',
    version: Number.MAX_SAFE_INTEGER,
    smartlinkId: '',
    ownerId: '',
  });
});

test('imported addresses that differ from the slug only in case are known at live and deleted links', async () => {
  const exact = { DOCS: '=DOCS', docs: '=docs' };
  const row = { type: 'App', content: {}, exact: ['DOCS', 'docs'] };
  expect(await read(row)).toMatchObject({ slug: 'Docs', exact });
  expect(await read({ ...row, status: 'Deleted' })).toEqual({ ...base, status: 'Deleted', exact });
  expect(await read({ ...row, exact: [] })).not.toHaveProperty('exact');
});

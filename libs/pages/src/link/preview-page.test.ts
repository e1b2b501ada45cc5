import { expect, test } from 'vitest';
import type { LiveLink } from '@smartlink/smartlink/document';
import { pageSourceOf } from '../site.js';
import { renderTestPage } from '../test-site.js';
import { splitWebAddress } from './link-pages.js';

const preview = (source: object) => renderTestPage({ slug: 'Sale', ...source }, 'preview').html;

const hrefs = (html: string) =>
  [...html.slice(html.indexOf('<body>')).matchAll(/ href="([^"#]+)"/g)].map((match) => match[1]);
const text = (html: string) => html.slice(html.indexOf('<main>')).replaceAll(/<[^>]*>/g, '');

test('the whole address is shown with its host in bold and without a link', () => {
  const url = 'https://shop.example/a?b=1&c=%3Cb%3E#d';
  const html = preview({ type: 'Url', isProtected: false, url });
  expect(html).toContain('<dd dir="ltr">https://<b>shop.example</b>/a?b=1&amp;c=%3Cb%3E#d</dd>');
  expect(hrefs(html)).toEqual(['/Sale']);
  expect(html).toContain('You have not left yet.');
});

test.each([
  ['https://аррӏе.com/', true],
  ['https://shop.αυτο.example.com/', true],
  ['https://www.хосе.example/', true],
  ['https://münchen.example.org/', false],
  ['https://пример.example/', false],
  ['https://хосе.рф/', false],
  ['https://apple.com/', false],
])(
  'the host of %s is shown as in the address; a look-alike of Latin letters gets a warning: %s',
  (address, warns) => {
    const { href, hostname } = new URL(address);
    const html = preview({ type: 'Url', isProtected: false, url: href });
    expect(html).toContain(`<b>${hostname}</b>`);
    expect(html.includes('Caution:')).toBe(warns);
  },
);

test("the owner's words for previews are not beside the address", () => {
  const openGraph = { title: 'Your bank', description: 'Log in', imageUrl: 'https://a.example/bank.png' };
  const html = preview({ type: 'Url', isProtected: false, url: 'https://shop.example/', openGraph });
  expect(html).not.toMatch(/Your bank|Log in|bank\.png|og:/);
});

test('of a limited link only that it is limited is shown', () => {
  const destinations = ['https://secret.example/'];
  for (const source of [
    { type: 'Url', isProtected: false, url: 'https://secret.example/', destinations },
    { type: 'App', storeLinks: { googlePlayLink: 'https://secret.example/' } },
    { type: 'TxtBin', page: { txtBin: { title: 'secret', text: 'secret' } } },
  ]) {
    const html = preview({ ...source, isLimited: true });
    expect(text(html)).toContain('It opens a limited number of times');
    expect(html).not.toContain('secret');
  }
});

test('the target of a protected link is hidden', () => {
  const html = preview({ type: 'Url', isProtected: true });
  expect(text(html)).toContain('A password hides where this link leads.');
  expect(html).not.toContain('<dl>');
  expect(hrefs(html)).toEqual(['/Sale']);
});

test('an App link shows the address of each store and the fallback', () => {
  const html = preview({
    type: 'App',
    storeLinks: {
      googlePlayLink: 'https://play.google.com/store/apps/details?id=x',
      macOsAppLink: 'https://files.example/x.dmg',
      fallBackLink: 'https://narin.example/app',
    },
  });
  expect(
    [...html.matchAll(/<dt>.*?<\/svg>(.*?)<\/dt><dd[^>]*><b>(.*?)<\/b>/g)].map((m) => m.slice(1)),
  ).toEqual([
    ['Google Play, Android', 'play.google.com'],
    ['Mac', 'files.example'],
    ['Other devices', 'narin.example'],
  ]);
  expect(hrefs(html)).toEqual(['/Sale']);
});

test('an App link without addresses shows a message', () => {
  expect(text(preview({ type: 'App', storeLinks: {} }))).toContain('Nothing here yet');
});

test.each([
  [{ type: 'Landing', page: { landing: { title: 'Narin <b>' } } }, 'Links', 'Narin &lt;b&gt;'],
  [{ type: 'QRTag', page: { qrTag: {} }, openGraph: { title: 'Table 7' } }, 'Links', 'Table 7'],
  [{ type: 'DigiCard', page: { digiCard: { title: ' ', company: 'Narin LLC' } } }, 'Card', 'Narin LLC'],
  [{ type: 'TxtBin', page: { txtBin: { text: 'x' } } }, 'Text', 'Text'],
  [{ type: 'QrMenu', page: { qrMenu: { title: 'Şirvan' } } }, 'Menu', 'Şirvan'],
])('a hosted page is shown by kind and title: %j', (source, kind, title) => {
  const html = preview(source);
  expect(html).toMatch(new RegExp(`<dt>.*</svg>${kind}</dt><dd dir="auto"[^>]*><b>${title}</b></dd>`));
  expect(text(html)).toContain('A page on this site.');
  expect(hrefs(html)).toEqual(['/Sale']);
});

test.each([
  ['https://a.example', 'https://', 'a.example', ''],
  ['https://a.example/x@b.example/', 'https://', 'a.example', '/x@b.example/'],
  ['http://xn--80ak6aa92e.example:8080/?a', 'http://', 'xn--80ak6aa92e.example', ':8080/?a'],
  ['https://bank.example@a.example/', 'https://bank.example@', 'a.example', '/'],
  ['https://bank.example:pw@a.example:1?x', 'https://bank.example:pw@', 'a.example', ':1?x'],
  ['https://a.example?@b.example', 'https://', 'a.example', '?@b.example'],
  ['https://a.example#@b.example', 'https://', 'a.example', '#@b.example'],
  ['https://[::1]:8080/', 'https://', '[::1]', ':8080/'],
])('the host of %s is that of browsers', (address, scheme, host, rest) => {
  expect(splitWebAddress(address)).toEqual({ scheme, host, rest });
  expect(new URL(address).hostname).toBe(host);
});

test.each(['javascript:alert(1)', 'https://', '//a.example', 'ftp://a.example/', ''])(
  '%j is not a web address',
  (address) => {
    expect(splitWebAddress(address)).toBeNull();
  },
);

test('every address to which rules and variants lead is listed, and none of a protected link', () => {
  const destinations = ['https://a.example/', 'https://b.example/'];
  for (const source of [
    { type: 'Url', isProtected: false, url: 'https://shop.example/' },
    { type: 'App', storeLinks: { fallBackLink: 'https://shop.example/' } },
    { type: 'TxtBin', page: { txtBin: { text: 'x' } } },
  ]) {
    const html = preview({ ...source, destinations });
    for (const host of ['a.example', 'b.example']) expect(html).toContain(`https://<b>${host}</b>/`);
    expect(html.split('For some visitors')).toHaveLength(3);
  }
  const link = {
    ...{ version: 1, smartlinkId: 'a', ownerId: 'b', slug: 'Sale', status: 'Active', type: 'Url' },
    ...{ url: 'https://shop.example/', utm: { source: 'mail' } },
    routing: {
      rules: [
        {
          id: 'a',
          when: { sources: ['scan'] },
          variants: [{ id: 'b', weight: 1, url: 'https://a.example/' }],
        },
      ],
      variants: [
        { id: 'c', weight: 1, url: 'https://b.example/' },
        { id: 'd', weight: 1, url: 'https://a.example/' },
      ],
    },
  };
  expect(pageSourceOf(link as LiveLink).destinations).toEqual([
    'https://a.example/?utm_source=mail',
    'https://b.example/?utm_source=mail',
  ]);
  const locked = { ...link, password: { hash: 'x', version: 1 } };
  expect(JSON.stringify(pageSourceOf(locked as LiveLink))).not.toContain('example');
});

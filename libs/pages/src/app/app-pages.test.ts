import { expect, test } from 'vitest';
import type { PageView } from '../site.js';
import { renderTestPage } from '../test-site.js';
import { listStores, type StoreLinks } from './app-pages.js';

const STORES = {
  macOsAppLink: 'https://apps.apple.com/app/id3',
  windowsAppLink: 'https://apps.microsoft.com/detail/x',
  amazonStoreLink: 'https://www.amazon.com.tr/dp/x',
  appGalleryLink: 'https://appgallery.huawei.com/app/x',
  googlePlayLink: 'https://play.google.com/store/apps/details?id=x&hl=az',
  ipadAppLink: 'https://apps.apple.com/app/id2',
  appStoreLink: 'https://apps.apple.com/app/id1',
};

function render(storeLinks: StoreLinks, view: PageView = 'own', openGraph: object = {}) {
  const page = renderTestPage({ slug: 'Narin', type: 'App', storeLinks, openGraph }, view);
  return { ...page, body: page.html.slice(page.html.indexOf('<main>')) };
}

const hrefs = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => match[1]);
const shown = (links: StoreLinks) =>
  listStores(links).map(({ name, devices, host }) => `${name} / ${devices || host}`);

test('stores have a fixed order and the names of their devices', () => {
  expect(shown(STORES)).toEqual([
    'App Store / iPhone',
    'App Store / iPad',
    'Google Play / Android',
    'AppGallery / Huawei',
    'Amazon Appstore / Amazon Fire',
    'Microsoft Store / Windows',
    'Mac App Store / Mac',
  ]);
  expect(hrefs(render(STORES).body)).toEqual(
    Object.values(STORES)
      .toReversed()
      .map((link) => link.replaceAll('&', '&amp;')),
  );
});

test("the iPad has a store of its own only if it differs from the iPhone's", () => {
  const { appStoreLink, ipadAppLink } = STORES;
  expect(shown({ appStoreLink })).toEqual(['App Store / iPhone · iPad']);
  expect(shown({ appStoreLink, ipadAppLink: appStoreLink })).toEqual(['App Store / iPhone · iPad']);
  expect(shown({ ipadAppLink })).toEqual(['App Store / iPad']);
});

test('an address outside a store does not get the name of the store', () => {
  expect(
    shown({
      googlePlayLink: 'https://play.google.com.evil.example/x',
      windowsAppLink: 'https://files.example:8443/setup.exe',
      macOsAppLink: 'https://apps.apple.com@files.example/x.dmg',
    }),
  ).toEqual([
    'Android / play.google.com.evil.example',
    'Windows / files.example:8443',
    'Mac / files.example',
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,x', '//a.example', '/x', 'market://details?id=x', ''])(
  'a store at %j is left out',
  (link) => {
    const { body } = render({ appStoreLink: link, macOsAppLink: STORES.macOsAppLink });
    expect(hrefs(body)).toEqual([STORES.macOsAppLink]);
  },
);

test('store links are marked nofollow and ugc', () => {
  const { body } = render(STORES);
  expect(body.match(/rel="noopener nofollow ugc"/g)).toHaveLength(7);
});

test('a QR code is shown only with stores of devices that can scan', () => {
  const { windowsAppLink, macOsAppLink, googlePlayLink } = STORES;
  expect(render({ googlePlayLink, macOsAppLink }).body).toContain('src="/-/qr/Narin.svg"');
  expect(render({ windowsAppLink, macOsAppLink }).body).not.toContain('/-/qr/');
  expect(render({ fallBackLink: 'https://a.example/' }).body).not.toContain('/-/qr/');
});

test('an App link without stores shows a message', () => {
  const { body, html } = render({});
  expect(body).toContain('Nothing here yet');
  expect(html).toContain('<h1>Get the app</h1>');
});

test("the owner's words are escaped below the heading", () => {
  const { html } = render(STORES, 'own', { title: '<b>Narin</b> قهوة' });
  expect(html).toContain('<p dir="auto" lang="ar">&lt;b&gt;Narin&lt;/b&gt; قهوة</p>');
  expect(html).toContain('<meta property="og:title" content="&lt;b&gt;Narin');
});

test('iPad and Mac are buttons without script; a scan stays a scan', () => {
  expect(hrefs(render(STORES, 'ipad-or-mac').html)).toEqual(['/-/ipad/Narin', '/-/mac/Narin']);
  expect(hrefs(render(STORES, 'ipad-or-mac-scan').html)).toEqual(['/-/ipad/q/Narin', '/-/mac/q/Narin']);
  expect(render(STORES, 'ipad-or-mac').policy).toContain("script-src 'self'");
});

test('search engines index no page of an App link', () => {
  for (const view of ['own', 'ipad-or-mac', 'share', 'preview'] as const) {
    const { html, isIndexed } = render(STORES, view);
    expect(isIndexed).toBe(false);
    expect(html).toContain('<meta name="robots" content="noindex">');
  }
});

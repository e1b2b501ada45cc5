import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { prepareLink, sourceOf } from './served-link.js';

const BASE = { version: 1, smartlinkId: 'smartlink', ownerId: 'owner', slug: 'docs', status: 'Active' };
const URL_LINK = { ...BASE, type: 'Url', url: 'https://example.org/a?b=c#d' };
const PASSWORD = { hash: 'the hash', version: 3 };
const OPEN_GRAPH = { title: 'A title' };
const sourceWith = (snapshot: object): unknown => {
  const source = sourceOf(prepareLink(snapshot as LinkSnapshot, { status: 302, forwardsQuery: true }, ''));
  return source === null ? null : JSON.parse(source);
};

test('the preview of a Url link is made of where it leads, whether that is kept or not', () => {
  const source = { slug: 'docs', type: 'Url', isProtected: false, url: URL_LINK.url };
  expect(sourceWith(URL_LINK)).toEqual(source);
  expect(sourceWith({ ...URL_LINK, openGraph: OPEN_GRAPH })).toEqual({ ...source, openGraph: OPEN_GRAPH });
  expect(sourceWith({ ...URL_LINK, openGraph: { title: '' } })).toEqual({
    ...source,
    openGraph: { title: '' },
  });
  const withUtm = { ...source, url: 'https://example.org/a?b=c&utm_source=mail#d' };
  const utm = { source: 'mail' };
  expect(sourceWith({ ...URL_LINK, utm })).toEqual(withUtm);
  expect(sourceWith({ ...URL_LINK, utm, openGraph: OPEN_GRAPH })).toEqual({
    ...withUtm,
    openGraph: OPEN_GRAPH,
  });
});

test('the preview of a protected link hides where it leads', () => {
  const source = { slug: 'docs', type: 'Url', isProtected: true };
  expect(sourceWith({ ...URL_LINK, password: PASSWORD })).toEqual(source);
  expect(sourceWith({ ...URL_LINK, password: PASSWORD, openGraph: OPEN_GRAPH })).toEqual({
    ...source,
    openGraph: OPEN_GRAPH,
  });
});

test('a link that leads nowhere has no preview', () => {
  for (const status of ['Paused', 'Deleted']) {
    expect(sourceWith({ ...URL_LINK, status })).toBeNull();
    expect(sourceWith({ ...URL_LINK, status, password: PASSWORD })).toBeNull();
  }
  expect(sourceWith({ ...URL_LINK, url: 'javascript:alert(1)' })).toBeNull();
  expect(sourceWith({ ...BASE, type: 'Hologram' })).toBeNull();
});

test('App links and pages are made of what is stored', () => {
  const storeLinks = { appStore: 'https://apps.example/1', fallBackLink: 'https://example.org/' };
  expect(sourceWith({ ...BASE, type: 'App', storeLinks })).toEqual({ slug: 'docs', type: 'App', storeLinks });
  const page = { text: 'Hello' };
  expect(sourceWith({ ...BASE, type: 'TxtBin', page })).toEqual({ slug: 'docs', type: 'TxtBin', page });
  const landing = { type: 'Landing', page: { landing: {} } };
  const appearance = { buttonStyle: 'soft' };
  expect(sourceWith({ ...BASE, ...landing })).toEqual({ slug: 'docs', ...landing });
  expect(sourceWith({ ...BASE, ...landing, appearance })).toEqual({ slug: 'docs', ...landing, appearance });
});

const replyOf = (snapshot: object, status = 302) => {
  const defaults = { status, forwardsQuery: true };
  const { plainReply, replies, forwardsQuery } = prepareLink(snapshot as LinkSnapshot, defaults, '');
  const [target] = replies?.values() ?? [];
  const { head } = target ?? plainReply ?? { head: null };
  return [head?.status, Object.fromEntries(head?.headers ?? [])['Cache-Control'], forwardsQuery];
};
const PROTECTED = { ...URL_LINK, password: PASSWORD };
const APP = { ...BASE, type: 'App', storeLinks: { appStoreLink: 'https://apps.example/1' } };
const ROUTING = { rules: [{ id: 'a', when: { countries: ['DE'] }, url: 'https://example.org/de' }] };
const NO_STORE = 'private, no-store';

test.each([
  [URL_LINK, 301, ['301 Moved Permanently', NO_STORE, true]],
  [{ ...URL_LINK, redirect: { forwardQuery: false } }, 308, ['308 Permanent Redirect', NO_STORE, false]],
  [{ ...URL_LINK, redirect: { status: 307 } }, 301, ['307 Temporary Redirect', NO_STORE, true]],
  [{ ...URL_LINK, redirect: { cacheSeconds: 60 } }, 302, ['302 Found', 'private, max-age=60', true]],
  [{ ...APP, redirect: { status: 307, cacheSeconds: 0 } }, 302, ['307 Temporary Redirect', NO_STORE, true]],
  // No browser may keep an answer that depends on the visit.
  [PROTECTED, 301, ['302 Found', NO_STORE, true]],
  [{ ...URL_LINK, routing: ROUTING }, 301, ['302 Found', NO_STORE, true]],
  [{ ...URL_LINK, availability: { expiresAt: 1 } }, 308, ['307 Temporary Redirect', NO_STORE, true]],
  [APP, 308, ['307 Temporary Redirect', NO_STORE, true]],
])('redirects of %j on an instance with %i are %j', (snapshot, status, expected) => {
  expect(replyOf(snapshot, status)).toEqual(expected);
});

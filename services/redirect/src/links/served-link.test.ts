import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { prepareLink, sourceOf } from './served-link.js';

const BASE = { version: 1, smartlinkId: 'smartlink', ownerId: 'owner', slug: 'docs', status: 'Active' };
const URL_LINK = { ...BASE, type: 'Url', url: 'https://example.org/a?b=c#d' };
const PASSWORD = { hash: 'the hash', version: 3 };
const OPEN_GRAPH = { title: 'A title' };
const sourceWith = (snapshot: object): unknown => {
  const source = sourceOf(prepareLink(snapshot as LinkSnapshot, 302));
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

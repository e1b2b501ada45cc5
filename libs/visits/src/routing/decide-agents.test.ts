import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { applyPlatformHint, classifyAgent } from './classify.js';
import { compileLink, decide } from './decide.js';

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const PREVIEW = 'facebookexternalhit/1.1';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const base = { version: 1, smartlinkId: 'id', ownerId: 'owner', slug: 'Docs', status: 'Active' };
const linkWith = (more: object) => compileLink({ ...base, ...more } as unknown as LinkSnapshot);
const url = (more: object = {}) => linkWith({ type: 'Url', url: 'https://example.org/', ...more });
const app = (storeLinks: object, more: object = {}) => linkWith({ type: 'App', storeLinks, ...more });
const visit = (userAgent: string, hint = '', query = '') => {
  return {
    ...applyPlatformHint(classifyAgent(userAgent), hint),
    ...{ query, isUnlocked: false, forwardsQuery: true },
    ...{ route: null, closed: null, reader: 'person' as const },
  };
};

const IPAD = 'https://apps.example/ipad';
const PHONE = 'https://apps.example/iphone';
const MAC = 'https://apps.example/mac';
const FALLBACK = 'https://example.org/app';

test.each([
  ['its own link and the Mac’s differ', { ipadAppLink: IPAD, macOsAppLink: MAC }],
  ['the iPhone’s link and the Mac’s differ', { appStoreLink: PHONE, macOsAppLink: MAC }],
  ['the Mac has none', { ipadAppLink: IPAD, fallBackLink: FALLBACK }],
  ['the Mac would see the list of stores', { appStoreLink: PHONE }],
  ['it has none', { macOsAppLink: MAC, fallBackLink: FALLBACK }],
])('Safari on a Macintosh gets the question “iPad or Mac” if %s', (_where, storeLinks) => {
  expect(decide(app(storeLinks), visit(SAFARI))).toEqual({ kind: 'ipad-or-mac' });
});

test.each([
  ['one link serves both', { ipadAppLink: MAC, macOsAppLink: MAC }, 'macOsAppLink'],
  ['the fallback is the iPad’s link', { ipadAppLink: FALLBACK, fallBackLink: FALLBACK }, 'fallBackLink'],
  ['neither has one', { googlePlayLink: PHONE, fallBackLink: FALLBACK }, 'fallBackLink'],
])('there is no question if %s', (_where, storeLinks, rule) => {
  expect(decide(app(storeLinks), visit(SAFARI))).toMatchObject({ kind: 'redirect', rule });
});

test('there is no question without links of both and a fallback', () => {
  expect(decide(app({ googlePlayLink: PHONE }), visit(SAFARI))).toEqual({ kind: 'chooser' });
});

test('a known iPad or Mac gets its store', () => {
  const link = app({ ipadAppLink: IPAD, macOsAppLink: MAC });
  const said = { ...visit(SAFARI), mayBeIpad: false };
  expect(decide(link, { ...said, platform: 'ipad' })).toMatchObject({ location: IPAD, rule: 'ipadAppLink' });
  expect(decide(link, { ...said, platform: 'mac' })).toMatchObject({ location: MAC, rule: 'macOsAppLink' });
});

test('a Mac with a platform hint gets no question', () => {
  const link = app({ ipadAppLink: IPAD, macOsAppLink: MAC });
  expect(decide(link, visit(SAFARI, '"macOS"'))).toMatchObject({ rule: 'macOsAppLink' });
});

test('platforms that share a store share its decision', () => {
  const link = app({ googlePlayLink: PHONE });
  expect(link.stores?.android).toBe(link.stores?.huawei);
  expect(link.stores?.android).toBe(link.stores?.fire);
});

test.each([{ title: 'A' }, { description: 'A' }, { imageUrl: 'https://example.org/a.png' }])(
  'a link with openGraph %j is shared with preview agents, and leads on for others',
  (openGraph) => {
    const links = [
      url({ openGraph }),
      app({ fallBackLink: FALLBACK }, { openGraph }),
      app({}, { openGraph }),
    ];
    for (const link of links) {
      expect(decide(link, visit(PREVIEW, '', 'a=1'))).toEqual({ kind: 'share' });
      expect(decide(link, visit(IPHONE)).kind).toBe(link.plain.kind);
      expect(decide(link, visit(CRAWLER)).kind).toBe(link.plain.kind);
    }
  },
);

test('a preview of a protected link never shows the target', () => {
  const link = url({ password: { hash: 'x', version: 1 } });
  expect(decide(link, visit(PREVIEW))).toEqual({ kind: 'share' });
  expect(decide(link, { ...visit(PREVIEW), isUnlocked: true })).toEqual({ kind: 'share' });
  expect(decide(link, visit(CRAWLER))).toEqual({ kind: 'locked' });
});

test.each([undefined, {}, { title: '' }])('a preview agent follows a link with openGraph %j', (openGraph) => {
  expect(decide(url({ openGraph }), visit(PREVIEW))).toMatchObject({ kind: 'redirect', rule: 'url' });
  const link = app({ fallBackLink: FALLBACK }, { openGraph });
  expect(decide(link, visit(PREVIEW))).toMatchObject({ kind: 'redirect', rule: 'fallBackLink' });
});

test.each(['Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'])(
  '%s shows preview agents its page',
  (type) => {
    const link = linkWith({ type, page: {}, openGraph: { title: 'A' } });
    expect(decide(link, visit(PREVIEW))).toEqual({ kind: 'page' });
  },
);

test.each([
  ['Paused', 'paused'],
  ['Deleted', 'gone'],
])('a %s link shares nothing, has no form, asks nothing and leads nowhere', (status, kind) => {
  const more = { status, openGraph: { title: 'A' }, password: { hash: 'x', version: 1 } };
  for (const link of [url(more), app({}, more), app({ ipadAppLink: IPAD, macOsAppLink: MAC }, more)]) {
    for (const agent of [PREVIEW, SAFARI, IPHONE]) expect(decide(link, visit(agent))).toEqual({ kind });
  }
});

test('a link without password, stores and openGraph has one decision for all', () => {
  const link = url();
  expect(link.isConditional).toBe(false);
  expect(decide(link, visit(PREVIEW))).toBe(link.plain);
});

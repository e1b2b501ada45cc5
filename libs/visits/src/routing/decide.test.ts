import { expect, test } from 'vitest';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import { createRandom } from '@smartlink/test-support/random';
import { trialSize } from '@smartlink/test-support/trial-size';
import { classifyAgent } from './classify.js';
import { compileLink, decide } from './decide.js';

const snapshot = (url: string, more: object = {}): LinkSnapshot => ({
  version: 7,
  smartlinkId: 'id',
  ownerId: 'owner',
  slug: 'Docs',
  status: 'Active',
  type: 'Url',
  url,
  ...more,
});
const visit = (query = '', isUnlocked = false, userAgent = '') => {
  return {
    ...classifyAgent(userAgent),
    ...{ query, isUnlocked, forwardsQuery: true },
    ...{ route: null, closed: null, reader: 'person' as const },
  };
};
const locationOf = (url: string, query: string): string => {
  const decision = decide(compileLink(snapshot(url)), visit(query));
  return decision.kind === 'redirect' ? decision.location : decision.kind;
};

test('decides by status and password', () => {
  const url = 'https://example.org/';
  expect(decide(compileLink(snapshot(url)), visit())).toEqual({
    kind: 'redirect',
    location: url,
    outcome: 'target',
    rule: 'url',
  });
  expect(decide(compileLink(snapshot(url, { status: 'Paused' })), visit())).toEqual({ kind: 'paused' });
  expect(decide(compileLink(snapshot(url, { status: 'Deleted' })), visit())).toEqual({ kind: 'gone' });
  const locked = compileLink(snapshot(url, { password: { hash: '$argon2id$…', version: 1 } }));
  expect(decide(locked, visit('a=1'))).toEqual({ kind: 'locked' });
  expect(decide(locked, visit('a=1', true))).toEqual({
    kind: 'redirect',
    location: `${url}?a=1`,
    outcome: 'target',
    rule: 'url',
  });
});

test.each([
  ['a type of a newer build', { type: 'Hologram' }],
  ['another scheme', { url: 'javascript:alert(1)' }],
  ['a line break', { url: 'https://example.org/\r\nSet-Cookie: a=b' }],
  ['a space', { url: 'https://example.org/ x' }],
  ['no address', { url: undefined }],
])('a snapshot with %s is unreadable and throws nothing', (_title, more) => {
  expect(decide(compileLink(snapshot('https://example.org/', more)), visit('a=1'))).toEqual({
    kind: 'unsupported',
  });
});

test('campaign parameters replace those of the address, and the visitor’s replace both', () => {
  const utm = { source: 'news & mail', medium: "o'r#e", term: 'ü', ref: 'r' };
  const link = compileLink(snapshot('https://example.org/?UTM_SOURCE=a&utm%5Fsource=b&ref&x=1#top', { utm }));
  const target = (query: string) => decide(link, visit(query));
  const added = 'utm_source=news%20%26%20mail&utm_medium=o%27r%23e&utm_term=%C3%BC&ref=r';
  expect(target('')).toEqual({
    kind: 'redirect',
    location: `https://example.org/?UTM_SOURCE=a&x=1&${added}#top`,
    outcome: 'target',
    rule: 'url',
  });
  expect(target('utm_source=own&y=2')).toMatchObject({
    location: `https://example.org/?UTM_SOURCE=a&x=1&${added.slice(added.indexOf('&') + 1)}&utm_source=own&y=2#top`,
  });
  expect(compileLink(snapshot('https://example.org/', { utm: {} })).plain).toMatchObject({
    location: 'https://example.org/',
  });
});

test('a visit without parameters gets the precomputed decision', () => {
  const link = compileLink(snapshot('https://example.org/'));
  expect(decide(link, visit())).toBe(link.plain);
  expect(decide(link, visit('qr=1'))).toBe(link.plain);
  expect(decide(link, { ...visit('a=1'), forwardsQuery: false })).toBe(link.plain);
});

test.each([
  ['https://example.org/a', 'b=1', 'https://example.org/a?b=1'],
  ['https://example.org/a#top', 'b=1', 'https://example.org/a?b=1#top'],
  ['https://example.org/a?b=1&c=2', 'b=9', 'https://example.org/a?c=2&b=9'],
  ['https://example.org/a?b=1&b=2', 'b=9&b=8', 'https://example.org/a?b=9&b=8'],
  ['https://example.org/a?flag', 'b', 'https://example.org/a?flag&b'],
  ['https://example.org/?', 'b=1', 'https://example.org/?b=1'],
  ['https://example.org/?%75tm_source=x', 'utm_source=y', 'https://example.org/?utm_source=y'],
  ['https://example.org/', 'qr=1&b=1&&qr=0', 'https://example.org/?b=1'],
  ['https://example.org/', '%71r=1', 'https://example.org/'],
  ['https://example.org/?qr=x', 'b=1', 'https://example.org/?qr=x&b=1'],
  ['https://example.org/', 'b=\u00fc "<>\'#frag', 'https://example.org/?b=%C3%BC%20%22%3C%3E%27%23frag'],
  ['https://example.org/', 'b=%0d%0aSet-Cookie:x\r\ny', 'https://example.org/?b=%0d%0aSet-Cookie:x%0D%0Ay'],
  ['https://example.org/', 'b=\ud800', 'https://example.org/?b=%EF%BF%BD'],
  ['https://example.org/', '%=1&b=%zz', 'https://example.org/?%=1&b=%zz'],
  ['https://example.org/', 'redir_url=https://evil.com', 'https://example.org/?redir_url=https://evil.com'],
])('%s visited with ?%s leads to %s', (url, query, location) => {
  expect(locationOf(url, query)).toBe(location);
});

test('no random query changes scheme, host, path or fragment, or leaves printable ASCII', () => {
  const alphabet = [..."/\\@:?#&=%.\r\n\0 ü😀\ud800+;|\u2028\u007f<'", ...['..', 'evil.com', 'qr']];
  const random = createRandom(20_241_121);
  const targets = ['https://example.org/a/b?c=1#d', 'http://example.org:8080', 'https://example.org/x?@y#/z'];
  for (let i = 0; i < trialSize(2_000, 20_000); i += 1) {
    const target = new URL(targets[i % targets.length] ?? '');
    const query = Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join('');
    const location = locationOf(target.href, query);
    expect(location).toMatch(/^[\x21-\x7e]+$/);
    const { protocol, host, pathname, hash, username } = new URL(location);
    const place = [target.protocol, target.host, target.pathname, target.hash, ''];
    expect([protocol, host, pathname, hash, username], query).toEqual(place);
  }
});

const STORES = {
  appStoreLink: 'https://apps.example/iphone?id=1',
  googlePlayLink: 'https://play.example/store?id=app',
  windowsAppLink: 'https://windows.example/',
  macOsAppLink: 'https://mac.example/',
  ipadAppLink: 'https://apps.example/ipad',
  appGalleryLink: 'https://gallery.example/',
  amazonStoreLink: 'https://amazon.example/',
  fallBackLink: 'https://example.org/app?a=1#top',
};
type StoreName = keyof typeof STORES;
const AGENTS = {
  fire: 'Mozilla/5.0 (Linux; Android 11; KFTRWI) Silk/142.1.1',
  huawei: 'Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13.0.351)',
  android: 'Mozilla/5.0 (Linux; Android 10; K)',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  other: 'Mozilla/5.0 (X11; Linux x86_64)',
};
const appLink = (...without: StoreName[]) => {
  const storeLinks = Object.fromEntries(
    Object.entries(STORES).filter(([name]) => !without.includes(name as StoreName)),
  );
  return compileLink({ ...snapshot(''), type: 'App', storeLinks } as unknown as LinkSnapshot);
};

test.each<[platform: keyof typeof AGENTS, without: StoreName[], expected: StoreName]>([
  ['fire', [], 'amazonStoreLink'],
  ['fire', ['amazonStoreLink'], 'googlePlayLink'],
  ['fire', ['amazonStoreLink', 'googlePlayLink'], 'fallBackLink'],
  ['huawei', [], 'appGalleryLink'],
  ['huawei', ['appGalleryLink'], 'googlePlayLink'],
  ['huawei', ['appGalleryLink', 'googlePlayLink'], 'fallBackLink'],
  ['android', [], 'googlePlayLink'],
  ['android', ['googlePlayLink'], 'fallBackLink'],
  ['ipad', [], 'ipadAppLink'],
  ['ipad', ['ipadAppLink'], 'appStoreLink'],
  ['ipad', ['ipadAppLink', 'appStoreLink'], 'fallBackLink'],
  ['iphone', [], 'appStoreLink'],
  ['iphone', ['appStoreLink'], 'fallBackLink'],
  ['mac', [], 'macOsAppLink'],
  ['mac', ['macOsAppLink'], 'fallBackLink'],
  ['windows', [], 'windowsAppLink'],
  ['windows', ['windowsAppLink'], 'fallBackLink'],
  ['other', [], 'fallBackLink'],
])('%s without %j gets %s', (platform, without, expected) => {
  const outcome = expected === 'fallBackLink' ? 'fallback' : 'target';
  const expectedDecision = { kind: 'redirect', location: STORES[expected], outcome, rule: expected };
  expect(decide(appLink(...without), visit('', false, AGENTS[platform]))).toEqual(expectedDecision);
  // Without a fallback the list of stores takes its place.
  expect(decide(appLink(...without, 'fallBackLink'), visit('', false, AGENTS[platform]))).toEqual(
    outcome === 'target' ? expectedDecision : { kind: 'chooser' },
  );
});

test('the visitor’s parameters go to the fallback, not to stores', () => {
  const query = 'utm_source=x&qr=1';
  expect(decide(appLink(), visit(query, false, AGENTS.iphone))).toEqual({
    kind: 'redirect',
    location: STORES.appStoreLink,
    outcome: 'target',
    rule: 'appStoreLink',
  });
  expect(decide(appLink(), visit(query, false, AGENTS.other))).toEqual({
    kind: 'redirect',
    location: 'https://example.org/app?a=1&utm_source=x#top',
    outcome: 'fallback',
    rule: 'fallBackLink',
  });
  expect(decide(appLink('fallBackLink'), visit(query))).toEqual({ kind: 'chooser' });
});

test.each([{ ...STORES, macOsAppLink: 'javascript:alert(1)' }, { fallBackLink: 'https://example.org/ x' }])(
  'an App link with a malformed address is unreadable, case %#',
  (storeLinks) => {
    const link = compileLink({ ...snapshot(''), type: 'App', storeLinks } as unknown as LinkSnapshot);
    expect(decide(link, visit('a=1', false, AGENTS.iphone))).toEqual({ kind: 'unsupported' });
  },
);

test.each(['Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'])(
  '%s is a page unless it is paused',
  (type) => {
    const page = { ...snapshot(''), type } as unknown as LinkSnapshot;
    expect(decide(compileLink(page), visit('a=1', false, AGENTS.iphone))).toEqual({ kind: 'page' });
    const paused = compileLink({ ...page, status: 'Paused' } as LinkSnapshot);
    expect(decide(paused, visit())).toEqual({ kind: 'paused' });
  },
);

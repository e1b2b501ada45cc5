import { expect, test } from 'vitest';
import type { ServedDomain } from '@smartlink/links/domains';
import { createHosts } from './served-host.js';

const BASE = { PUBLIC_BASE_URL: 'https://sl.example.com:8443', REDIRECT_PORT: 80, STRICT_HOSTS: false };

const domain = (number: number, host: string, more: Partial<ServedDomain> = {}): ServedDomain => ({
  ...{ number, host, isServed: true, rootUrl: null, notFoundUrl: null, expiredUrl: null },
  ...{ appleAppSiteAssociation: null, assetLinks: null },
  ...more,
});

/** What a Host header leads to: the number of a domain, `own`, or why it is refused. */
function createTrial(config: Partial<typeof BASE> = {}) {
  const hosts = createHosts({ ...BASE, ...config });
  const resolve = (header: string) => {
    const { refusal, number } = hosts.hostOf({ getHeader: (name) => (name === 'host' ? header : '') });
    return refusal ?? number ?? 'own';
  };
  return { hosts, resolve };
}

test.each([
  ['links.example', 5],
  ['LINKS.Example', 5],
  ['links.example:443', 5],
  ['links.example:', 5],
  ['links.example.', 5],
  ['Links.Example.:8443', 5],
  ['xn--bcher-kva.example', 6],
  ['XN--BCHER-KVA.EXAMPLE', 6],
  ['sl.example.com', 'own'],
  ['SL.EXAMPLE.COM.:8443', 'own'],
  // Names that no domain has, whatever they resemble.
  ...[
    ...['', '.', ':', ':80', '..', 'example', 'a.links.example', 'links.example.a', 'links.example..'],
    ...[
      'links.example:80.',
      'links.example:80:80',
      'links.example:x',
      'links.example:-1',
      'links.example:80 ',
    ],
    ...[
      'user@links.example',
      'links.example@other.example',
      'links.example/x',
      'links.example?x',
      ' links.example',
    ],
    ...[
      'links.example,other.example',
      'links.example other.example',
      'http://links.example',
      '*.example',
      '*',
    ],
    ...['b\u00fccher.example', '[::1]', '[::1]:80', '[links.example]', '127.0.0.1', '127.0.0.1:80', '::1'],
    ...['links\u3002example', 'links.example\u0000', '__proto__', 'constructor', 'x'.repeat(10_000)],
  ].map((header) => [header, 'own'] as const),
] as const)('Host: %s leads to %s, read the first time and again', (header, expected) => {
  const { hosts, resolve } = createTrial();
  hosts.apply({ changed: [domain(5, 'links.example'), domain(6, 'xn--bcher-kva.example')], gone: [] });
  expect([resolve(header), resolve(header)]).toEqual([expected, expected]);
});

test('without domains no header is read', () => {
  const hosts = createHosts(BASE);
  hosts.apply({ changed: [], gone: [] });
  const req = {
    getHeader: () => {
      throw new Error('A header was read');
    },
  };
  expect(hosts.hostOf(req)).toBe(hosts.own);
  hosts.apply({ changed: [domain(5, 'links.example')], gone: [] });
  expect(() => hosts.hostOf(req)).toThrow('A header was read');
  hosts.apply({ changed: [], gone: [5] });
  expect(hosts.hostOf(req)).toBe(hosts.own);
});

test('before a table is known only the public host answers, if it is known', () => {
  const { hosts, resolve } = createTrial();
  expect([resolve('sl.example.com'), resolve('links.example')]).toEqual(['own', 'unknown']);
  hosts.apply(null);
  expect(resolve('links.example')).toBe('unknown');
  hosts.apply({ changed: [], gone: [] });
  expect(resolve('links.example')).toBe('own');
  const { resolve: resolveUnset } = createTrial({ PUBLIC_BASE_URL: undefined as never });
  expect(resolveUnset('links.example')).toBe('own');
});

test('with STRICT_HOSTS only known hosts answer', () => {
  const { hosts, resolve } = createTrial({ STRICT_HOSTS: true });
  hosts.apply({ changed: [domain(5, 'links.example')], gone: [] });
  const headers = ['links.example', 'Sl.Example.Com:443', 'other.example', '', '127.0.0.1'];
  expect(headers.map(resolve)).toEqual([5, 'own', 'misdirected', 'misdirected', 'misdirected']);
});

test('a changed table counts at once, also for spellings seen before', () => {
  const { hosts, resolve } = createTrial();
  const spellings = ['links.example', 'LINKS.example:80'];
  const all = () => spellings.map(resolve);
  hosts.apply({ changed: [], gone: [] });
  expect(all()).toEqual(['own', 'own']);
  hosts.apply({ changed: [domain(5, 'links.example')], gone: [] });
  expect(all()).toEqual([5, 5]);
  hosts.apply({ changed: [domain(5, 'links.example', { isServed: false })], gone: [] });
  expect(all()).toEqual(['suspended', 'suspended']);
  // The next owner's number is another one, whichever of the two is told first.
  hosts.apply({ changed: [domain(9, 'links.example')], gone: [5] });
  expect(all()).toEqual([9, 9]);
  hosts.apply({ changed: [domain(12, 'links.example')], gone: [] });
  hosts.apply({ changed: [], gone: [9] });
  expect(all()).toEqual([12, 12]);
});

test('a domain never takes the name of the public base', () => {
  const { hosts, resolve } = createTrial();
  hosts.apply({ changed: [domain(5, 'sl.example.com'), domain(6, 'links.example')], gone: [] });
  expect(resolve('sl.example.com')).toBe('own');
  hosts.apply({ changed: [], gone: [5] });
  expect(resolve('sl.example.com')).toBe('own');
});

test('own hosts are all of them, and events have the host of the key, also after the domain is gone', () => {
  const { hosts } = createTrial();
  hosts.apply({ changed: [domain(5, 'links.example')], gone: [] });
  expect(['sl.example.com', 'links.example', 'other.example', ''].map(hosts.isOwn)).toEqual([
    ...[true, true, false, false],
  ]);
  hosts.apply({ changed: [], gone: [5] });
  expect(['5.docs', '5.=a-b', 'docs', '=a-b', '6.docs'].map(hosts.nameOf)).toEqual([
    ...['links.example', 'links.example', '', '', ''],
  ]);
});

test('addresses of a domain have scheme and port of the public base', () => {
  const { hosts } = createTrial();
  hosts.apply({ changed: [domain(5, 'links.example', { rootUrl: 'https://example.org/' })], gone: [] });
  const host = hosts.hostOf({ getHeader: () => 'links.example' });
  expect(host).toMatchObject({ baseUrl: 'https://links.example:8443', name: 'links.example' });
  expect([host.root?.location, host.notFound, host.expired]).toEqual(['https://example.org/', null, null]);
});

test('an address that no header may hold leads nowhere, and ends no worker', () => {
  const { hosts } = createTrial();
  const faulty = { rootUrl: 'https://example.org/\r\nX: y', notFoundUrl: 'https://example.org/\u0101' };
  hosts.apply({ changed: [domain(5, 'links.example', faulty)], gone: [] });
  expect(hosts.hostOf({ getHeader: () => 'links.example' })).toMatchObject({ root: null, notFound: null });
});

import { expect, test } from 'vitest';
import { clientNetwork, createTrustedProxies, parseNetworks } from './client-address.js';

const PEER = '203.0.113.9';
const PROXY = '10.0.0.1';
const proxies = createTrustedProxies(['10.0.0.0/8', '127.0.0.1', '2001:db8:a::/48', '::1/128']);

test.each<[title: string, peer: string, lines: string[], address: string]>([
  ['no header', PEER, [], PEER],
  ['an untrusted peer is believed nothing', PEER, ['198.51.100.1'], PEER],
  ['a trusted peer without header', PROXY, [], PROXY],
  ['one hop', PROXY, ['198.51.100.1'], '198.51.100.1'],
  ['a forged left part', PROXY, ['1.2.3.4, 198.51.100.1'], '198.51.100.1'],
  ['a chain of trusted proxies', PROXY, ['198.51.100.1, 10.1.1.1, 10.2.2.2'], '198.51.100.1'],
  ['forged, then two proxies', PROXY, ['1.2.3.4, 198.51.100.1, 10.2.2.2'], '198.51.100.1'],
  ['two header lines: the later one is nearer', PROXY, ['1.2.3.4', '198.51.100.1'], '198.51.100.1'],
  ['only trusted hops: the farthest', PROXY, ['10.3.3.3, 10.2.2.2'], '10.3.3.3'],
  ['with a port', PROXY, ['198.51.100.1:4711'], '198.51.100.1'],
  ['IPv6', PROXY, ['2001:DB8::5'], '2001:db8::5'],
  ['IPv6 with brackets and port', PROXY, ['[2001:db8::5]:4711'], '2001:db8::5'],
  ['IPv4 mapped into IPv6', PROXY, ['::ffff:198.51.100.1'], '198.51.100.1'],
  ['mapped, in hexadecimal', PROXY, ['::ffff:c633:6401'], '198.51.100.1'],
  ['mapped, in capitals and brackets', PROXY, ['[::FFFF:C633:6401]:4711'], '198.51.100.1'],
  ['mapped, with every zero', PROXY, ['0:0:0:0:0:ffff:198.51.100.1'], '198.51.100.1'],
  ['mapped, with all digits', PROXY, ['0000:0000:0000:0000:0000:ffff:c633:6401'], '198.51.100.1'],
  ['mapped, with a gap elsewhere', PROXY, ['0:0::0:ffff:c633:6401'], '198.51.100.1'],
  ['mapped, ending in a gap', PROXY, ['0:0:0:0:0:ffff::'], '0.0.0.0'],
  ['mapped, small numbers', PROXY, ['::ffff:100:2'], '1.0.0.2'],
  ['like mapped, one group further left', PROXY, ['::ffff:0:c633:6401'], '::ffff:0:c633:6401'],
  ['like mapped, one group further right', PROXY, ['::ffff:6401'], '::ffff:6401'],
  ['like mapped, not zero', PROXY, ['0:0:0:0:1:ffff:c633:6401'], '0:0:0:0:1:ffff:c633:6401'],
  ['IPv6 that ends in dots', PROXY, ['1::2:3:4:5:198.51.100.1'], '1:0:2:3:4:5:c633:6401'],
  ['a mapped trusted hop in hexadecimal', PROXY, ['198.51.100.1, ::ffff:a02:202'], '198.51.100.1'],
  ['a mapped trusted hop', PROXY, ['198.51.100.1, ::ffff:10.2.2.2'], '198.51.100.1'],
  ['a trusted IPv6 peer', '2001:db8:a::1', ['198.51.100.1'], '198.51.100.1'],
  ['rubbish on the right ends the walk', PROXY, ['198.51.100.1, unknown'], PROXY],
  ['rubbish on the left is never reached', PROXY, ['<script>, 198.51.100.1'], '198.51.100.1'],
  ['rubbish behind a trusted hop', PROXY, ['"x", 10.2.2.2'], '10.2.2.2'],
  ['an empty part', PROXY, ['198.51.100.1,'], PROXY],
  ['a zone', PROXY, ['fe80::1%eth0'], PROXY],
  ['octal notation', PROXY, ['0198.51.100.1'], PROXY],
  ['hexadecimal notation', PROXY, ['0xc6.51.100.1'], PROXY],
  ['spaces and tabs', PROXY, ['  198.51.100.1\t'], '198.51.100.1'],
  ['a very long chain stops somewhere', PROXY, [Array(5_000).fill('10.2.2.2').join(',')], '10.2.2.2'],
])('X-Forwarded-For: %s', (_title, peer, lines, address) => {
  expect(proxies.findClient(peer, lines)).toBe(address);
  // As the first time: only proxies are remembered.
  expect(proxies.findClient(peer, lines)).toBe(address);
});

test.each([
  ...['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0/8', 'example.com', 'x', '/8', ''],
  ...['2001:db8::/129', 'fe80::%1/64', 'fe80::1%eth0/64'],
])('the range %j is refused', (range) => {
  expect(parseNetworks([range])).toBeNull();
});

test('a client of limits is all of IPv4, and 56 or 48 bits of IPv6', () => {
  expect(clientNetwork('203.0.113.9', 56)).toBe('203.0.113.9');
  expect(clientNetwork('2001:db8:1:2ff:3:4:5:6', 56)).toBe(clientNetwork('2001:db8:1:200::9', 56));
  expect(clientNetwork('2001:0db8:1:302::9', 56)).toBe('2001:db8:1:300');
  expect(clientNetwork('2001:0db8:1:302::9', 48)).toBe('2001:db8:1');
  expect(clientNetwork('2001:db8::9', 56)).toBe('2001:db8:0:0');
  expect(clientNetwork('::1', 48)).toBe('0:0:0');
  expect(clientNetwork('2001:0db8:0004:0:0:0:0:1', 56)).toBe('2001:db8:4:0');
});

test('without trusted proxies no address is trusted', () => {
  expect(createTrustedProxies([]).findClient(PEER, ['198.51.100.1'])).toBe(PEER);
  expect(() => createTrustedProxies(['10.0.0.0/33'])).toThrow('TRUSTED_PROXIES');
});

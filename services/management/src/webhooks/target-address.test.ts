import { expect, test } from 'vitest';
import { parseNetworks } from '@smartlink/process/client-address';
import { createAddressRule, createTargetRules, parseTarget } from './target-address.js';

const permits = createAddressRule(parseNetworks([])!);

test.each([
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.0.1'],
  ...['192.168.0.1', '192.0.0.8', '192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
  ...['168.63.129.16', '::', '::1', '[::1]', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...[
    '::FFFF:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
  ],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456:789a::1', 'ff02::1', '100::1', '5f00::1'],
  ...['2001::1', '2001:0:4136:e378::1', '2001:2::1', '2001:20::1', '2001:db8::1', '3fff::1'],
  ...['2002:7f00:1::', '2002:0808:0808::1', '4000::1', 'localhost', '', '8.8.8', '08.8.8.8'],
])('%s is not connected to', (address) => {
  expect(permits(address)).toBe(false);
});

test.each([
  ...['8.8.8.8', '1.1.1.1', '172.32.0.1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:829::200e', '2001:4860:4860::8888', '[2606:4700::1]'],
])('%s is public', (address) => {
  expect(permits(address)).toBe(true);
});

test('allowed networks are permitted in every notation, and no others', () => {
  const rule = createAddressRule(parseNetworks(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32'])!);
  for (const address of ['10.1.255.1', '::ffff:10.1.0.1', '127.0.0.1', 'fd00:1::5']) {
    expect([address, rule(address)]).toEqual([address, true]);
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::5', '::1']) {
    expect([address, rule(address)]).toEqual([address, false]);
  }
});

const publicBaseUrl = 'https://sl.example.com';
const strict = createTargetRules({ publicBaseUrl, allowedNetworks: [] });
const open = createTargetRules({
  publicBaseUrl: 'http://127.0.0.1:8080',
  allowedNetworks: ['127.0.0.0/8', 'fd00::/8'],
});

test.each([
  ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://017700000001/'],
  ...['http://127。0。0。1/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[64:ff9b::7f00:1]/'],
  ...[
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://192.168.1.1:8080/',
    'http://0/',
    'http://0.0.0.0/',
  ],
  ...['http://localhost/', 'http://localhost./', 'http://x.localhost/', 'http://metadata.google.internal/'],
  ...['http://n8n:5678/', 'https://user:pass@example.org/', 'https://@example.org/', 'ftp://example.org/'],
  ...[
    'javascript:alert(1)',
    'https:/example.org',
    'https://example.org\\@127.0.0.1/',
    ' https://example.org/',
  ],
  ...['https://example.org:0/', 'https://sl.example.com/api/v1/x', 'https://SL.example.com./', ''],
])('%j may not receive messages', (text) => {
  expect(parseTarget(text, strict)).toBeNull();
});

test('a public target is accepted in normalised form', () => {
  expect(parseTarget('HTTPS://Hooks.Example.org:443/a?token=1#x', strict)).toBe(
    'https://hooks.example.org/a?token=1#x',
  );
});

test('allowed networks permit their addresses and internal names, but not the public base', () => {
  for (const [text, href] of [
    ['http://127.0.0.1:9000/x', 'http://127.0.0.1:9000/x'],
    ['http://127.1:9000/x', 'http://127.0.0.1:9000/x'],
    ['http://[fd00::1]:9000/', 'http://[fd00::1]:9000/'],
    ['http://n8n:5678/hook', 'http://n8n:5678/hook'],
    ['https://hooks.example.org/', 'https://hooks.example.org/'],
  ] as const) {
    expect(parseTarget(text, open)).toBe(href);
  }
  for (const text of [
    ...['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/', 'http://127.0.0.1:8080/x'],
    ...['http://user@127.0.0.1:9000/', 'file://127.0.0.1/x', 'http://127.0.0.1:0/', 'http:\\\\127.0.0.1/'],
  ]) {
    expect([text, parseTarget(text, open)]).toEqual([text, null]);
  }
});

test('the host of the public base is refused in any spelling, scheme and port', () => {
  const named = createTargetRules({ publicBaseUrl, allowedNetworks: ['10.0.0.0/8'] });
  for (const text of [
    ...['https://sl.example.com/x', 'http://sl.example.com/x', 'https://sl.example.com:8443/x'],
    ...['https://sl.example.com./x', 'http://SL.example.com.:81/', 'https://sl%2Eexample.com/'],
  ]) {
    expect([text, parseTarget(text, named)]).toEqual([text, null]);
  }
  expect(parseTarget('https://other.example.com/', named)).toBe('https://other.example.com/');
});

test('the port of a public base on loopback is refused in any scheme, other ports are not', () => {
  const local = createTargetRules({
    publicBaseUrl: 'http://localhost:8080',
    allowedNetworks: ['127.0.0.0/8'],
  });
  for (const text of ['https://localhost:8080/x', 'http://localhost.:8080/', 'http://LOCALHOST:8080']) {
    expect([text, parseTarget(text, local)]).toEqual([text, null]);
  }
  expect(parseTarget('http://localhost:9000/', local)).toBe('http://localhost:9000/');
  expect(parseTarget('https://127.0.0.1:8080/', open)).toBeNull();
});

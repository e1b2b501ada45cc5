import { expect, test } from 'vitest';
import { createAddressRule, parseNetworks } from './public-address.js';

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

test('what the operator allows is permitted in every form, and nothing beside it', () => {
  const rule = createAddressRule(parseNetworks(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32'])!);
  for (const address of ['10.1.255.1', '::ffff:10.1.0.1', '127.0.0.1', 'fd00:1::5']) {
    expect([address, rule(address)]).toEqual([address, true]);
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::5', '::1']) {
    expect([address, rule(address)]).toEqual([address, false]);
  }
});

test.each(['10.0.0.0/33', '10.0.0/8', 'x', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::%1/64', ''])(
  'the network %j is refused',
  (range) => {
    expect(parseNetworks([range])).toBeNull();
  },
);

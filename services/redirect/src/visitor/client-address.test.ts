import { expect, test } from 'vitest';
import { addressToText, toClientAddress } from './client-address.js';

test('reads the bytes of both families', () => {
  expect(addressToText(Uint8Array.of(203, 0, 113, 9))).toBe('203.0.113.9');
  expect(addressToText(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 203, 0, 113, 9))).toBe(
    '203.0.113.9',
  );
  expect(addressToText(Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))).toBe(
    '2001:db8:0:0:0:0:0:1',
  );
  expect(addressToText(new Uint8Array())).toBe('');
});

test('visitor ids drop the last byte of IPv4, and all but 48 bits of IPv6', () => {
  const shorten = (address: string) => toClientAddress(address).network;
  expect(shorten('203.0.113.9')).toBe('203.0.113');
  expect(shorten('2001:0db8:1:2::9')).toBe('2001:db8:1');
  expect(shorten('2001:db8:1:ffff:1:2:3:4')).toBe(shorten('2001:db8:1::'));
  expect(shorten('2001:db8::9')).toBe('2001:db8:0');
});

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { toClientAddress } from '../client-address.js';
import { createVisitorIds } from './visitor-id.js';

const SALT = Buffer.alloc(32, 7);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const createReader = (saltOf: () => Buffer) => {
  const read = createVisitorIds(saltOf);
  return (address: string, userAgent: string, timeMs: number) =>
    read(toClientAddress(address), userAgent, timeMs);
};
const idOf = createReader(() => SALT);

test('an id is the first 64 bits of HMAC-SHA256 over the shortened address and the User-Agent', () => {
  const digest = createHmac('sha256', SALT).update(`203.0.113\n${FIREFOX}`).digest();
  expect(idOf('203.0.113.9', FIREFOX, 0)).toBe(digest.readBigUInt64BE(0));
});

test('the same visitor has the same id, remembered or not; another network or User-Agent has another', () => {
  const id = idOf('203.0.113.9', FIREFOX, 0);
  expect(idOf('203.0.113.9', FIREFOX, 0)).toBe(id);
  expect(createReader(() => SALT)('203.0.113.9', FIREFOX, 0)).toBe(id);
  expect(idOf('203.0.113.200', FIREFOX, 0)).toBe(id);
  expect(idOf('203.0.114.9', FIREFOX, 0)).not.toBe(id);
  expect(idOf('203.0.113.9', `${FIREFOX}.1`, 0)).not.toBe(id);
  expect(createReader(() => Buffer.alloc(32, 8))('203.0.113.9', FIREFOX, 0)).not.toBe(id);
});

test('networks and User-Agents are never taken for each other', () => {
  expect(idOf('2001:db8:1::1', FIREFOX, 0)).toBe(idOf('2001:db8:1:ffff::2', FIREFOX, 0));
  expect(idOf('2001:db8:1::1', FIREFOX, 0)).not.toBe(idOf('2001:db8:2::1', FIREFOX, 0));
});

test('ids stay the same when more visitors come than are remembered, or one with 8 KiB of User-Agent', () => {
  const id = idOf('203.0.113.9', FIREFOX, 0);
  for (let i = 0; i < 10_500; i += 1) idOf(`10.${i >> 8}.${i & 255}.1`, FIREFOX, 0);
  expect(idOf('203.0.113.9', FIREFOX, 0)).toBe(id);
  const long = 'x'.repeat(8_192);
  expect(idOf('203.0.113.9', long, 0)).toBe(idOf('203.0.113.9', long, 0));
});

test('a new salt makes new ids of visitors that were remembered', () => {
  let salt = SALT;
  const read = createReader(() => salt);
  const id = read('203.0.113.9', FIREFOX, 0);
  salt = Buffer.alloc(32, 9);
  expect(read('203.0.113.9', FIREFOX, 0)).not.toBe(id);
});

import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.js';

test('verifies its own hashes, tells another password apart, and a damaged hash matches nothing', async () => {
  const phc = await hashPassword('correct horse');
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(phc, 'correct horse')).toBe(true);
  expect(await verifyPassword(phc, 'correct Horse')).toBe(false);
  expect(await verifyPassword(phc.slice(0, -4), 'correct horse')).toBe(false);
  expect(await verifyPassword('', 'correct horse')).toBe(false);
});

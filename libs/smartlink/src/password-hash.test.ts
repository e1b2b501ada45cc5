import { expect, test } from 'vitest';
import { hashPassword, verifyPassword, verifyPasswordHere } from './credentials.js';

test.each([
  ['beside this thread', verifyPassword],
  ['in this thread', verifyPasswordHere],
])(
  'verified %s: its own hashes are right, another password is not, and a damaged hash matches nothing',
  async (_where, verify) => {
    const phc = await hashPassword('correct horse');
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(phc, 'correct horse')).toBe(true);
    expect(await verify(phc, 'correct Horse')).toBe(false);
    expect(await verify(phc.slice(0, -4), 'correct horse')).toBe(false);
    expect(await verify('', 'correct horse')).toBe(false);
  },
);

import { expect, test } from 'vitest';
import { hashPassword } from '@smartlink/smartlink/credentials';
import { HASH_OF_NOTHING } from './passwords.js';

test('an e-mail of no person costs the same hash as that of one', async () => {
  const parametersOf = (phc: string) => phc.split('$').slice(0, 4);
  expect(parametersOf(HASH_OF_NOTHING)).toEqual(parametersOf(await hashPassword('secret')));
});

import { expect, test } from 'vitest';
import { createPasswordHasher } from './password-hasher.js';

test('a hash is verified by its own secret alone', async () => {
  const hasher = createPasswordHasher({ runningMax: 1, waitingMax: 1 });
  const phc = await hasher.hash('secret');
  expect(await hasher.verify(phc, 'secret')).toBe(true);
  expect(await hasher.verify(phc, 'Secret')).toBe(false);
});

test('refuses with SERVICE_UNAVAILABLE beyond its queue, and continues afterwards', async () => {
  const hasher = createPasswordHasher({ runningMax: 2, waitingMax: 3 });
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => hasher.hash('secret')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(hasher.hash('secret')).resolves.toMatch(/^\$argon2id\$/);
});

test('a flood of sign-ins keeps no link from its password', async () => {
  const hasher = createPasswordHasher({ runningMax: 1, waitingMax: 2 });
  const flood = Promise.allSettled(Array.from({ length: 9 }, () => hasher.verifyOfPerson('', 'guess')));
  await expect(hasher.hash('secret')).resolves.toMatch(/^\$argon2id\$/);
  expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(6);
});

test('a single hash has room beside bulk callers that fill theirs, and does not wait for all of them', async () => {
  const hasher = createPasswordHasher({ runningMax: 2, waitingMax: 12 });
  let done = 0;
  const hashOfMany = async () => {
    await hasher.hashOfMany('secret');
    done += 1;
  };
  const many = Array.from({ length: 14 }, hashOfMany);
  const oneTooMany = hasher.hashOfMany('secret');
  const singles = [hasher.hash('secret'), hasher.hash('secret'), hasher.hash('secret')];
  const doneBefore = Promise.all(singles).then(() => done);
  await expect(oneTooMany).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await doneBefore).toBeLessThan(14);
  await Promise.all(many);
  expect(done).toBe(14);
});

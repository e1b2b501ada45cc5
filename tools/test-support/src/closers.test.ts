import { expect, test } from 'vitest';
import { createClosers } from './closers.js';

test('closes in reverse order, each once, although some fail', async () => {
  const closers = createClosers();
  const ended: string[] = [];
  closers.add(() => ended.push('first'));
  closers.add(() => Promise.reject(new Error('of the second')));
  closers.add(() => {
    throw new Error('of the third');
  });
  closers.add(async () => {
    await Promise.resolve();
    ended.push('last');
  });
  await expect(closers.close()).rejects.toThrow('of the third');
  expect(ended).toEqual(['last', 'first']);
  await closers.close();
  expect(ended).toEqual(['last', 'first']);
});

import { expect, test } from 'vitest';
import { TimeLimitError, withTimeLimit } from './time-limit.js';

test('hands on what comes in time, good or bad', async () => {
  await expect(withTimeLimit(1_000, Promise.resolve(5))).resolves.toBe(5);
  await expect(withTimeLimit(1_000, Promise.reject(new Error('x')))).rejects.toThrow('x');
});

test('rejects what does not come, and drops what comes late without an unhandled rejection', async () => {
  let fail: (err: Error) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  await expect(withTimeLimit(1, late)).rejects.toBeInstanceOf(TimeLimitError);
  fail(new Error('late'));
});

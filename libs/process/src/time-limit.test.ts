import { expect, test } from 'vitest';
import { TimeLimitError, withTimeLimit } from './database.js';

test('passes on results and failures within the limit', async () => {
  await expect(withTimeLimit(1_000, Promise.resolve(5))).resolves.toBe(5);
  await expect(withTimeLimit(1_000, Promise.reject(new Error('x')))).rejects.toThrow('x');
});

test('rejects after the limit, and drops late results without an unhandled rejection', async () => {
  let fail: (err: Error) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  await expect(withTimeLimit(1, late)).rejects.toBeInstanceOf(TimeLimitError);
  fail(new Error('late'));
});

test('accepts a result that arrived while the process was busy for longer than the limit', async () => {
  // From here on timers are next, and what has come in after them.
  await new Promise((resolve) => setImmediate(resolve));
  const answer = new Promise((resolve) => setImmediate(resolve, 5));
  const limited = withTimeLimit(1, answer);
  const from = performance.now();
  while (performance.now() - from < 5);
  await expect(limited).resolves.toBe(5);
});

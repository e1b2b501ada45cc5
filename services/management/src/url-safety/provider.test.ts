import { expect, test } from 'vitest';
import { ProviderError, askInBatches, batchesOf } from './provider.js';

const forever = () => new AbortController().signal;

/** Waits for the signal, as a question does that is not answered. */
const silence = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

test('all batches are sent, eight at a time, and their results combined', async () => {
  let underWay = 0;
  let most = 0;
  const found = await askInBatches(
    batchesOf(
      Array.from({ length: 95 }, (_, i) => String(i)),
      3,
    ),
    forever(),
    async (batch) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return batch.slice(0, 1);
    },
  );
  expect([found.size, most]).toEqual([32, 8]);
});

test('the first failure ends the other calls, and earlier results are reported', async () => {
  const asked: string[] = [];
  const failure = await askInBatches(
    ['bad', 'broken', 'silent', ...'abcdefghij'.split('')],
    forever(),
    async (url, signal) => {
      asked.push(url);
      if (url === 'bad') return [url];
      if (url === 'silent') return silence(signal);
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('connection reset');
    },
  ).catch((err: unknown) => err);
  expect(failure).toBeInstanceOf(ProviderError);
  expect(failure).toMatchObject({
    message: 'connection reset',
    unsafe: new Set(['bad']),
    isProviderUp: true,
  });
  expect(asked.length).toBeLessThan(13);
});

test('a provider that has answered nothing is down, unless it only refused the question', async () => {
  const failureOf = (err: Error) =>
    askInBatches(['x'], forever(), () => Promise.reject(err)).catch((e: unknown) => e);
  expect(await failureOf(new Error('no'))).toMatchObject({ isProviderUp: false });
  expect(await failureOf(new ProviderError('no', { isProviderUp: true }))).toMatchObject({
    isProviderUp: true,
  });
});

test('the reason of a caller that gives up is the reason', async () => {
  const limit = new AbortController();
  const failure = askInBatches(['x'], limit.signal, (_url, signal) => silence(signal)).catch(
    (err: unknown) => err,
  );
  limit.abort(new Error('no answer within 5 ms'));
  expect(await failure).toMatchObject({ message: 'no answer within 5 ms', isProviderUp: false });
});

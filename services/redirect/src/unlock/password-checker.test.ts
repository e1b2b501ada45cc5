import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { LowPriorityThreadEvents } from '@smartlink/process/thread';
import { createPasswordChecker, type PasswordJob, type PasswordResult } from './password-checker.js';

// What the checker does with its thread, by threads that do what the test says.
function createTrial(failsToStart = 0) {
  const threads: {
    events: LowPriorityThreadEvents<PasswordResult>;
    jobs: PasswordJob[];
    isTerminated: boolean;
  }[] = [];
  let starts = 0;
  const checker = createPasswordChecker({
    log: pino({ level: 'silent' }),
    startThread(events) {
      starts += 1;
      if (starts <= failsToStart) throw new Error('no more threads');
      const thread = { events, jobs: [] as PasswordJob[], isTerminated: false };
      threads.push(thread);
      return {
        post: (job) => void thread.jobs.push(job),
        terminate: () => {
          thread.isTerminated = true;
          return Promise.resolve(1);
        },
      };
    },
  });
  return { checker, threads };
}

test('no thread is there before the first password, and each verdict reaches who asked', async () => {
  const { checker, threads } = createTrial();
  expect(threads).toHaveLength(0);
  const [first, second] = [checker.verify('hash', 'one'), checker.verify('hash', 'two')];
  const { events, jobs } = threads[0]!;
  expect(jobs.map(({ password }) => password)).toEqual(['one', 'two']);
  events.onResult({ id: jobs[1]!.id, isRight: false });
  events.onResult({ id: jobs[0]!.id, isRight: true });
  expect(await Promise.all([first, second])).toEqual([true, false]);
});

test('a crashed thread unlocks nothing, and the next password is checked by a new one', async () => {
  const { checker, threads } = createTrial();
  const lost = checker.verify('hash', 'lost');
  threads[0]!.events.onBroken(new Error('out of memory'));
  await expect(lost).rejects.toThrow('out of memory');
  const next = checker.verify('hash', 'next');
  threads[1]!.events.onResult({ id: threads[1]!.jobs[0]!.id, isRight: true });
  expect(await next).toBe(true);
  expect(threads[0]!.isTerminated).toBe(true);
});

test('without a thread a password is refused, and the next one tries again', async () => {
  const { checker, threads } = createTrial(1);
  await expect(checker.verify('hash', 'first')).rejects.toThrow('no more threads');
  void checker.verify('hash', 'second').catch(() => undefined);
  expect(threads).toHaveLength(1);
});

test('closing refuses what waits', async () => {
  const { checker, threads } = createTrial();
  const waiting = checker.verify('hash', 'waiting');
  await checker.close();
  await expect(waiting).rejects.toThrow('stopping');
  expect(threads[0]!.isTerminated).toBe(true);
});

import type { Logger } from '@smartlink/process/lifecycle';
import {
  type LowPriorityThread,
  type LowPriorityThreadEvents,
  startLowPriorityThread,
} from '../worker/low-priority-thread.js';

export type PasswordJob = { readonly id: number; readonly phc: string; readonly password: string };
export type PasswordResult = { readonly id: number; readonly isRight: boolean };

export type PasswordChecker = ReturnType<typeof createPasswordChecker>;

type Waiting = { readonly resolve: (isRight: boolean) => void; readonly reject: (err: unknown) => void };

// Besides the heap, a hash takes 19 MiB.
const MEMORY_MIB = 64;

/** Throws when the system refuses a thread. */
export function startPasswordThread(
  events: LowPriorityThreadEvents<PasswordResult>,
): LowPriorityThread<PasswordJob> {
  const file = new URL('password-thread.js', import.meta.url);
  return startLowPriorityThread(file, { memoryMib: MEMORY_MIB }, events);
}

/** Checks passwords in a thread of their own, started by the first call: most instances never need it. */
export function createPasswordChecker(options: { startThread: typeof startPasswordThread; log: Logger }) {
  const { startThread, log } = options;
  const waiting = new Map<number, Waiting>();
  let thread: LowPriorityThread<PasswordJob> | null = null;
  let nextId = 1;

  function onResult({ id, isRight }: PasswordResult): void {
    waiting.get(id)?.resolve(isRight);
    waiting.delete(id);
  }

  function onBroken(err: unknown): void {
    log.error({ err }, 'password worker restarted');
    void thread?.terminate();
    thread = null;
    refuseAll(err);
  }

  function refuseAll(err: unknown): void {
    for (const { reject } of waiting.values()) reject(err);
    waiting.clear();
  }

  return {
    /** Whether `password` matches `phc`. Rejects when the thread broke; the next call starts another. */
    verify: (phc: string, password: string) =>
      new Promise((resolve, reject) => {
        thread ??= startThread({ onResult, onBroken });
        const id = nextId;
        nextId += 1;
        waiting.set(id, { resolve, reject });
        thread.post({ id, phc, password });
      }),
    /** Ends the thread and rejects pending calls. */
    async close() {
      refuseAll(new Error('The service is stopping'));
      await thread?.terminate();
      thread = null;
    },
  };
}

export type PasswordGate = ReturnType<typeof createPasswordGate>;

/** Checks one password at a time and lets `waitingMax` wait, about a second: a hash takes 19 MiB and 30 ms of a core. */
export function createPasswordGate(checker: Pick<PasswordChecker, 'verify'>, waitingMax: number) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    /** Whether the password is right, or `busy` at once if too many checks wait. Rejects as `verify` does. */
    async check(phc: string, password: string) {
      if (waiting > waitingMax) return 'busy';
      waiting += 1;
      const turn = last.then(() => checker.verify(phc, password));
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
  };
}

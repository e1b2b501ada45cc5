import type { Logger } from '@smartlink/process/logger';
import { startQuietThread } from '../quiet-thread.js';
import type { QuietThread, QuietThreadEvents } from '../quiet-thread.js';

export type PasswordJob = { readonly id: number; readonly phc: string; readonly password: string };
export type PasswordResult = { readonly id: number; readonly isRight: boolean };

export type PasswordChecker = {
  /** Returns whether `password` is the one behind `phc`. Rejects when the thread broke; there is a new one for the next. */
  readonly verify: (phc: string, password: string) => Promise<boolean>;
  /** Ends the thread; what waits is rejected. */
  readonly close: () => Promise<void>;
};

type Waiting = { readonly resolve: (isRight: boolean) => void; readonly reject: (err: unknown) => void };

// A hash holds 19 MiB beside the heap.
const MEMORY_MIB = 64;

/** Starts the thread in which passwords are checked; throws when the system gives none. */
export function startPasswordThread(events: QuietThreadEvents<PasswordResult>): QuietThread<PasswordJob> {
  const file = new URL('password-thread.js', import.meta.url);
  return startQuietThread(file, { memoryMib: MEMORY_MIB }, events);
}

/** Checks passwords in a thread of their own, which is started for the first one: most instances never need it. */
export function createPasswordChecker(options: {
  startThread: typeof startPasswordThread;
  log: Logger;
}): PasswordChecker {
  const { startThread, log } = options;
  const waiting = new Map<number, Waiting>();
  let thread: QuietThread<PasswordJob> | null = null;
  let nextId = 1;

  function onResult({ id, isRight }: PasswordResult): void {
    waiting.get(id)?.resolve(isRight);
    waiting.delete(id);
  }

  function onBroken(err: unknown): void {
    log.error({ err }, 'the thread of passwords is replaced');
    void thread?.terminate();
    thread = null;
    refuseAll(err);
  }

  function refuseAll(err: unknown): void {
    for (const { reject } of waiting.values()) reject(err);
    waiting.clear();
  }

  return {
    verify: (phc, password) =>
      new Promise((resolve, reject) => {
        thread ??= startThread({ onResult, onBroken });
        const id = nextId;
        nextId += 1;
        waiting.set(id, { resolve, reject });
        thread.post({ id, phc, password });
      }),
    async close() {
      refuseAll(new Error('The service is stopping'));
      await thread?.terminate();
      thread = null;
    },
  };
}

import type { Logger } from '@smartlink/process/lifecycle';
import {
  type LowPriorityThread,
  type LowPriorityThreadEvents,
  startLowPriorityThread,
} from '@smartlink/process/thread';

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
      new Promise<boolean>((resolve, reject) => {
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

type PasswordTry = { readonly smartlinkId: string; readonly hash: string; readonly password: string };
type Turn = PasswordTry & {
  readonly resolve: (verdict: boolean | 'busy') => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Checks one password at a time, since a hash takes 19 MiB and 30 ms of a core, and lets `waitingMax` wait, about a second.
 * Links take turns, so that guesses at one link do not delay the visitors of another.
 */
export function createPasswordGate(checker: Pick<PasswordChecker, 'verify'>, waitingMax: number) {
  /** By link, in the order of turns. */
  const queues = new Map<string, Turn[]>();
  let waiting = 0;
  let isChecking = false;

  function add(turn: Turn): void {
    const queue = queues.get(turn.smartlinkId);
    if (queue === undefined) queues.set(turn.smartlinkId, [turn]);
    else queue.push(turn);
    waiting += 1;
  }

  function takeNext(): Turn | null {
    for (const [smartlinkId, queue] of queues) {
      const turn = queue.shift();
      queues.delete(smartlinkId);
      if (queue.length > 0) queues.set(smartlinkId, queue);
      if (turn === undefined) continue;
      waiting -= 1;
      return turn;
    }
    return null;
  }

  /** Sends the last of the longest queue away, if that leaves it no shorter than the queue of `smartlinkId` becomes. */
  function makeRoom(smartlinkId: string): boolean {
    const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a));
    const ownLength = queues.get(smartlinkId)?.length ?? 0;
    if (longest.length <= ownLength + 1) return false;
    longest.pop()?.resolve('busy');
    waiting -= 1;
    return true;
  }

  async function work(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    for (let turn = takeNext(); turn !== null; turn = takeNext()) {
      await checker.verify(turn.hash, turn.password).then(turn.resolve, turn.reject);
    }
    isChecking = false;
  }

  return {
    /** Whether the password is right, or `busy` at once if too many checks wait. Rejects as `verify` does. */
    check: (tried: PasswordTry) =>
      new Promise<boolean | 'busy'>((resolve, reject) => {
        if (waiting >= waitingMax && !makeRoom(tried.smartlinkId)) {
          resolve('busy');
          return;
        }
        add({ ...tried, resolve, reject });
        void work();
      }),
  };
}

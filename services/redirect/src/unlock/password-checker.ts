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

type PasswordTry = {
  readonly ownerId: string;
  readonly smartlinkId: string;
  readonly hash: string;
  readonly password: string;
};
type Turn = PasswordTry & {
  readonly resolve: (verdict: boolean | 'busy') => void;
  readonly reject: (err: unknown) => void;
};
/** The waiting of one owner by link, in the order of turns; none is empty. */
type LinkQueues = Map<string, Turn[]>;

/**
 * Checks one password at a time, since a hash takes 19 MiB and 30 ms of a core, and lets `waitingMax` wait, about a second.
 * Owners take turns, and the links of an owner, so that guesses at some links delay the visitors of others by one hash.
 */
export function createPasswordGate(checker: Pick<PasswordChecker, 'verify'>, waitingMax: number) {
  /** By owner, in the order of turns. */
  const owners = new Map<string, LinkQueues>();
  let waiting = 0;
  let isChecking = false;

  function add(turn: Turn): void {
    const links = owners.get(turn.ownerId) ?? new Map<string, Turn[]>();
    links.set(turn.smartlinkId, [...(links.get(turn.smartlinkId) ?? []), turn]);
    owners.set(turn.ownerId, links);
    waiting += 1;
  }

  function takeNext(): Turn | null {
    const [links] = owners.values();
    const [queue] = links?.values() ?? [];
    const turn = queue?.shift();
    if (links === undefined || queue === undefined || turn === undefined) return null;
    waiting -= 1;
    // What is left goes behind the others.
    owners.delete(turn.ownerId);
    links.delete(turn.smartlinkId);
    if (queue.length > 0) links.set(turn.smartlinkId, queue);
    if (links.size > 0) owners.set(turn.ownerId, links);
    return turn;
  }

  /**
   * Sends the last of the longest queue away: of the owner with the most waiting, if that leaves it no fewer than the
   * owner of `tried` gets, else of the same owner, if that leaves the queue no shorter than the one of `tried` becomes.
   */
  function makeRoom({ ownerId, smartlinkId }: PasswordTry): boolean {
    const own = owners.get(ownerId) ?? new Map<string, Turn[]>();
    const most = [...owners.values()].reduce((a, b) => (sizeOf(b) >= sizeOf(a) ? b : a));
    const isOfOther = sizeOf(most) > sizeOf(own) + 1;
    const queues = [...(isOfOther ? most : own).values()];
    const longest = queues.reduce<Turn[]>((a, b) => (b.length >= a.length ? b : a), []);
    if (!isOfOther && longest.length <= (own.get(smartlinkId)?.length ?? 0) + 1) return false;
    const last = longest.pop();
    if (last === undefined) return false;
    if (longest.length === 0) owners.get(last.ownerId)?.delete(last.smartlinkId);
    waiting -= 1;
    last.resolve('busy');
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
        if (waiting >= waitingMax && !makeRoom(tried)) {
          resolve('busy');
          return;
        }
        add({ ...tried, resolve, reject });
        void work();
      }),
  };
}

function sizeOf(links: LinkQueues): number {
  return [...links.values()].reduce((sum, queue) => sum + queue.length, 0);
}

type Waiting = { readonly grant: (release: () => void) => void; readonly timer: NodeJS.Timeout };

type FairQueueOptions = {
  /** Turns in progress at once, over all keys. */
  readonly runningMax: number;
  readonly runningPerKeyMax: number;
  readonly waitingPerKeyMax: number;
  readonly waitMsMax: number;
};

/** The key already has too many waiting, or waited too long. */
export class QueueRefusal extends Error {}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** Grants turns to keys round robin, so that a key with a long queue delays no other. */
export function createFairQueue(options: FairQueueOptions) {
  const { runningMax, runningPerKeyMax, waitingPerKeyMax, waitMsMax } = options;
  const running = new Map<string, number>();
  // Keys in the order of their next turn.
  const waiting = new Map<string, Waiting[]>();
  let runningTotal = 0;
  let waitingTotal = 0;

  const hasRoom = (key: string): boolean =>
    runningTotal < runningMax && (running.get(key) ?? 0) < runningPerKeyMax;

  function start(key: string): () => void {
    runningTotal += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      runningTotal -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
      grantTurns();
    };
  }

  function grantTurns(): void {
    for (const [key, queue] of [...waiting]) {
      if (runningTotal >= runningMax) return;
      if (!hasRoom(key)) continue;
      const next = queue.shift();
      waiting.delete(key);
      // Behind the other keys.
      if (queue.length > 0) waiting.set(key, queue);
      if (next === undefined) continue;
      waitingTotal -= 1;
      clearTimeout(next.timer);
      next.grant(start(key));
    }
  }

  function remove(key: string, entry: Waiting): void {
    const queue = (waiting.get(key) ?? []).filter((each) => each !== entry);
    waitingTotal -= 1;
    if (queue.length === 0) waiting.delete(key);
    else waiting.set(key, queue);
  }

  return {
    /** Waits for a turn. The caller ends it with the function returned. Rejects with QueueRefusal. */
    async enter(key: string): Promise<() => void> {
      const queue = waiting.get(key) ?? [];
      if (queue.length === 0 && hasRoom(key)) return start(key);
      if (queue.length >= waitingPerKeyMax) throw new QueueRefusal('too many requests wait');
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          grant: resolve,
          timer: setTimeout(() => {
            remove(key, entry);
            reject(new QueueRefusal('the request waited too long'));
          }, waitMsMax),
        };
        queue.push(entry);
        waiting.set(key, queue);
        waitingTotal += 1;
      });
    },
    counts: () => ({ running: runningTotal, waiting: waitingTotal }),
  };
}

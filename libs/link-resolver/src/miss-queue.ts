// One query every 20 ms at most: 50 queries a second a process, however many unknown slugs are tried.
const GATHER_MS = 20;
// Larger sets are cut, so that no statement grows without bound.
const BATCH_MAX = 500;
// What waits when Postgres has stopped answering is bounded; beyond it a miss fails at once.
const WAITING_MAX = 10_000;

type Waiting<Answer> = {
  /** The newest version that any of them asks for. */
  minVersion: number;
  readonly bytes: number;
  readonly waiters: Waiter<Answer>[];
};

type Waiter<Answer> = {
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Returns a look-up that gathers slugs into batches for `fetchBatch`. The first miss after a quiet 20 ms goes at once;
 * those that come while it runs, or within 20 ms of it, share the next batch. Rejects when the batch did, and with the
 * Error that the batch holds for this slug. `minVersion` tells the batch what its askers know of; the `bytes` that they
 * expect come to `batchBytesMax` in a batch, or it holds one slug.
 */
export function createMissQueue<Answer>(
  fetchBatch: (
    slugKeys: readonly string[],
    minVersion: (slugKey: string) => number,
  ) => Promise<ReadonlyMap<string, Answer | Error>>,
  batchBytesMax = Infinity,
): (slugKey: string, minVersion?: number, bytes?: number) => Promise<Answer | null> {
  const waiting = new Map<string, Waiting<Answer>>();
  let isBusy = false;

  function flush(): void {
    if (waiting.size === 0) {
      isBusy = false;
      return;
    }
    isBusy = true;
    const batch = new Map<string, Waiting<Answer>>();
    let batchBytes = 0;
    for (const [slugKey, entry] of waiting) {
      batchBytes += entry.bytes;
      if (batch.size === BATCH_MAX || (batch.size > 0 && batchBytes > batchBytesMax)) break;
      batch.set(slugKey, entry);
      waiting.delete(slugKey);
    }
    const startedAt = performance.now();
    void settle(batch).then(() => {
      setTimeout(flush, Math.max(0, GATHER_MS - (performance.now() - startedAt)));
    });
  }

  async function settle(batch: ReadonlyMap<string, Waiting<Answer>>): Promise<void> {
    try {
      const found = await fetchBatch([...batch.keys()], (slugKey) => batch.get(slugKey)?.minVersion ?? 0);
      for (const [slugKey, { waiters }] of batch) {
        const answer = found.get(slugKey) ?? null;
        for (const waiter of waiters) {
          if (answer instanceof Error) waiter.reject(answer);
          else waiter.resolve(answer);
        }
      }
    } catch (err) {
      for (const { waiters } of batch.values()) for (const waiter of waiters) waiter.reject(err);
    }
  }

  return (slugKey, minVersion = 0, bytes = 0) =>
    new Promise((resolve, reject) => {
      const known = waiting.get(slugKey);
      if (known) {
        known.minVersion = Math.max(known.minVersion, minVersion);
        known.waiters.push({ resolve, reject });
        return;
      }
      if (waiting.size >= WAITING_MAX) {
        reject(new Error(`More than ${WAITING_MAX} slugs wait for Postgres`));
        return;
      }
      waiting.set(slugKey, { minVersion, bytes, waiters: [{ resolve, reject }] });
      if (!isBusy) flush();
    });
}

/** Thrown when something took longer than it may. */
export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Returns what `work` resolves to, or rejects with TimeLimitError after `limitMs`. The work itself goes on; its late
 * outcome, good or bad, is dropped. What has come in while this process was busy with something else is in time.
 */
export async function withTimeLimit<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // Timers come before what sockets have received, so a busy process would take its own delay for a silent engine.
      setImmediate(() => {
        reject(new TimeLimitError(limitMs));
      });
    }, limitMs);
  });
  // Promise.race leaves the loser without a handler of its own.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

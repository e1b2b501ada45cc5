const POLL_MS = 20;

/** Polls `ask` until its answer is neither null, undefined nor false, and returns it. Rejects after `deadlineMs`. */
export async function until<T>(
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  what: string,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

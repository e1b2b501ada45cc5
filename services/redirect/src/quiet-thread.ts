import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A thread for what visits must not wait for. It tells of nothing more once it was terminated. */
export type QuietThread<Job> = {
  /** Throws when the thread cannot take it. */
  readonly post: (job: Job) => void;
  readonly terminate: () => Promise<unknown>;
};

export type QuietThreadEvents<Result> = {
  readonly onResult: (result: Result) => void;
  /** The thread is of no more use. */
  readonly onBroken: (err: unknown) => void;
};

/**
 * Starts `file` as a thread; throws when the system gives none. It keeps no process alive that has nothing else to do.
 * `memoryMib` bounds its heap.
 */
export function startQuietThread<Job, Result>(
  file: URL,
  { workerData, memoryMib }: { readonly workerData?: unknown; readonly memoryMib: number },
  events: QuietThreadEvents<Result>,
): QuietThread<Job> {
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: memoryMib } });
  worker.unref();
  worker.on('message', (result: Result) => {
    events.onResult(result);
  });
  worker.on('error', events.onBroken);
  worker.on('messageerror', events.onBroken);
  worker.on('exit', (code) => {
    events.onBroken(new Error(`A thread ended with code ${code}`));
  });
  return {
    post: (job) => {
      worker.postMessage(job);
    },
    terminate() {
      worker.removeAllListeners();
      // What it still throws is of no interest, and must not end the process.
      worker.on('error', () => undefined);
      return worker.terminate();
    },
  };
}

/**
 * Called in a thread: where cores are few, visits come first. Linux knows a priority for each thread; elsewhere this would
 * be the whole process's, and nothing is changed.
 */
export function yieldToVisits(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A thread for work that must not delay requests. After `terminate` it calls nothing. */
export type LowPriorityThread<Job> = {
  /** Throws when the thread cannot take the job. */
  readonly post: (job: Job) => void;
  readonly terminate: () => Promise<unknown>;
};

export type LowPriorityThreadEvents<Result> = {
  readonly onResult: (result: Result) => void;
  /** The thread is unusable. */
  readonly onBroken: (err: unknown) => void;
};

/** Throws when the system refuses a thread. It does not keep the process alive. `memoryMib` limits its heap. */
export function startLowPriorityThread<Job, Result>(
  file: URL,
  { workerData, memoryMib }: { readonly workerData?: unknown; readonly memoryMib: number },
  events: LowPriorityThreadEvents<Result>,
): LowPriorityThread<Job> {
  // Without the process's own options: tests run from sources, threads from compiled code.
  const worker = new Worker(file, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
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
      // A late error must not end the process.
      worker.on('error', () => undefined);
      return worker.terminate();
    },
  };
}

/**
 * Lowers the calling thread's priority below that of requests. Only Linux has priorities per thread; elsewhere this would
 * change the whole process, so nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

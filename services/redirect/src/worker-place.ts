import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/logger';
import type { WorkerMessage } from './messages.js';
import { WORKER_DRAIN_KILL_MS } from './worker-deadlines.js';
import { followWorker } from './worker-process.js';
import type { WorkerProcess } from './worker-process.js';

// The first restart is immediate; a worker that keeps dying is started again less and less often, but never more than
// a second later (reliability.md, F2).
const RESTART_DELAYS_MS = [0, 50, 100, 200, 400, 800];
/** A worker that has run so long has its crashes forgotten. */
const STEADY_AFTER_MS = 10_000;
// A start takes under a second, and several on a machine that is overloaded; after so long without an answer of any
// store the worker that knows links is the better one.
const REPLACEMENT_DEADLINE_MS = 30_000;
/** A replacement that is given up has no visitors, or hardly any. */
const GIVEN_UP_DEADLINE_MS = 1_000;

export type WorkerPlaceOptions = {
  readonly index: number;
  /** Starts a worker with an IPC channel; a replacement begins to listen only once it can serve. */
  readonly spawn: (options: { isReplacement: boolean }) => ChildProcess;
  readonly log: Logger;
  readonly now: () => number;
  readonly onMessage: (pid: number, message: WorkerMessage) => void;
  /** A process is gone, whichever it was. */
  readonly onGone: (pid: number) => void;
  /** The worker is gone and nobody had told it to go. Returns whether a new one shall take its place. */
  readonly onExit: (reason: string) => boolean;
  readonly replacementDeadlineMs?: number;
};

export type WorkerPlace = {
  readonly start: () => void;
  /**
   * Starts a second worker, and once that can serve tells the first to drain. Resolves with null when the first is gone,
   * or with the reason why the new worker is not the one that serves; then the old one still does. Never rejects.
   */
  readonly replace: () => Promise<string | null>;
  /** Tells every process here to stop and resolves when all are gone, killed after `deadlineMs` if need be. None follows. */
  readonly stop: (deadlineMs: number) => Promise<void>;
  readonly state: () => 'gone' | 'starting' | 'listening' | 'ready';
  /** How many processes are told to go and are still here. */
  readonly draining: () => number;
};

/**
 * One worker and its successors. A worker is *starting* until it listens, *ready* once it can serve, and *gone* from
 * its exit until its successor starts. While it is replaced there are two: the successor takes the place when it is
 * ready, and the old one *drains*. If the old one dies before that, the successor comes into the place all the same.
 */
export function createWorkerPlace(options: WorkerPlaceOptions): WorkerPlace {
  const { index, log, now } = options;
  const alive = new Set<WorkerProcess>();
  const draining = new Set<WorkerProcess>();
  let current: WorkerProcess | null = null;
  let isReplacing = false;
  let isStopped = false;
  const restarts = createRestarts({ index, log, start });

  function launch(isReplacement: boolean): WorkerProcess {
    const worker = followWorker({
      process: options.spawn({ isReplacement }),
      startedAt: now(),
      onMessage: (message) => {
        options.onMessage(worker.pid, message);
      },
      onError: (err) => {
        log.error({ err, worker: index }, 'a worker cannot be started or reached');
      },
      onGone: (how) => {
        leave(worker, how);
      },
    });
    alive.add(worker);
    return worker;
  }

  function start(): void {
    current = launch(false);
  }

  function leave(worker: WorkerProcess, how: string): void {
    alive.delete(worker);
    options.onGone(worker.pid);
    if (draining.delete(worker) || worker !== current) return;
    current = null;
    const failure = worker.failure();
    if (!options.onExit(failure || `worker ${index} ended (${how})`)) return;
    if (now() - worker.startedAt > STEADY_AFTER_MS) restarts.forget();
    if (isReplacing) log.error({ worker: index, how, failure }, 'a worker ended while its successor starts');
    else restarts.schedule({ how, failure });
  }

  async function replace(): Promise<string | null> {
    restarts.cancel();
    isReplacing = true;
    const successor = launch(true);
    const failure = await successor.untilReady(options.replacementDeadlineMs ?? REPLACEMENT_DEADLINE_MS);
    isReplacing = false;
    if (failure !== null) {
      if (current === null && !isStopped) restarts.schedule({ how: 'its successor failed', failure });
      await successor.end('stop', GIVEN_UP_DEADLINE_MS);
      return failure;
    }
    const old = current;
    current = successor;
    if (old !== null) {
      draining.add(old);
      await old.end('drain', WORKER_DRAIN_KILL_MS);
    }
    return current === successor ? null : 'it ended soon after it had taken over';
  }

  return {
    start,
    replace,
    state: () => current?.state() ?? 'gone',
    draining: () => draining.size,
    async stop(deadlineMs) {
      isStopped = true;
      restarts.cancel();
      await Promise.all(Array.from(alive, (worker) => worker.end('stop', deadlineMs)));
    },
  };
}

/** Starts a worker again, the sooner the fewer crashes came before. */
function createRestarts(options: { index: number; log: Logger; start: () => void }) {
  const { index, log, start } = options;
  let crashes = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule(reason: { how: string; failure: string }): void {
      const delayMs = RESTART_DELAYS_MS[Math.min(crashes, RESTART_DELAYS_MS.length - 1)];
      crashes += 1;
      log.error({ worker: index, ...reason, restartInMs: delayMs }, 'a worker ended and is started again');
      timer = setTimeout(start, delayMs);
    },
    cancel: (): void => {
      clearTimeout(timer);
    },
    forget: (): void => {
      crashes = 0;
    },
  };
}

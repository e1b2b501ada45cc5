import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/logger';
import type { PrimaryMessage, WorkerMessage } from './messages.js';

// The first restart is immediate; a worker that keeps dying is started again less and less often, but never more than
// a second later (reliability.md, F2).
const RESTART_DELAYS_MS = [0, 50, 100, 200, 400, 800];
/** A worker that has run so long has its crashes forgotten. */
const STEADY_AFTER_MS = 10_000;

export type WorkerPlaceOptions = {
  readonly index: number;
  /** Starts a worker with an IPC channel. */
  readonly spawn: () => ChildProcess;
  readonly log: Logger;
  readonly now: () => number;
  readonly onMessage: (message: WorkerMessage) => void;
  /** The worker is gone. Returns whether a new one shall take its place. */
  readonly onExit: (reason: string) => boolean;
};

export type WorkerPlace = {
  readonly start: () => void;
  /** Tells the worker to stop and resolves when it is gone, killed after `deadlineMs` if need be. None follows it. */
  readonly stop: (deadlineMs: number) => Promise<void>;
  readonly state: () => 'gone' | 'starting' | 'listening' | 'ready';
};

/**
 * One worker and its successors. A worker is *starting* until it listens, *ready* once it can serve, and *gone* from
 * its exit until its successor starts.
 */
export function createWorkerPlace(options: WorkerPlaceOptions): WorkerPlace {
  const { index, log, now } = options;
  let child: ChildProcess | null = null;
  let state: ReturnType<WorkerPlace['state']> = 'gone';
  let failure = '';
  let startedAt = 0;
  let crashes = 0;
  let restartTimer: NodeJS.Timeout | undefined;

  function start(): void {
    const started = options.spawn();
    child = started;
    state = 'starting';
    startedAt = now();
    started.on('message', (message) => {
      // What a worker said last may arrive after its exit, when its counts are summed and its place is another's.
      if (child === started) hear(message as WorkerMessage);
    });
    started.once('error', (err) => {
      log.error({ err, worker: index }, 'a worker cannot be started or reached');
      // Without a process no `exit` follows.
      if (started.pid === undefined) leave(started, err.message);
    });
    started.once('exit', (code, signal) => {
      leave(started, signal ?? `code ${String(code)}`);
    });
  }

  function hear(message: WorkerMessage): void {
    if (message.kind === 'failed') failure = message.reason;
    else if (message.kind !== 'report') state = message.kind;
    options.onMessage(message);
  }

  function leave(ended: ChildProcess, how: string): void {
    if (child !== ended) return;
    child = null;
    state = 'gone';
    if (!options.onExit(failure || `worker ${index} ended (${how})`)) return;
    if (now() - startedAt > STEADY_AFTER_MS) crashes = 0;
    const delayMs = RESTART_DELAYS_MS[Math.min(crashes, RESTART_DELAYS_MS.length - 1)];
    crashes += 1;
    log.error({ worker: index, how, failure, restartInMs: delayMs }, 'a worker ended and is started again');
    failure = '';
    restartTimer = setTimeout(start, delayMs);
  }

  return {
    start,
    state: () => state,
    async stop(deadlineMs) {
      clearTimeout(restartTimer);
      const stopping = child;
      if (stopping?.pid === undefined) return;
      await new Promise<void>((resolve) => {
        const killTimer = setTimeout(() => stopping.kill('SIGKILL'), deadlineMs);
        stopping.once('exit', () => {
          clearTimeout(killTimer);
          resolve();
        });
        const message: PrimaryMessage = { kind: 'stop' };
        // A worker whose channel is closed has noticed that and is on its way out.
        if (stopping.connected) stopping.send(message, () => undefined);
      });
    },
  };
}

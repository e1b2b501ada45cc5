import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/logger';
import type { WorkerMessage } from './messages.js';
import { createWorkerPlace } from './worker-place.js';
import type { WorkerPlace } from './worker-place.js';

export type SupervisorOptions = {
  readonly count: number;
  /** Starts the worker of a place, with an IPC channel. */
  readonly spawn: (place: number) => ChildProcess;
  readonly log: Logger;
  readonly onMessage: (place: number, message: WorkerMessage) => void;
  /** The worker of a place is gone, for good or until its successor comes. */
  readonly onExit: (place: number) => void;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
};

export type Supervisor = {
  /** Starts every worker. Resolves when all listen; rejects when one ends before it ever did, and stops the others. */
  readonly start: () => Promise<void>;
  /** Tells every worker to stop; resolves when all are gone. Those that take longer than `deadlineMs` are killed. */
  readonly stop: (options: { deadlineMs: number }) => Promise<void>;
  readonly counters: Readonly<{ restarts: number }>;
  /** How many workers listen now. */
  readonly listening: () => number;
  /** How many workers can serve now. */
  readonly ready: () => number;
};

const FAILED_START_DEADLINE_MS = 1_000;

/**
 * Keeps `count` workers alive, each for itself: a crash touches no other worker. Until every worker has listened once
 * a crash is a fault of the set-up (a folder, a variable) and ends the start; later the worker is started again.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const counters = { restarts: 0 };
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let settleStart: { resolve: () => void; reject: (err: Error) => void } | undefined;

  const places: WorkerPlace[] = Array.from({ length: options.count }, (_, index) =>
    createWorkerPlace({
      index,
      spawn: () => options.spawn(index),
      log: options.log,
      now: options.now,
      onMessage(message) {
        options.onMessage(index, message);
        if (phase === 'starting' && listening() === options.count) {
          phase = 'running';
          settleStart?.resolve();
        }
      },
      onExit(reason) {
        options.onExit(index);
        if (phase === 'starting') settleStart?.reject(new Error(reason));
        if (phase !== 'running') return false;
        counters.restarts += 1;
        return true;
      },
    }),
  );

  const ready = () => places.filter((place) => place.state() === 'ready').length;
  const listening = () => places.filter((place) => place.state() === 'listening').length + ready();

  async function stop({ deadlineMs }: { deadlineMs: number }): Promise<void> {
    phase = 'stopping';
    await Promise.all(places.map((place) => place.stop(deadlineMs)));
  }

  return {
    counters,
    listening,
    ready,
    stop,
    async start() {
      try {
        await new Promise<void>((resolve, reject) => {
          settleStart = { resolve, reject };
          for (const place of places) place.start();
        });
      } catch (err) {
        await stop({ deadlineMs: FAILED_START_DEADLINE_MS });
        throw err;
      }
    },
  };
}

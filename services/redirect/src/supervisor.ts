import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/logger';
import type { WorkerMessage } from './messages.js';
import { createRollingRestart } from './rolling-restart.js';
import type { RollingRestart } from './rolling-restart.js';
import { createWorkerPlace } from './worker-place.js';
import type { WorkerPlace } from './worker-place.js';

export type SupervisorOptions = {
  readonly count: number;
  /** Starts the worker of a place, with an IPC channel. */
  readonly spawn: (place: number, options: { isReplacement: boolean }) => ChildProcess;
  /** Called before a rolling restart; what it rejects with ends that. */
  readonly prepareRoll: () => Promise<void>;
  /** Called after a rolling restart that has replaced every worker. */
  readonly finishRoll: () => void;
  readonly log: Logger;
  readonly onMessage: (pid: number, message: WorkerMessage) => void;
  /** A worker is gone. */
  readonly onGone: (pid: number) => void;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
};

export type Supervisor = {
  /** Starts every worker. Resolves when all listen; rejects when one ends before it ever did, and stops the others. */
  readonly start: () => Promise<void>;
  /** Tells every worker to stop; resolves when all are gone. Those that take longer than `deadlineMs` are killed. */
  readonly stop: (options: { deadlineMs: number }) => Promise<void>;
  /** Replaces one worker after the other, with no visit refused in between. */
  readonly roll: RollingRestart['request'];
  readonly counters: Readonly<{ restarts: number }>;
  readonly rolls: RollingRestart['counters'];
  /** How many workers listen now. */
  readonly listening: () => number;
  /** How many workers can serve now. */
  readonly ready: () => number;
  /** How many workers have a successor and let their visitors leave. */
  readonly draining: () => number;
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
      spawn: (kind) => options.spawn(index, kind),
      log: options.log,
      now: options.now,
      onMessage(pid, message) {
        options.onMessage(pid, message);
        if (phase === 'starting' && listening() === options.count) {
          phase = 'running';
          settleStart?.resolve();
        }
      },
      onGone: options.onGone,
      onExit(reason) {
        if (phase === 'starting') settleStart?.reject(new Error(reason));
        if (phase !== 'running') return false;
        counters.restarts += 1;
        return true;
      },
    }),
  );

  const rolling = createRollingRestart({
    places,
    prepare: options.prepareRoll,
    finish: options.finishRoll,
    isAllowed: () => phase === 'running',
    log: options.log,
    now: options.now,
  });
  const ready = () => places.filter((place) => place.state() === 'ready').length;
  const listening = () => places.filter((place) => place.state() === 'listening').length + ready();

  async function stop({ deadlineMs }: { deadlineMs: number }): Promise<void> {
    phase = 'stopping';
    await Promise.all(places.map((place) => place.stop(deadlineMs)));
  }

  return {
    counters,
    rolls: rolling.counters,
    roll: rolling.request,
    listening,
    ready,
    draining: () => places.reduce((sum, place) => sum + place.draining(), 0),
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

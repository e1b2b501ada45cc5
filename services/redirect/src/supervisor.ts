import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/logger';
import type { PrimaryMessage, WorkerMessage } from './messages.js';

// The first restart is immediate; a worker that keeps dying is started again less and less often, but never more than
// a second later (reliability.md, F2).
const RESTART_DELAYS_MS = [0, 50, 100, 200, 400, 800];
/** A worker that has run so long has its crashes forgotten. */
const STEADY_AFTER_MS = 10_000;

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

type Place = {
  readonly index: number;
  child: ChildProcess | null;
  state: 'starting' | 'listening' | 'ready' | 'gone';
  startedAt: number;
  crashes: number;
  restartTimer: NodeJS.Timeout | null;
  reason: string;
};

/**
 * Keeps `count` workers alive. A worker is *starting* until it listens, *ready* once it can serve, and *gone* from its
 * exit to its restart. Each place is on its own: a crash touches no other worker. Until every worker has listened once
 * a crash is a fault of the set-up (a folder, a variable) and ends the start; later it is restarted.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { log, now } = options;
  const places: Place[] = Array.from({ length: options.count }, (_, index) => ({
    index,
    child: null,
    state: 'gone',
    startedAt: 0,
    crashes: 0,
    restartTimer: null,
    reason: '',
  }));
  const counters = { restarts: 0 };
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let settleStart: { resolve: () => void; reject: (err: Error) => void } | null = null;

  function startWorker(place: Place): void {
    const child = options.spawn(place.index);
    place.child = child;
    place.state = 'starting';
    place.startedAt = now();
    child.on('message', (message) => {
      hear(place, message as WorkerMessage);
    });
    child.once('error', (err) => {
      log.error({ err, worker: place.index }, 'a worker cannot be started or reached');
      // Without a process no `exit` follows.
      if (child.pid === undefined) leave(place, child, String(err.message));
    });
    child.once('exit', (code, signal) => {
      leave(place, child, signal ?? `code ${String(code)}`);
    });
  }

  function hear(place: Place, message: WorkerMessage): void {
    if (message.kind === 'failed') place.reason = message.reason;
    if (message.kind === 'ready') place.state = 'ready';
    if (message.kind === 'listening') {
      place.state = 'listening';
      const allListen = places.every((other) => other.state === 'listening' || other.state === 'ready');
      if (phase === 'starting' && allListen) {
        phase = 'running';
        settleStart?.resolve();
      }
    }
    options.onMessage(place.index, message);
  }

  function leave(place: Place, child: ChildProcess, how: string): void {
    if (place.child !== child) return;
    place.child = null;
    place.state = 'gone';
    options.onExit(place.index);
    if (phase === 'stopping') return;
    if (phase === 'starting') {
      settleStart?.reject(
        new Error(place.reason || `worker ${place.index} ended before it listened (${how})`),
      );
      return;
    }
    restart(place, how);
  }

  function restart(place: Place, how: string): void {
    if (now() - place.startedAt > STEADY_AFTER_MS) place.crashes = 0;
    const delayMs = RESTART_DELAYS_MS[Math.min(place.crashes, RESTART_DELAYS_MS.length - 1)] ?? 0;
    place.crashes += 1;
    counters.restarts += 1;
    log.error({ worker: place.index, how, restartInMs: delayMs }, 'a worker ended and is started again');
    place.restartTimer = setTimeout(() => {
      place.restartTimer = null;
      startWorker(place);
    }, delayMs);
  }

  return {
    counters,
    listening: () => places.filter((place) => place.state === 'listening' || place.state === 'ready').length,
    ready: () => places.filter((place) => place.state === 'ready').length,
    async start() {
      try {
        await new Promise<void>((resolve, reject) => {
          settleStart = { resolve, reject };
          for (const place of places) startWorker(place);
        });
      } catch (err) {
        phase = 'stopping';
        await stopAll(places, 1_000);
        throw err;
      }
    },
    async stop({ deadlineMs }) {
      phase = 'stopping';
      await stopAll(places, deadlineMs);
    },
  };
}

async function stopAll(places: readonly Place[], deadlineMs: number): Promise<void> {
  await Promise.all(places.map((place) => stopWorker(place, deadlineMs)));
}

async function stopWorker(place: Place, deadlineMs: number): Promise<void> {
  if (place.restartTimer) clearTimeout(place.restartTimer);
  const { child } = place;
  if (child?.pid === undefined) return;
  await new Promise<void>((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    const message: PrimaryMessage = { kind: 'stop' };
    // A worker whose channel is closed has noticed that and is on its way out.
    if (child.connected) child.send(message, () => undefined);
  });
}

import type { ChildProcess } from 'node:child_process';
import type { Logger } from '@smartlink/process/lifecycle';
import { type PrimaryMessage, WORKER_DRAIN_KILL_MS, type WorkerMessage } from '../worker/protocol.js';
import { createRollingRestart } from './rolling-restart.js';

type SupervisorOptions = {
  readonly count: number;
  /** Starts the worker of a place, with an IPC channel. */
  readonly spawn: (place: number, options: { isReplacement: boolean }) => ChildProcess;
  /** Called before a rolling restart; its rejection ends the restart. */
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

export type Supervisor = ReturnType<typeof createSupervisor>;

const FAILED_START_DEADLINE_MS = 1_000;

/**
 * Keeps `count` workers alive independently. Before all have listened once, a crash is a fault of the set-up (a folder, a
 * variable) and ends the start; later the worker is restarted.
 */
export function createSupervisor(options: SupervisorOptions) {
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
    /** Replaces one worker after the other, refusing no visit. */
    roll: rolling.request,
    listening,
    ready,
    /** Replaced workers whose visitors are still leaving. */
    draining: () => places.reduce((sum, place) => sum + place.draining(), 0),
    /** Stops every worker; resolves when all are gone, killed after `deadlineMs` if necessary. */
    stop,
    /** Resolves when all workers listen; rejects when one ends before that, and stops the others. */
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

// The first restart is immediate; a worker that keeps dying is restarted at most a second later (reliability.md, F2).
const RESTART_DELAYS_MS = [0, 50, 100, 200, 400, 800];
/** After this time a worker's crashes are forgotten. */
const STEADY_AFTER_MS = 10_000;
// A start takes under a second, or several on an overloaded machine; if no store answers by then, the old worker, which
// knows links, is the better one.
const REPLACEMENT_DEADLINE_MS = 30_000;
/** A failed replacement has hardly any visitors. */
const GIVEN_UP_DEADLINE_MS = 1_000;

type WorkerPlaceOptions = {
  readonly index: number;
  /** Starts a worker with an IPC channel; a replacement listens only once it can serve. */
  readonly spawn: (options: { isReplacement: boolean }) => ChildProcess;
  readonly log: Logger;
  readonly now: () => number;
  readonly onMessage: (pid: number, message: WorkerMessage) => void;
  /** Called for every process that ends. */
  readonly onGone: (pid: number) => void;
  /** The worker ended by itself. Returns whether to start a new one. */
  readonly onExit: (reason: string) => boolean;
  readonly replacementDeadlineMs?: number;
};

type WorkerPlace = ReturnType<typeof createWorkerPlace>;

/**
 * One worker and its successors. A worker is *starting* until it listens, *ready* once it can serve, and *gone* from its
 * exit until its successor starts. During a replacement there are two: the successor takes the place when it is ready,
 * and the old one *drains*. If the old one dies before that, the successor still takes the place.
 */
export function createWorkerPlace(options: WorkerPlaceOptions) {
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
        log.error({ err, worker: index }, 'worker cannot be started or reached');
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
    if (isReplacing) log.error({ worker: index, how, failure }, 'worker exited during its replacement');
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
    /**
     * Starts a second worker, and drains the first once the second can serve. Resolves with null when the first is gone,
     * or with the reason why the old worker still serves. Never rejects.
     */
    replace,
    state: () => current?.state() ?? 'gone',
    /** Stopping processes that are still running. */
    draining: () => draining.size,
    /** Stops every process here; resolves when all are gone, killed after `deadlineMs` if necessary. */
    async stop(deadlineMs: number) {
      isStopped = true;
      restarts.cancel();
      await Promise.all(Array.from(alive, (worker) => worker.end('stop', deadlineMs)));
    },
  };
}

/** Restarts a worker, with delays that grow with its crashes. */
function createRestarts(options: { index: number; log: Logger; start: () => void }) {
  const { index, log, start } = options;
  let crashes = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule(reason: { how: string; failure: string }): void {
      const delayMs = RESTART_DELAYS_MS[Math.min(crashes, RESTART_DELAYS_MS.length - 1)];
      crashes += 1;
      log.error({ worker: index, ...reason, restartInMs: delayMs }, 'worker exited, restarting');
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

type WorkerProcess = {
  /** 0 when the process could not be started. */
  readonly pid: number;
  readonly startedAt: number;
  readonly state: () => 'starting' | 'listening' | 'ready' | 'gone';
  /** The failure it reported, else ''. */
  readonly failure: () => string;
  /** Resolves with null when it can serve, else with the reason, at the latest after `deadlineMs`. */
  readonly untilReady: (deadlineMs: number) => Promise<string | null>;
  /** Tells it to go; resolves when it is gone, killed after `deadlineMs` if necessary. */
  readonly end: (kind: 'stop' | 'drain', deadlineMs: number) => Promise<void>;
};

/** Follows a new worker with an IPC channel until it is gone. */
function followWorker(options: {
  readonly process: ChildProcess;
  readonly startedAt: number;
  readonly onMessage: (message: WorkerMessage) => void;
  readonly onError: (err: Error) => void;
  /** Called once, with the signal or the exit code. */
  readonly onGone: (how: string) => void;
}): WorkerProcess {
  const { process: child, onMessage, onError, onGone } = options;
  const pid = child.pid ?? 0;
  let state: ReturnType<WorkerProcess['state']> = 'starting';
  let failure = '';
  let settleReady: ((reason: string | null) => void) | null = null;

  const leave = (how: string): void => {
    if (state === 'gone') return;
    state = 'gone';
    settleReady?.(failure || `it ended (${how})`);
    onGone(how);
  };
  child.on('message', (said) => {
    const message = said as WorkerMessage;
    // A last message may arrive after the exit, when the worker's counts are already summed.
    if (state === 'gone') return;
    if (message.kind === 'failed') failure = message.reason;
    else if (message.kind !== 'report') state = message.kind;
    if (message.kind === 'ready') settleReady?.(null);
    onMessage(message);
  });
  child.once('error', (err) => {
    onError(err);
    // Without a process no `exit` follows.
    if (pid === 0) leave(err.message);
  });
  child.once('exit', (code, signal) => {
    leave(signal ?? `code ${String(code)}`);
  });

  return {
    pid,
    startedAt: options.startedAt,
    state: () => state,
    failure: () => failure,
    async untilReady(deadlineMs) {
      const reason = await new Promise<string | null>((resolve) => {
        const timer = setTimeout(resolve, deadlineMs, `it was not ready within ${deadlineMs} ms`);
        settleReady = (settled) => {
          clearTimeout(timer);
          resolve(settled);
        };
      });
      settleReady = null;
      return reason ?? (state === 'ready' ? null : 'it ended as it became ready');
    },
    async end(kind, deadlineMs) {
      if (state === 'gone' || pid === 0) return;
      await new Promise<void>((resolve) => {
        const killTimer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
        child.once('exit', () => {
          clearTimeout(killTimer);
          resolve();
        });
        const message: PrimaryMessage = { kind };
        // A worker with a closed channel has noticed that and is ending.
        if (child.connected) child.send(message, () => undefined);
      });
    },
  };
}

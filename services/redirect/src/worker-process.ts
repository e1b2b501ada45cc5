import type { ChildProcess } from 'node:child_process';
import type { PrimaryMessage, WorkerMessage } from './messages.js';

export type WorkerProcess = {
  /** 0 when the process could not be started. */
  readonly pid: number;
  readonly startedAt: number;
  readonly state: () => 'starting' | 'listening' | 'ready' | 'gone';
  /** What it said of its failure, '' when it said nothing. */
  readonly failure: () => string;
  /** Resolves with null when it can serve, else with the reason why it does not, after `deadlineMs` at the latest. */
  readonly untilReady: (deadlineMs: number) => Promise<string | null>;
  /** Tells it to go and resolves when it is gone, killed after `deadlineMs` if need be. */
  readonly end: (kind: PrimaryMessage['kind'], deadlineMs: number) => Promise<void>;
};

/** Follows a worker that was just started, with an IPC channel, until it is gone. */
export function followWorker(options: {
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
    // What a worker said last may arrive after its exit, when its counts are summed and its place is another's.
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
        // A worker whose channel is closed has noticed that and is on its way out.
        if (child.connected) child.send(message, () => undefined);
      });
    },
  };
}

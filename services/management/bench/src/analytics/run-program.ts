import { fileURLToPath } from 'node:url';
import { startChild } from '@smartlink/embedded/child';

export type ProgramOptions = {
  /** Of services/redirect/bench/event-path, without its ending. */
  readonly name: 'ship-events' | 'insert-events' | 'event-cost';
  readonly settings: object;
  readonly logFile: string;
  /** Told how far the program is. */
  readonly onReached: (reached: number) => void;
  readonly signal: AbortSignal;
};

const FOLDER = new URL('../../../../redirect/bench/event-path/dist/', import.meta.url);
const RUN_LIMIT_MS = 300_000;
const STOP_GRACE_MS = 5_000;

/**
 * Runs a program of the redirect service's own bench, on the cores of this process, and returns what it found. It is a
 * process because services import nothing of each other, and so that its processor time is its own. Rejects when it ends
 * without a word, when it takes over 5 minutes, and on `signal`.
 */
export async function runProgram({
  name,
  settings,
  logFile,
  onReached,
  signal,
}: ProgramOptions): Promise<unknown> {
  signal.throwIfAborted();
  const program = fileURLToPath(new URL(`${name}.js`, FOLDER));
  const child = await startChild({
    name,
    command: process.execPath,
    args: ['--expose-gc', program, JSON.stringify(settings)],
    env: {},
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
    ipc: true,
  });
  const ending = AbortSignal.any([signal, AbortSignal.timeout(RUN_LIMIT_MS)]);
  try {
    return await new Promise<unknown>((resolve, reject) => {
      // As parent.ts over there says it.
      child.process.on('message', (message: { reached?: number; result?: unknown }) => {
        if (message.reached !== undefined) onReached(message.reached);
        if (message.result !== undefined) resolve(message.result);
      });
      void child.exited.then((how) => {
        reject(new Error(`${name} ended (${how}); its last words:\n${child.lastLines(10)}`));
      });
      ending.addEventListener('abort', () => {
        reject(new Error(`${name} was stopped`, { cause: ending.reason }));
      });
    });
  } finally {
    if (!child.hasExited()) await child.stop();
  }
}

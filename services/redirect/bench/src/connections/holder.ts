import { fileURLToPath } from 'node:url';
import { startChild } from '@smartlink/embedded/child';
import type { StackRun } from '../stack-bench.js';

export type HolderSettings = {
  readonly url: string;
  readonly path: string;
  readonly connections: number;
  /** How often each connection makes a visit; null: only when told to. */
  readonly everyMs: number | null;
};

/** What a holder's connections have done so far. */
export type Held = {
  readonly visits: number;
  /** Answered with something else than a redirect. */
  readonly wrong: number;
  /** Connections that were closed since the last refresh: the server closes what is idle for 10 s. */
  readonly lost: number;
};

export type Holder = {
  /**
   * Has every connection make a visit, by which the server holds it for 10 s more, and waits for the answers. Where visits
   * are made now and again they begin with the first call, and there must be no other.
   */
  readonly refresh: () => Promise<Held>;
  /** Returns what was done; the connections are closed. Throws when a visit was answered wrongly. */
  readonly end: () => Promise<Held>;
};

const PROGRAM = fileURLToPath(new URL('../../dist/connections/holder-program.js', import.meta.url));
const ANSWER_LIMIT_MS = 60_000;

/** Opens many connections from a process of its own, and does `work` once each has made a visit. The process ends with it. */
export async function withHolder<Result>(
  { stack, cores, searchPath, signal }: StackRun<object>,
  settings: HolderSettings,
  work: (holder: Holder) => Promise<Result>,
): Promise<Result> {
  const node = [process.execPath, PROGRAM, JSON.stringify(settings)];
  const [command = '', ...args] = cores.others === null ? node : ['taskset', '-c', cores.others, ...node];
  const child = await startChild({
    name: 'holder',
    command,
    args,
    env: { PATH: searchPath },
    logFile: stack.logFile('holder'),
    stopSignal: 'SIGKILL',
    graceMs: 1_000,
    ipc: true,
  });
  const answer = (): Promise<Held> =>
    new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        reject(new Error('The connections were not there, or not answered, within a minute'));
      }, ANSWER_LIMIT_MS);
      const giveUp = () => {
        reject(new Error('The connections were given up'));
      };
      signal.addEventListener('abort', giveUp);
      child.process.once('message', (message) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', giveUp);
        resolve(message as Held);
      });
      void child.exited.then((how) => {
        clearTimeout(limit);
        reject(new Error(`The connections were lost (${how}):\n${child.lastLines(10)}`));
      });
    });
  const ask = async (message: 'refresh' | 'end'): Promise<Held> => {
    const answered = answer();
    child.process.send(message);
    const held = await answered;
    if (held.wrong > 0)
      throw new Error(`Of the held connections' visits ${held.wrong} were answered wrongly`);
    return held;
  };
  try {
    await answer();
    return await work({ refresh: () => ask('refresh'), end: () => ask('end') });
  } finally {
    if (!child.hasExited()) await child.stop();
  }
}

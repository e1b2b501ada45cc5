import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '@smartlink/embedded/child';
import type { Child } from '@smartlink/embedded/child';
import { StackError } from '@smartlink/embedded/stack-error';

/** What a process has used since its start. */
export type Usage = { readonly rssBytes: number; readonly heapUsedBytes: number; readonly cpuMs: number };

export type ServerProcess = {
  readonly child: Child;
  readonly url: string;
  /** Returns what the process has used so far; `after collection` collects its garbage first. */
  readonly probe: (when?: 'at once' | 'after collection') => Promise<Usage>;
  /** Sends a message and returns what is answered. One at a time. */
  readonly ask: (message: object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

export type ServerOptions = {
  readonly name: string;
  /** Compiled program; it must say `Server listening at http://…` once it does. */
  readonly program: string;
  readonly nodeArgs?: readonly string[];
  /** Arguments of the program itself. */
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The core that it may use, as taskset names it; null: any. */
  readonly core: string | null;
  readonly logFile: string;
};

const PROBE = fileURLToPath(new URL('../dist/process-probe.js', import.meta.url));
const READY_LIMIT_MS = 30_000;
const ANSWER_LIMIT_MS = 30_000;
const STOP_GRACE_MS = 15_000;

/** Starts a server under the probe and waits until it listens. The caller stops it. Throws StackError when it ends. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { name, program, nodeArgs = [], args: own = [], env, core, logFile } = options;
  const node = [process.execPath, '--expose-gc', '--import', PROBE, ...nodeArgs, program, ...own];
  const [command = '', ...args] = core === null ? node : ['taskset', '-c', core, ...node];
  const child = await startChild({
    name,
    command,
    args,
    env,
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
    ipc: true,
  });
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  const ask = (message: object) => askChild(child, message);
  try {
    const url = await listeningUrl(child);
    return {
      child,
      url,
      ask,
      probe: async (when = 'at once') => (await ask({ probe: when })) as Usage,
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function listeningUrl(child: Child): Promise<string> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    const url = /Server listening at (http:\/\/[\d.]+:\d+)/.exec(child.lastLines(1_000))?.[1];
    if (url !== undefined) return url;
    await sleep(50);
  }
  const { name } = child.identity;
  throw new StackError(`${name} did not start to listen; its last words:\n${child.lastLines(10)}`);
}

function askChild(child: Child, message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { name } = child.identity;
    const limit = setTimeout(() => {
      finish(() => {
        reject(new Error(`${name} did not answer the bench within ${ANSWER_LIMIT_MS / 1000} s`));
      });
    }, ANSWER_LIMIT_MS);
    const onMessage = (answer: unknown) => {
      finish(() => {
        resolve(answer);
      });
    };
    const onExit = () => {
      finish(() => {
        reject(new Error(`${name} ended; its last words:\n${child.lastLines(10)}`));
      });
    };
    const finish = (settle: () => void) => {
      clearTimeout(limit);
      child.process.off('message', onMessage);
      child.process.off('exit', onExit);
      settle();
    };
    child.process.on('message', onMessage);
    child.process.on('exit', onExit);
    child.process.send(message);
  });
}

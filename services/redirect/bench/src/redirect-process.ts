import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { childrenOf } from '@smartlink/bench/process-times';
import { startChild } from '@smartlink/embedded/child';
import type { Child } from '@smartlink/embedded/child';
import { StackError } from '@smartlink/embedded/stack-error';

export type RedirectProcess = {
  readonly url: string;
  readonly primaryPid: number;
  readonly workerPids: () => readonly number[];
  /** Of the primary and the workers: what they use is the cost of a visit. */
  readonly pids: () => readonly number[];
  /** Returns the values of the metrics by their lines, without `smartlink_redirect_`: `events_total{fate="accepted"}`. */
  readonly metrics: () => Promise<ReadonlyMap<string, number>>;
  /** Ends it as an operator does; what waits in the spool goes with the stack's folder. */
  readonly stop: () => Promise<void>;
};

export type RedirectOptions = {
  readonly name: string;
  readonly stack: BenchStack;
  /** A built checkout of the project; null: this one. */
  readonly root: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** PATH: where taskset and setpriv are looked for. */
  readonly searchPath: string | undefined;
  /** As taskset names it; null: any. */
  readonly core: string | null;
};

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const START_LIMIT_MS = 30_000;
const STOP_GRACE_MS = 15_000;
const POLL_MS = 50;

/**
 * Starts the redirect service as in production, with one worker unless `env` says otherwise: events are recorded and wait
 * in a spool on the disk, for the ClickHouse that it is told of answers nobody. The caller stops it. Throws StackError
 * when it does not start.
 */
export async function startRedirect(options: RedirectOptions): Promise<RedirectProcess> {
  const { name, stack, root, env, nodeArgs = [], searchPath, core } = options;
  const program = path.join(root ?? ROOT, 'services/redirect/dist/main.js');
  const node = [process.execPath, ...nodeArgs, program];
  const [command = '', ...args] = core === null ? node : ['taskset', '-c', core, ...node];
  const { DATABASE_URL = '' } = stack.serviceEnv;
  const child = await startChild({
    name,
    command,
    args,
    cwd: stack.folder(`run-${name}`),
    env: {
      PATH: searchPath,
      DATABASE_URL,
      REDIS_URL: stack.redisUrl,
      CLICKHOUSE_URL: NOBODY,
      REDIRECT_PORT: '0',
      METRICS_PORT: '0',
      REDIRECT_PROCESSES: '1',
      SPOOL_DIR: stack.folder(`spool-${name}`),
      SPOOL_BYTES_MAX: String(64 * 2 ** 30),
      COOKIE_SECRETS: 'a secret of 32 bytes or more for the bench alone',
      ...env,
    },
    logFile: stack.logFile(name),
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
  });
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  try {
    const { port, metricsPort } = await listening(child);
    const { pid } = child.identity;
    return {
      url: `http://127.0.0.1:${port}`,
      primaryPid: pid,
      workerPids: () => childrenOf(pid),
      pids: () => [pid, ...childrenOf(pid)],
      metrics: () => readMetrics(metricsPort),
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** Nothing listens at the port of the discard protocol, and a connection is refused at once. */
const NOBODY = 'http://127.0.0.1:9/smartlink';

async function listening(child: Child): Promise<{ port: number; metricsPort: number }> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    const line = child
      .lastLines(200)
      .split('\n')
      .find((text) => text.includes('"msg":"listening"'));
    if (line !== undefined) return JSON.parse(line) as { port: number; metricsPort: number };
    await sleep(POLL_MS);
  }
  const { name } = child.identity;
  throw new StackError(`${name} did not start to listen; its last words:\n${child.lastLines(10)}`);
}

async function readMetrics(port: number): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/-/metrics`);
  const lines = (await response.text()).matchAll(/^smartlink_redirect_(\S+) (\S+)$/gm);
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]));
}

import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type Child, startChild } from '@smartlink/embedded/child';
import { StackError } from '@smartlink/embedded/stack-error';
import { until } from '@smartlink/test-support/until';
import type { Answers } from './probe.js';
import type { StackRun } from './stack.js';

export type Place = Pick<StackRun<object>, 'stack' | 'cores'>;

export type ProgramOptions = {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stopSignal?: NodeJS.Signals;
};

export type Program<Ready> = {
  readonly pid: number;
  readonly ready: Ready;
  readonly stop: () => Promise<void>;
};

const START_LIMIT_MS = 30_000;
const STOP_GRACE_MS = 15_000;
const ANSWER_LIMIT_MS = 60_000;

/**
 * Starts a server on the core for servers and waits until `findReady` returns something. The caller stops it. Throws
 * StackError when it ends or is not ready within 30 s.
 */
export async function startProgram<Ready>(
  { stack, cores: { server: core } }: Place,
  { name, command, env, cwd, stopSignal = 'SIGTERM' }: ProgramOptions,
  findReady: (child: Child) => Ready | null | Promise<Ready | null>,
): Promise<Program<Ready>> {
  const [program = '', ...args] = core === null ? command : ['taskset', '-c', core, ...command];
  const child = await startChild({
    ...{ name, command: program, args, stopSignal, graceMs: STOP_GRACE_MS },
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env['PATH'], ...env },
    logFile: stack.logFile(name),
  });
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  const findReadyAlive = () => {
    if (child.hasExited()) throw new Error('it ended');
    return findReady(child);
  };
  try {
    const ready = await until(findReadyAlive, 'it is ready', START_LIMIT_MS);
    return { pid: child.identity.pid, ready, stop };
  } catch (err) {
    await stop();
    const why = err instanceof Error ? err.message : String(err);
    throw new StackError(`${name} did not start (${why}); last log lines:\n${child.lastLines(10)}`);
  }
}

/** The address in a log line `Server listening at http://…`. */
export function findListening(child: Child): string | null {
  return /Server listening at (http:\/\/[\d.]+:\d+)/.exec(child.lastLines(1_000))?.[1] ?? null;
}

export type Probe = {
  readonly nodeArgs: readonly string[];
  readonly ask: <Question extends keyof Answers>(
    pid: number,
    question: Question,
  ) => Promise<Answers[Question]>;
};

/** A probe for the processes that are started with its arguments of node. Answers take a minute at most. */
export function createProbe({ stack }: Place, { hasCoverage = false } = {}): Probe {
  const folder = stack.folder('probes');
  const module = pathToFileURL(path.resolve(import.meta.dirname, '../dist/probe.js'));
  module.searchParams.set('folder', folder);
  if (hasCoverage) module.searchParams.set('coverage', 'on');
  return {
    nodeArgs: ['--expose-gc', '--import', module.href],
    ask: async (pid, question) => {
      const socket = connect(path.join(folder, `${pid}.sock`));
      socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('A probe did not answer')));
      socket.write(question);
      return JSON.parse(await text(socket)) as Answers[typeof question];
    },
  };
}

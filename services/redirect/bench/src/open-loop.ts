import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startChild } from '@smartlink/embedded/child';
import { BROWSER_HEADERS } from './visit-requests.js';

export type OpenLoopSettings = {
  readonly port: number;
  /** Whole requests, one after another, with NUL between them. */
  readonly requestsFile: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
};

export type OpenLoopFigures = {
  /** With one of each connection before the others. */
  readonly sent: number;
  /** Found no free connection. */
  readonly queued: number;
  readonly measured: number;
  /** Planned, and without an answer 5 s after the end. */
  readonly unanswered: number;
  /** From a visit's being sent, or from when it was to be sent if it found no free connection, to the end of its answer. */
  readonly p50Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  /** By how much the client sent later than planned, for reasons of its own. */
  readonly latenessP99Us: number;
};

const PROGRAM = fileURLToPath(new URL('../dist/open-loop-client.js', import.meta.url));
const GRACE_SECONDS = 30;

/** Writes the requests of visits, given as lines of visitLines, to a file for the client. */
export function writeRequests(file: string, lines: readonly string[]): void {
  const requests = lines.map((line) => {
    const [path = '', agent = '', address = ''] = line.split('\t');
    const headers = {
      Host: '127.0.0.1',
      'User-Agent': agent,
      ...BROWSER_HEADERS,
      ...(address !== '' && { 'X-Forwarded-For': address }),
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`GET ${path} HTTP/1.1`, ...head, '', ''].join('\r\n');
  });
  writeFileSync(file, requests.join('\0'));
}

/** Runs the client in a process of its own, on `core`, and returns what it measured. Rejects when it ends without, and on `signal`. */
export async function runOpenLoop(
  settings: OpenLoopSettings,
  {
    core,
    logFile,
    signal,
    searchPath,
  }: { core: string | null; logFile: string; signal: AbortSignal; searchPath: string | undefined },
): Promise<OpenLoopFigures> {
  signal.throwIfAborted();
  const node = [process.execPath, PROGRAM, JSON.stringify(settings)];
  const [command = '', ...args] = core === null ? node : ['taskset', '-c', core, ...node];
  const child = await startChild({
    name: 'client',
    command,
    args,
    env: { PATH: searchPath },
    logFile,
    stopSignal: 'SIGKILL',
    graceMs: 1_000,
    ipc: true,
  });
  const ending = AbortSignal.any([signal, AbortSignal.timeout((settings.seconds + GRACE_SECONDS) * 1_000)]);
  try {
    return await new Promise<OpenLoopFigures>((resolve, reject) => {
      child.process.once('message', (message) => {
        resolve(message as OpenLoopFigures);
      });
      void child.exited.then((how) => {
        reject(new Error(`The client ended (${how}); its last words:\n${child.lastLines(10)}`));
      });
      ending.addEventListener('abort', () => {
        reject(new Error('The client was stopped', { cause: ending.reason }));
      });
    });
  } finally {
    if (!child.hasExited()) await child.stop();
  }
}

import { spawn } from 'node:child_process';

export type ProgramResult = {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

const LIMIT_MS = 10 * 60_000;

/**
 * Runs a program without a terminal to its end and returns what it printed. Rejects when it cannot be started, when
 * `signal` aborts, and after `limitMs` (10 minutes); it is killed then.
 */
export async function runProgram(
  argv: readonly [string, ...string[]],
  options: {
    readonly cwd?: string;
    /** Added to this process's environment, which main.ts has reduced to what programs need. */
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly limitMs?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<ProgramResult> {
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.limitMs ?? LIMIT_MS,
    killSignal: 'SIGKILL',
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program that reads nothing closes its end first.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

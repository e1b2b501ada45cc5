import { StackError } from '@smartlink/embedded/stack-error';
import type { Problem } from './bench-options.js';

export type BenchProgram<Options extends object> = {
  readonly help: string;
  readonly readOptions: (args: readonly string[]) => Options | 'help' | Problem;
  /** Rejects when `signal` is aborted. */
  readonly run: (options: Options, signal: AbortSignal) => Promise<void>;
};

/**
 * Runs a bench with the arguments of this process until it ends or is interrupted. Exit code 1 when it was interrupted
 * or the engines did not start, 2 for options that there are not; what else goes wrong is thrown.
 */
export async function runProgram<Options extends object>({
  help,
  readOptions,
  run,
}: BenchProgram<Options>): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted.abort(`Stopped by ${signal}`);
    });
  }
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(`${help}\n`);
    return;
  }
  if ('problem' in options) {
    tellError(`${options.problem}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  try {
    await run(options, interrupted.signal);
  } catch (err) {
    process.exitCode = 1;
    if (interrupted.signal.aborted) tellError(String(interrupted.signal.reason));
    else if (err instanceof StackError) tellError(err.message);
    else throw err;
  }
}

function tellError(text: string): void {
  process.stderr.write(`${text}\n`);
}

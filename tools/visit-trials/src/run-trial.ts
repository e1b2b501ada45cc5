import { readRunningStack } from '@smartlink/embedded/running-stack';
import type { RunningStack } from '@smartlink/embedded/running-stack';
import { StackError } from '@smartlink/embedded/stack-error';

/** Runs a trial against the running stack. `--help` prints the help instead; a failure is one line and exit code 1. */
export async function runTrial(help: string, trial: (stack: RunningStack) => Promise<void>): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(help);
    return;
  }
  try {
    await trial(readRunningStack(process.env['SMARTLINK_DATA_DIR'] ?? '.data'));
  } catch (err) {
    process.exitCode = 1;
    if (err instanceof StackError) console.error(err.message);
    else if (err instanceof Error) console.error(describe(err));
    else throw err;
  }
}

// fetch says only "fetch failed"; why is in the cause.
function describe(err: Error): string {
  return err.cause instanceof Error ? `${err.message}: ${err.cause.message}` : err.message;
}

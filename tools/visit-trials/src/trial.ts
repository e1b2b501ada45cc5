import { readRunningStack, type RunningStack } from '@smartlink/embedded/data-folder';
import { describeFailure } from '@smartlink/embedded/stack-error';

/** Runs a trial against the running stack, or prints the help for `--help`. A failure is one line and exit code 1. */
export async function runTrial(help: string, trial: (stack: RunningStack) => Promise<void>): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(help);
    return;
  }
  try {
    await trial(readRunningStack(process.env['SMARTLINK_DATA_DIR'] ?? '.data'));
  } catch (err) {
    console.error(describeFailure(err));
    process.exitCode = 1;
  }
}

const VISIT_TIMEOUT_MS = 10_000;

/** A visit that follows no redirect; its body is read. */
export async function visit(url: string, userAgent: string): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { 'user-agent': userAgent },
    signal: AbortSignal.timeout(VISIT_TIMEOUT_MS),
  });
  await response.arrayBuffer();
  return response;
}

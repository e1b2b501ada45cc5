import { runProgram } from '../run-program.js';

/** How to get both programs; they are in no registry that Go or Python could install them from as they are. */
export const HOW_TO_GET =
  'install the package "prometheus" (apt-get install prometheus, brew install prometheus)';

/** Returns the version of a program of Prometheus' in PATH, as in `2.42.0`, or null when there is none. */
export async function versionOf(
  program: 'promtool' | 'prometheus',
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram([program, '--version'], { signal, limitMs: 30_000 });
    return /version (\S+)/.exec(stdout + stderr)?.[1]?.replace(/[+,].*$/, '') ?? 'unknown';
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

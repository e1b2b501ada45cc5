// The program of `npm run loadtest`.
import { StackError } from '@smartlink/embedded/stack-error';
import { findK6, K6_VERSION, OutputClosedError } from './k6.js';
import { runScenario } from './run-scenario.js';
import { SCENARIOS } from './scenarios.js';
import { describeSettings, readSettings, UsageError } from './settings.js';

const HELP = `npm run loadtest -- SCENARIO [options]

${SCENARIOS.map(({ name, question }) => `  ${name.padEnd(12)} ${question}`).join('\n')}

Options, each also an environment variable (--p99-ms is P99_MS), with defaults in parentheses:

${describeSettings(SCENARIOS)}

  npm run loadtest -- --prepare [--within SECONDS]    find k6 ${K6_VERSION} or build it, and run nothing

Starts a stack of its own and removes it at the end, unless --target names one. The smallest outage:

  npm run loadtest -- outage --duration-seconds 60 --rate 50 --links 100

Exit codes: 0 thresholds and account hold, 1 they do not or nothing could be run, 2 wrong options, 130 stopped by a signal
or because its output was closed.`;

const startedAt = performance.now();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) report('Stopping: k6, then the stack');
    stopping.abort(new Error('stopped by a signal'));
  });
}
// The reader has ended (`| head`): the stack must not outlive it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (err) => {
    stopping.abort(err);
  });
}
process.exitCode = await main(process.argv.slice(2));
// An idle connection must not keep the process.
process.exit();

async function main([name, ...argv]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || argv.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  try {
    if (name === '--prepare') return await prepare(argv);
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (scenario === undefined) {
      const names = SCENARIOS.map((one) => one.name).join(', ');
      throw new UsageError(`${name ? `unknown scenario ${name}` : 'name a scenario'}: ${names}; see --help`);
    }
    const settings = readSettings(scenario, argv, process.env);
    const failures = await runScenario({ scenario, settings, report, signal: stopping.signal });
    if (failures.length === 0) return 0;
    console.log(`Failed: ${failures.join('; ')}`);
    return 1;
  } catch (err) {
    if (stopping.signal.aborted || err instanceof OutputClosedError) {
      report('Stopped');
      return 130;
    }
    if (err instanceof UsageError) {
      console.error(`loadtest: ${err.message}`);
      return 2;
    }
    console.error(err instanceof StackError ? err.message : err);
    return 1;
  }
}

/** Finds or builds k6, within SECONDS if given; the next call continues an interrupted build. */
async function prepare([option, seconds, ...more]: readonly string[]): Promise<number> {
  const isValid = option === undefined || (option === '--within' && Number(seconds) > 0 && more.length === 0);
  if (!isValid) throw new UsageError('--prepare takes only --within SECONDS');
  const limit = option === undefined ? [] : [AbortSignal.timeout(Number(seconds) * 1_000)];
  try {
    const k6 = await findK6({ report, signal: AbortSignal.any([stopping.signal, ...limit]) });
    if (k6) report(`k6 is ready: ${k6.source}`);
    return k6 ? 0 : 1;
  } catch (err) {
    if (limit[0]?.aborted !== true || stopping.signal.aborted) throw err;
    report(`k6 is not built after ${seconds ?? ''} s: npm run loadtest -- --prepare continues`);
    return 1;
  }
}

/** Progress on standard error; on a terminal it replaces a line of k6's progress. */
function report(line: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${`${seconds} s`.padStart(8)}  ${line}\n`);
}

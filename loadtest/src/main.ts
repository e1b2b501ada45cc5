// The program of `npm run loadtest`.
import { StackError } from '@smartlink/embedded/stack-error';
import { findK6, K6_VERSION } from './find-k6.js';
import { createProgress } from './progress.js';
import { runScenario } from './run-scenario.js';
import { SCENARIOS } from './scenarios.js';
import { describeSettings, readSettings, UsageError } from './settings.js';

const HELP = `npm run loadtest -- SCENARIO [options]

${SCENARIOS.map(({ name, question }) => `  ${name.padEnd(12)} ${question}`).join('\n')}

Options, each also a variable of the environment (--p99-ms is P99_MS), with defaults in brackets:

${describeSettings(SCENARIOS)}

  npm run loadtest -- --prepare [--within SECONDS]    find k6 ${K6_VERSION} or build it, and run nothing

It starts a stack of its own and removes it at the end, unless --target names one. The smallest outage:

  npm run loadtest -- outage --duration-seconds 60 --rate 50 --links 100

Exit codes: 0 thresholds and account hold, 1 they do not or nothing could be run, 2 wrong options, 130 stopped by a signal
or because its output was closed.`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) progress.report('Stopping: k6, then the stack');
    stopping.abort(new Error('stopped by a signal'));
  });
}
// The reader has gone (`| head`): what was started must go as well.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (err) => {
    stopping.abort(err);
  });
}
const progress = createProgress();
process.exitCode = await main(process.argv.slice(2));
// A pool that lingers must not keep the terminal.
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
      throw new UsageError(
        `${name ? `there is no scenario ${name}` : 'name a scenario'}: ${names}; see --help`,
      );
    }
    const settings = readSettings(scenario, argv, process.env);
    const failures = await runScenario({ scenario, settings, progress, signal: stopping.signal });
    if (failures.length === 0) return 0;
    console.log(`Failed: ${failures.join('; ')}`);
    return 1;
  } catch (err) {
    if (stopping.signal.aborted) {
      progress.report('Stopped');
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

/** Finds or builds k6, within SECONDS where they are given; Go keeps what was built by then. */
async function prepare(argv: readonly string[]): Promise<number> {
  const [option, seconds] = argv;
  const isValid = option === undefined || (option === '--within' && Number(seconds) > 0 && argv.length === 2);
  if (!isValid) throw new UsageError('--prepare takes --within SECONDS and nothing else');
  const limit = option === undefined ? null : AbortSignal.timeout(Number(seconds) * 1_000);
  const signal = limit ? AbortSignal.any([stopping.signal, limit]) : stopping.signal;
  try {
    const k6 = await findK6({ report: progress.report, signal });
    if (k6) progress.report(`k6 is there: ${k6.from}`);
    return k6 ? 0 : 1;
  } catch (err) {
    if (limit?.aborted !== true || stopping.signal.aborted) throw err;
    progress.report(
      `k6 is not built after ${seconds ?? ''} s: npm run loadtest -- --prepare goes on with it`,
    );
    return 1;
  }
}

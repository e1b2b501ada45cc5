import { StackError } from '@smartlink/embedded/stack-error';
import { findK6, K6_VERSION } from './find-k6.js';
import { createProgress } from './progress.js';
import { runScenario } from './run-scenario.js';
import { questionOf, SCENARIOS } from './scenarios.js';
import { describeSettings, readSettings, UsageError } from './settings.js';

// The program of `npm run loadtest`.
const HELP = () => `npm run loadtest -- SCENARIO [options]

${SCENARIOS.map((scenario) => `  ${scenario.name.padEnd(12)} ${questionOf(scenario)}`).join('\n')}

Options, each also a variable of the environment (--p99-ms is P99_MS); the defaults stand in brackets:

${describeSettings(SCENARIOS)}

  npm run loadtest -- --prepare [--within SECONDS]    finds k6 ${K6_VERSION}, or builds it, and runs nothing

It starts a stack of its own and removes it at the end, unless --target names one. A small outage, which stops its engines:

  npm run loadtest -- outage --duration-seconds 60 --rate 50 --links 100

Exit codes: 0 thresholds and account hold, 1 they do not or nothing could be run, 2 the call cannot be meant, 130 stopped
by a signal or because nobody reads what it says any more.`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) progress.report('Stopping: k6, then the stack');
    stopping.abort(new Error('stopped by a signal'));
  });
}
// Who reads has gone (`| head`): as a signal, for what was started must go as well. What is said from then on is lost.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (err) => {
    stopping.abort(err);
  });
}
const progress = createProgress();
process.exitCode = await main(process.argv.slice(2));
// Nothing is under way any more; a pool that lingers must not keep the terminal.
process.exit();

async function main([name, ...argv]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || argv.includes('--help')) {
    console.log(HELP());
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
    if (err instanceof StackError) console.error(err.message);
    else console.error(err);
    return 1;
  }
}

/** Finds or builds k6, within so many seconds where they are given; what was built by then is kept for the next time. */
async function prepare(argv: readonly string[]): Promise<number> {
  const [option, seconds] = argv;
  const isMeant = option === undefined || (option === '--within' && Number(seconds) > 0 && argv.length === 2);
  if (!isMeant) throw new UsageError('--prepare takes --within SECONDS and nothing else');
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
